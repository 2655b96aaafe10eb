/**
 * Calls `onChange` on every change of this machine's network, with false if there is no network. May repeat
 * true while there is a network. Returns a function that ends these calls.
 */
export type WatchNetwork = (onChange: (online: boolean) => void) => () => void;

/**
 * Watches the network by the events `online` and `offline` of browsers. A page that is shown again counts as
 * a network that has returned, because phones cut the connections of hidden pages and stop their timers. In
 * a runtime without these events, never calls `onChange`.
 */
export const watchNetwork: WatchNetwork = (onChange) => {
  if (typeof addEventListener === 'undefined') return () => undefined;
  const types = ['online', 'offline', 'visibilitychange'];
  const changed = ({ type }: { type: string }): void => {
    if (type !== 'visibilitychange' || (!document.hidden && !isOffline())) onChange(type !== 'offline');
  };
  types.forEach((type) => addEventListener(type, changed));
  return () => types.forEach((type) => removeEventListener(type, changed));
};

/** True if this machine reports that it has no network. */
export function isOffline(): boolean {
  return typeof navigator !== 'undefined' && navigator.onLine === false;
}
