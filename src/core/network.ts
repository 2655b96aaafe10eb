/** Tells of every change of this machine's network from now on: false when it has none any more. Returns what ends that. */
export type WatchNetwork = (onChange: (online: boolean) => void) => () => void;

/** What browsers tell a page of the machine's network. Runtimes without these events tell nothing. */
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

/** Whether this machine says that it has no network. */
export function isOffline(): boolean {
  return typeof navigator !== 'undefined' && navigator.onLine === false;
}
