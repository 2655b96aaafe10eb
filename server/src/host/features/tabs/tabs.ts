import { TabDriver } from '../../browser/bridge/tab-driver.js';
import type { MakeFeature } from '../feature.js';
import { TabCalls } from './tab-calls.js';

/** The tabs of the browser and the dialogs of their pages: `tabs.*` and `dialogs.*`. */
export const tabs: MakeFeature = ({ calls, users }) => {
  const tabCalls = new TabCalls(calls, () => users.control.alone !== undefined);
  return {
    browserStarted: (browser) => {
      const { bridge, devices } = browser;
      const driver = new TabDriver(bridge, devices.pages, (renderer) => browser.endRenderer(renderer));
      tabCalls.use(bridge, driver);
    },
    browserIsGone: () => tabCalls.browserIsGone(),
  };
};
