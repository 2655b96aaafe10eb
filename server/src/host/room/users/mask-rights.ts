import { systemClock, type Clock } from '../../../platform/clock.js';
import { TokenBucket } from '../../../platform/token-bucket.js';
import type { Writer } from '../../input/masked-fields.js';
import type { User } from './known-users.js';
import { hasRole } from './rights.js';

/** Whoever types into a masked field is told so once, and again after a while. */
const PACE = { perSecond: 0.5, burst: 1 };

/**
 * What one user may do to masked fields.
 *
 * @param tell shows the user that something was refused
 */
export function maskRights(
  user: Pick<User, 'rights'>,
  tell: () => void,
  clock: Clock = systemClock,
): Pick<Writer, 'mayWrite' | 'onRefused'> {
  const pace = new TokenBucket(PACE, clock);
  return {
    mayWrite: () => hasRole(user.rights, 'field_masking'),
    onRefused: () => {
      if (pace.take()) tell();
    },
  };
}
