/**
 * Calls `onChange` on every change of this machine's network, with false if there is no network. Returns a
 * function that stops this.
 */
export type WatchNetwork = (onChange: (online: boolean) => void) => () => void;

/**
 * Watches the network by the events that browsers send to a page. Without these events it never calls back.
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
