import { DisconnectedError } from '../core/index.js';
import type { DisconnectReason } from '../protocol/index.js';

/** What a person is told when the connection is over. */
export interface StatusText {
  title: string;
  detail: string;
}

const TEXTS: Record<DisconnectReason, StatusText> = {
  request: { title: 'Disconnected', detail: 'The connection to this browser was closed.' },
  absolute: { title: 'Session ended', detail: 'The time for this session is used up.' },
  inactive: { title: 'Session ended', detail: 'Nobody used this browser for a while.' },
  offline: { title: 'Session ended', detail: 'Everybody had left this browser.' },
  kicked: { title: 'Removed', detail: 'The host of this session removed you.' },
  unauthorized: { title: 'No access', detail: 'You are not allowed to join this session.' },
  ended: { title: 'Session ended', detail: 'This session is over or never existed.' },
  crashed: { title: 'Session ended', detail: 'The browser stopped working and could not be restarted.' },
  resource_limit: {
    title: 'Session ended',
    detail: 'This browser used more memory, processes or disk than it may.',
  },
  full: { title: 'No room', detail: 'As many people watch this browser as may. Try again later.' },
  unsupported: {
    title: 'Cannot be shown',
    detail: 'This page and the session do not fit together; try reloading.',
  },
  rejected: { title: 'Connection refused', detail: 'The session did not accept what this page sent.' },
  flooding: { title: 'Sent away', detail: 'This page sent more than the session takes.' },
  unreachable: {
    title: 'Cannot connect',
    detail: 'The session cannot be reached. Check the network and try again.',
  },
};

/** The words for an end. */
export function statusText(failure: Error | undefined): StatusText {
  if (failure instanceof DisconnectedError) {
    const { title, detail } = TEXTS[failure.reason];
    // Only the service knows whether somebody said no, or could not be asked; and of what there was too much.
    const said = failure.reason === 'unauthorized' || failure.reason === 'flooding';
    return { title, detail: said ? failure.message || detail : detail };
  }
  return { title: 'Cannot connect', detail: failure?.message ?? 'The connection is over.' };
}
