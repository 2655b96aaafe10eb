import type { MakeFeature } from '../feature.js';
import { ViewportSizes } from './viewport-sizes.js';
import { addSizeCalls } from './size-calls.js';
import { SizeChanges } from './size-changes.js';

/**
 * Changes the size and the pixel ratio of the screen: when a user or a backend calls `resize`, when a
 * viewer's box changes (see {@link ViewportSizes}), and when the first viewer sends its pixel ratio.
 */
export const sizing: MakeFeature = ({ session, calls, users, changeScreen }) => {
  const changes = new SizeChanges(session, changeScreen);
  const boxes = new ViewportSizes(changes, (user) => users.roster.controls(user));
  addSizeCalls(calls, changes, boxes);
  return {
    // The screen of a restarted browser may have an older size.
    useDevices: () => boxes.refill(),
    viewerJoined: (_viewer, { pixelRatio }) => {
      if (pixelRatio !== undefined) changes.follow(pixelRatio).catch(() => undefined);
    },
    viewerLeft: (viewer) => boxes.set(viewer, null),
    rightsChanged: () => boxes.settle(),
    takeMessage: (viewer, message) => {
      const { guard } = viewer.user;
      if (message.type === 'call')
        return message.method === 'resize' && !guard.takesSize() ? false : undefined;
      if (message.type !== 'box') return undefined;
      if (message.box && !guard.takesSize()) return false;
      boxes.set(viewer, message.box);
      return true;
    },
    stop: () => changes.close(),
  };
};
