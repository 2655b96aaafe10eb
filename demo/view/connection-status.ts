/** Text for each state of the connection. */
export const STATUS: Record<string, string> = {
  none: 'No session',
  starting: 'Starting',
  idle: 'Connecting',
  connecting: 'Connecting',
  playing: 'Live',
  reconnecting: 'Reconnecting',
  failed: 'Connection lost',
  closed: 'Ended',
};
