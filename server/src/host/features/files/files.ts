import { canUse } from '../../room/users/can-use.js';
import type { MakeFeature } from '../feature.js';
import { addFileCalls } from './file-calls.js';
import { SessionFiles } from './session-files.js';

/** Uploads, downloads, file choosers and prints: the calls `files.*`. */
export const files: MakeFeature = ({ session, calls, users, place, limits, clock, onActivity }) => {
  const { fileBytes, filesBytes } = limits;
  const sessionFiles = new SessionFiles({
    ...{ place, clock, calls, onActivity },
    limits: { perFile: fileBytes, perSession: filesBytes },
    masks: session.fieldMasking.length > 0,
    programMayFetch: () => users.agents.list().some((agent) => canUse(agent, 'file_download')),
    agent: (id) => users.agents.get(id),
  });
  users.agents.onInput = (agent, event) => sessionFiles.agentActed(agent, event);
  addFileCalls(calls, sessionFiles);
  return {
    get busy() {
      return sessionFiles.busy;
    },
    browserStarted: (browser) => sessionFiles.use(browser, users.roster),
    browserIsGone: () => sessionFiles.browserIsGone(),
    rightsChanged: () => void sessionFiles.letDownload(),
    userActed: (viewer, event) => sessionFiles.acted(viewer, event),
    serveFiles: (channel) => sessionFiles.serve(channel),
    stop: () => sessionFiles.close(),
  };
};
