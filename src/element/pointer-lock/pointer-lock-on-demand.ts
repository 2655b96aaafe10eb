import { NotLoadedError } from '../../core/late-part.js';
import type { Viewer } from '../../viewer/index.js';
import type * as LockPart from './pointer-lock.js';

/**
 * Locks the local pointer together with the remote one. Few pages lock the pointer, so the code loads when a
 * page locks it. Reports only the first failure. Returns a function that ends the local lock and ignores
 * later remote locks.
 */
export function lockPointerOnDemand(
  viewer: Viewer,
  onFailure: (error: Error) => void,
  load: () => Promise<typeof LockPart> = () => import('./pointer-lock.js'),
): () => void {
  const { client } = viewer;
  let lock: LockPart.LocalPointerLock | undefined;
  let [over, loading, reported] = [false, false, false];
  const follow = (locked: boolean): void => {
    if (!locked || loading) return;
    loading = true;
    load().then(
      (loaded) => {
        if (!over) lock = new loaded.LocalPointerLock(viewer);
      },
      () => {
        // The next lock tries again.
        loading = false;
        if (over || reported) return;
        reported = true;
        onFailure(new NotLoadedError());
      },
    );
  };
  client.on('pointerLock', follow);
  return () => {
    over = true;
    client.off('pointerLock', follow);
    lock?.close();
  };
}
