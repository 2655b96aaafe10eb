import type { MakeFeature } from '../feature.js';
import { SessionRecordings } from './session-recordings.js';

/** Recordings of the session: pictures, sound and events, sent to the service. */
export const recording: MakeFeature = (parts) => {
  const recordings = new SessionRecordings(parts);
  return {
    get busy() {
      // While only the ring is filled, the host may freeze an unused session.
      return recordings.running;
    },
    get listens() {
      return recordings.listens;
    },
    soundCame: (packet) => recordings.sound(packet),
    takeRecordingMessage: (message) => recordings.take(message),
    browserStarted: (browser) => recordings.use(browser),
    browserIsGone: () => recordings.browserIsGone(),
    viewerJoined: (viewer) => recordings.viewerJoined(viewer),
    viewerLeft: ({ userId }, { userIsGone }) => {
      if (userIsGone) recordings.userLeft(userId);
    },
    usersChanged: () => recordings.usersChanged(),
    rightsChanged: () => recordings.applyPrivacy(),
    userActed: ({ userId }, event) => recordings.userActed(userId, event),
    stop: () => recordings.stop(),
  };
};
