import type { MakeFeature } from '../feature.js';
import { joinAs } from './programs/agent-user.js';
import { Programs } from './programs/programs.js';

/**
 * Lets programs drive the session over the DevTools protocol. Does nothing if the session was created without
 * `automation`.
 */
export const automation: MakeFeature = ({ session, clock, log, users, endedTokens }) => {
  const settings = session.automation ?? null;
  if (settings === null) return {};
  const programs = new Programs({
    ...{ clock, log },
    join: (client) => joinAs(users.agents, client, settings),
    ...{ masks: session.fieldMasking.length > 0, dark: session.dark },
    endOf: (tokenId) => endedTokens.endOf(tokenId),
  });
  endedTokens.onEnd((tokenId, reason) => programs.tokenEnded(tokenId, reason));
  return {
    get busy() {
      return programs.any;
    },
    browserStarted: (browser) => programs.use(browser),
    browserIsGone: () => programs.browserIsGone(),
    userActed: (_viewer, event) => programs.personActed(event),
    takeProgram: (client, socket) => programs.take(client, socket),
    rightsChanged: () => programs.privacy(users.roster.control.alone !== undefined),
    stop: () => programs.close(),
  };
};
