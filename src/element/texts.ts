/** All words that the element shows. `{time}` is minutes and seconds. */
export const TEXTS = {
  connecting: 'Connecting…',
  reconnecting: 'Reconnecting…',
  offline: 'You are offline. The picture comes back with the network.',
  silent: 'Waiting for the session…',
  poor: 'Slow connection',
  soundBlocked: 'Turn on sound',
  leaveKeyboard: 'Ctrl + Alt + Shift gives the keyboard back to this page',
  'private.title': 'Private for now',
  'private.detail': 'Another user needs this browser alone. The picture comes back by itself.',
  'warning.inactive': 'Nobody has used this browser for a while. It closes in {time}.',
  'warning.absolute': 'The time for this session is used up in {time}.',
  'warning.shutdown': 'This service stops in {time}.',
  stay: 'Stay',
  'step.start': 'Start again',
  'step.connect': 'Try again',
  'step.reload': 'Reload the page',
  'step.close': 'Close',
  'request.title': 'Disconnected',
  'request.detail': 'The connection to this browser was closed.',
  'stopped.title': 'Session ended',
  'stopped.detail': 'This session was ended.',
  'absolute.title': 'Session ended',
  'absolute.detail': 'The time for this session is used up.',
  'inactive.title': 'Session ended',
  'inactive.detail': 'Nobody used this browser for a while.',
  'offline.title': 'Session ended',
  'offline.detail': 'Everybody had left this browser.',
  'kicked.title': 'Removed',
  'kicked.detail': 'The host of this session removed you.',
  'unauthorized.title': 'No access',
  'unauthorized.detail': 'You are not allowed to join this session.',
  'ended.title': 'Session ended',
  'ended.detail': 'This session is over or never existed.',
  'crashed.title': 'Session ended',
  'crashed.detail': 'The browser stopped working and could not be restarted.',
  'resource_limit.title': 'Session ended',
  'resource_limit.detail': 'This browser used more memory, processes or disk than it may.',
  'full.title': 'No room',
  'full.detail': 'As many people watch this browser as may. Try again later.',
  'unsupported.title': 'Cannot be shown',
  'unsupported.detail': 'This page and the session do not fit together; try reloading.',
  'rejected.title': 'Connection refused',
  'rejected.detail': 'The session did not accept what this page sent.',
  'flooding.title': 'Sent away',
  'flooding.detail': 'This page sent more than the session takes.',
  'unreachable.title': 'Cannot connect',
  'unreachable.detail': 'The session cannot be reached. Check the network and try again.',
} as const satisfies Record<string, string>;

/** What a text is for. */
export type TextKey = keyof typeof TEXTS;

/** Other words for some of {@link TEXTS}, such as another language. */
export type ElementTexts = Partial<Record<TextKey, string>>;

/** Gives the words for a purpose. */
export type Say = (key: TextKey) => string;

/** Seconds as minutes and seconds: 0:42. */
export function clockTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
