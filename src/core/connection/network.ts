/**
 * Calls `onChange` on every change of this machine's network, with false if there is no network. Returns a
 * function that ends these calls.
 */
export type WatchNetwork = (onChange: (online: boolean) => void) => () => void;

/**
 * Watches the network by the events `online` and `offline` of browsers. In a runtime without these events,
 * never calls `onChange`.
 */
export const watchNetwork: WatchNetwork = (onChange) => {
  if (typeof addEventListener === 'undefined') return () => undefined;
  const online = (): void => onChange(true);
  const offline = (): void => onChange(false);
  addEventListener('online', online);
  addEventListener('offline', offline);
  return () => {
    removeEventListener('online', online);
    removeEventListener('offline', offline);
  };
};

/** True if this machine reports that it has no network. */
export function isOffline(): boolean {
  return typeof navigator !== 'undefined' && navigator.onLine === false;
}
