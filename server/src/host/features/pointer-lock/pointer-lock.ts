import type { MakeFeature } from '../feature.js';

/**
 * Reports to the viewers of users in control when a page locks the pointer. These viewers then lock the local
 * pointer. Their users may also release the lock of the page.
 */
export const pointerLock: MakeFeature = ({ devices: first, users: { roster } }) => {
  let devices = first;
  let isLocked = false;
  const lock = (locked: boolean) => {
    isLocked = devices.sink.locked = locked;
    for (const viewer of roster.viewers())
      if (!locked || roster.controls(viewer.userId)) viewer.send({ type: 'pointer-lock', locked });
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
      if (isLocked && roster.controls(viewer.userId)) viewer.send({ type: 'pointer-lock', locked: true });
    },
    takeMessage: (viewer, { type }) => {
      if (type !== 'leave-pointer-lock') return undefined;
      if (roster.controls(viewer.userId)) devices.pages.pointerLock.leave();
      return true;
    },
  };
};
