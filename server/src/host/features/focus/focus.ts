import type { MakeFeature } from '../feature.js';
import { FocusReporter } from './focus-reporter.js';

/** Sends the focused remote field to viewers that request it. A phone then shows its on-screen keyboard. */
export const focus: MakeFeature = ({ devices, users }) => {
  const reporter = new FocusReporter(devices, users.roster);
  return {
    useDevices: (next) => reporter.use(next),
    usersChanged: () => reporter.refresh(),
    viewerLeft: (viewer) => reporter.leave(viewer),
    takeMessage: (viewer, message) => {
      if (message.type !== 'focus') return undefined;
      reporter.subscribe(viewer, message.on);
      return true;
    },
  };
};
