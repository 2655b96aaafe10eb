import { DisconnectedError } from '../../core/index.js';
import type { DisconnectReason } from '../../protocol/index.js';
import { BlockedError } from '../../viewer/blocked-socket.js';
import type { Words } from '../lang/texts.js';

/**
 * Next steps for the user after a connection is over. `start`: the application starts another session, or the
 * page reloads. `connect`: connect again. `reload`: reload the page. `close`: hide the element.
 */
export type NextStep = 'start' | 'connect' | 'reload' | 'close';

/** Message and next steps that the user sees when the connection is over. */
export interface Ending {
  title: string;
  detail: string;
  /** The most likely step is the first. There is always at least one. */
  steps: readonly NextStep[];
}

const OVER: readonly NextStep[] = ['start', 'close'];
const AGAIN: readonly NextStep[] = ['connect', 'close'];
const ANEW: readonly NextStep[] = ['reload', 'close'];

const STEPS: Record<DisconnectReason, readonly NextStep[]> = {
  request: OVER,
  disconnected: AGAIN,
  removed: AGAIN,
  url_changed: AGAIN,
  absolute: OVER,
  inactive: OVER,
  offline: OVER,
  // If the user was removed, the element does not offer to connect again.
  kicked: ['close'],
  unauthorized: ANEW,
  ended: OVER,
  crashed: OVER,
  resource_limit: OVER,
  full: AGAIN,
  token_expired: ['close'],
  token_revoked: ['close'],
  replaced: AGAIN,
  unsupported: ANEW,
  rejected: AGAIN,
  flooding: AGAIN,
  unreachable: AGAIN,
};

/** Returns the message and the next steps for an end. */
export function endingOf(failure: Error | undefined, words: Words): Ending {
  if (failure instanceof DisconnectedError) {
    const { reason, message } = failure;
    const detail = words.say(`${reason}.detail`);
    // If the connection ended for one of these reasons, the message of the service has more details than the
    // texts of the element.
    const said = reason === 'unauthorized' || reason === 'flooding';
    if (failure instanceof BlockedError) {
      const blocked = words.say('blocked.detail').replace('{address}', failure.address);
      return { title: words.say('unreachable.title'), detail: blocked, steps: ANEW };
    }
    return {
      title: words.say(`${reason}.title`),
      detail: said && message ? words.told(`${reason}.said`, message) : detail,
      steps: STEPS[reason],
    };
  }
  const detail = words.say(failure ? 'failed.detail' : 'unreachable.detail');
  return { title: words.say('unreachable.title'), detail, steps: AGAIN };
}
