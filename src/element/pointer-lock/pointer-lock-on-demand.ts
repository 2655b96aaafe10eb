import { LatePart } from '../../core/late-part.js';
import type { Timers } from '../../core/timers.js';
import type { Viewer } from '../../viewer/index.js';
import type * as LockPart from './pointer-lock.js';

/**
 * Locks the local pointer together with the remote one. Few pages lock the pointer, so the code loads when a
 * page locks it for the first time. Returns a function that ends the local lock and ignores later remote
 * locks.
 */
export function lockPointerOnDemand(
  viewer: Viewer,
  onFailure: (error: Error) => void,
  load: () => Promise<typeof LockPart> = () => import('./pointer-lock.js'),
  timers?: Timers,
): () => void {
  const { client } = viewer;
  let part: LatePart<typeof LockPart> | undefined;
  let lock: LockPart.LocalPointerLock | undefined;
  const onLoaded = ({ LocalPointerLock: Lock }: typeof LockPart): void => void (lock = new Lock(viewer));
  const follow = (locked: boolean): void => {
    if (locked) part ??= new LatePart({ load, onLoaded, onFailure }, timers);
  };
  client.on('pointerLock', follow);
  return () => {
    client.off('pointerLock', follow);
    part?.close();
    lock?.close();
  };
}
