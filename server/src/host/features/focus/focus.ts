import type { MakeFeature } from '../feature.js';
import { FocusTelling } from './focus-telling.js';

/** Sends the focused remote field to viewers that request it. A phone then shows its on-screen keyboard. */
export const focus: MakeFeature = ({ devices, users }) => {
  const telling = new FocusTelling(devices, users.roster);
  return {
    useDevices: (next) => telling.use(next),
    usersChanged: () => telling.refresh(),
    viewerLeft: (viewer) => telling.leave(viewer),
    takeMessage: (viewer, message) => {
      if (message.type !== 'focus') return undefined;
      telling.want(viewer, message.on);
      return true;
    },
  };
};
