import { DISCONNECTED_HERE, DisconnectedError } from '../core/index.js';
import type { DisconnectReason } from '../protocol/index.js';
import type { Words } from './lang/texts.js';

/**
 * What a person can do when a connection is over: `start`: begin another session, which is the application's business; `connect`:
 * connect again; `reload`: load the page again; `close`: put the element away.
 */
export type NextStep = 'start' | 'connect' | 'reload' | 'close';

/** What a person is told when the connection is over, and offered. */
export interface Ending {
  title: string;
  detail: string;
  /** The likeliest first; never empty. */
  steps: readonly NextStep[];
}

const OVER: readonly NextStep[] = ['start', 'close'];
const AGAIN: readonly NextStep[] = ['connect', 'close'];
const ANEW: readonly NextStep[] = ['reload', 'close'];

/** What an end is called in `TEXTS`. `stopped`: with the reason `request`, and not by this side. */
type EndKind = DisconnectReason | 'stopped';

const STEPS: Record<EndKind, readonly NextStep[]> = {
  request: AGAIN,
  stopped: OVER,
  absolute: OVER,
  inactive: OVER,
  offline: OVER,
  // Whoever was removed is not invited to come back.
  kicked: ['close'],
  unauthorized: ANEW,
  ended: OVER,
  crashed: OVER,
  resource_limit: OVER,
  full: AGAIN,
  unsupported: ANEW,
  rejected: AGAIN,
  flooding: AGAIN,
  unreachable: AGAIN,
};

/** The words for an end, and what comes next. */
export function endingOf(failure: Error | undefined, words: Words): Ending {
  if (failure instanceof DisconnectedError) {
    const { reason, message } = failure;
    const kind = reason === 'request' && message !== DISCONNECTED_HERE ? 'stopped' : reason;
    const detail = words.say(`${kind}.detail`);
    // Only the service knows whether somebody said no, or could not be asked; and of what there was too much.
    const said = reason === 'unauthorized' || reason === 'flooding';
    return {
      title: words.say(`${kind}.title`),
      detail: said && message ? words.told(`${reason}.said`, message) : detail,
      steps: STEPS[kind],
    };
  }
  const detail = failure ? words.told('failed.detail', failure.message) : words.say('unreachable.detail');
  return { title: words.say('unreachable.title'), detail, steps: AGAIN };
}
