import type { Viewer } from '../viewer/index.js';
import type { LocalPointerLock } from './pointer-lock.js';

/** Has the local pointer locked with the remote one. Few pages ask for it: what that takes is loaded when one does. Returns what ends it. */
export function lockPointerOnDemand(viewer: Viewer): () => void {
  const { client } = viewer;
  let lock: LocalPointerLock | undefined;
  let over = false;
  const load = (): void => {
    import('./pointer-lock.js').then(
      (loaded) => {
        if (!over) lock = new loaded.LocalPointerLock(viewer);
      },
      // The next page that asks for it has it loaded again.
      () => {
        if (!over) client.once('pointerLock', load);
      },
    );
  };
  client.once('pointerLock', load);
  return () => {
    over = true;
    client.off('pointerLock', load);
    lock?.close();
  };
}
