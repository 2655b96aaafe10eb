import type { Viewer } from '../../room/viewers/viewer.js';
import type { MakeFeature } from '../feature.js';

/**
 * Reports to the viewers of users in control when a page locks the pointer. These viewers then lock the local
 * pointer. Their users may also release the lock of the page. A viewer whose user loses control releases the
 * local lock.
 */
export const pointerLock: MakeFeature = ({ devices: first, users: { roster } }) => {
  let devices = first;
  let isLocked = false;
  /** Last `locked` value that each connected viewer has received. */
  const told = new Map<Viewer, boolean>();
  const tell = () => {
    for (const [viewer, before] of told) {
      const locked = isLocked && roster.controls(viewer.userId);
      if (locked === before) continue;
      told.set(viewer, locked);
      viewer.send({ type: 'pointer-lock', locked });
    }
  };
  const lock = (locked: boolean) => {
    isLocked = devices.sink.locked = locked;
    tell();
  };
  return {
    useDevices: (next) => {
      devices = next;
      lock(false);
    },
    browserStarted: ({ devices: { pages } }) => {
      pages.pointerLock.onChange = lock;
    },
    viewerJoined: (viewer) => {
      told.set(viewer, false);
      tell();
    },
    viewerLeft: (viewer) => void told.delete(viewer),
    usersChanged: tell,
    takeMessage: (viewer, { type }) => {
      if (type !== 'leave-pointer-lock') return undefined;
      if (roster.controls(viewer.userId)) devices.pages.pointerLock.leave();
      return true;
    },
  };
};
