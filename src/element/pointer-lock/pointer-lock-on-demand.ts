import { NotLoadedError } from '../../core/late-part.js';
import type { Viewer } from '../../viewer/index.js';
import type { LocalPointerLock } from './pointer-lock.js';

/**
 * Locks the local pointer together with the remote one. Few pages lock the pointer, so the code loads when a
 * page locks it. Returns a function that ends the local lock and ignores later remote locks.
 */
export function lockPointerOnDemand(viewer: Viewer, onFailure: (error: Error) => void): () => void {
  const { client } = viewer;
  let lock: LocalPointerLock | undefined;
  let over = false;
  const load = (): void => {
    import('./pointer-lock.js').then(
      (loaded) => {
        if (!over) lock = new loaded.LocalPointerLock(viewer);
      },
      // After a failed load, the next `pointerLock` event tries again.
      () => {
        if (over) return;
        client.once('pointerLock', load);
        onFailure(new NotLoadedError());
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
