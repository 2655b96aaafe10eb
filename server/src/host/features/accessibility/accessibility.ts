import type { MakeFeature } from '../feature.js';
import { AccessibilityService } from './accessibility-service.js';

/** The accessibility tree of the active page, and actions on it: `accessibility.*`. */
export const accessibility: MakeFeature = ({ calls, users, onAct, clock }) => {
  const service = new AccessibilityService(calls, onAct, clock);
  return {
    browserStarted: (browser) => service.use(browser, users.roster),
    browserIsGone: () => service.browserIsGone(),
    rightsChanged: () => service.refresh(),
    stop: () => service.close(),
  };
};
