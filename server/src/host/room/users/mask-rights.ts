import { systemClock, type Clock } from '../../../platform/time/clock.js';
import { TokenBucket } from '../../../platform/rates/token-bucket.js';
import type { InputUser } from '../../input/fields/masked-fields.js';
import type { TypingHold } from '../../input/keyboard/typing-hold.js';
import { canUse, type RightsHolder } from './can-use.js';

/**
 * Rate of notices to a user who types into a masked field. The first notice is sent at once, then at most one
 * every two seconds.
 */
const PACE = { perSecond: 0.5, burst: 1 };

/**
 * Returns the rights of one user for masked fields.
 *
 * @param viewer returns the user's connection. A user without a connection may not write
 * @param typing blocks the user's typing after a refused press, on all their connections
 * @param tell notifies the user that input was refused
 */
export function maskRights(
  viewer: () => RightsHolder | undefined,
  typing: TypingHold,
  tell: () => void,
  clock: Clock = systemClock,
): Pick<InputUser, 'mayWrite' | 'onRefused' | 'hold'> {
  const pace = new TokenBucket(PACE, clock);
  return {
    hold: typing,
    mayWrite: () => {
      const here = viewer();
      return here !== undefined && canUse(here, 'field_masking');
    },
    onRefused: () => {
      if (pace.take()) tell();
    },
  };
}
