import type { MakeFeature } from '../feature.js';
import { AccessibilityDesk } from './accessibility-desk.js';

/** The accessibility tree of the active page, and actions on it: `accessibility.*`. */
export const accessibility: MakeFeature = ({ calls, users, onAct, clock }) => {
  const desk = new AccessibilityDesk(calls, onAct, clock);
  return {
    browserStarted: (browser) => desk.use(browser, users.roster),
    browserIsGone: () => desk.browserIsGone(),
    rightsChanged: () => desk.refresh(),
    stop: () => desk.close(),
  };
};
