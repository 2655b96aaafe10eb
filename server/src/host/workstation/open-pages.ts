import type { HostSession } from '../../host-protocol.js';
import { AccessibilityWatch } from '../browser/accessibility/accessibility-watch.js';
import { AndroidEmulation } from '../browser/pages/emulation/android-emulation.js';
import { Bridge } from '../browser/bridge/bridge.js';
import { restoresAtStart } from '../browser/launch/arguments.js';
import type { Chromium } from '../browser/launch/chromium.js';
import { FieldWatch } from '../browser/focus/field-watch.js';
import { readFrameScript } from '../browser/focus/frame-script.js';
import { BrowserFiles } from '../browser/files/browser-files.js';
import { FocusWatch } from '../browser/focus/focus-watch.js';
import { Pages } from '../browser/pages/pages.js';
import { RestoredTabs } from '../browser/pages/start/restored-tabs.js';
import { StartWindow } from '../browser/pages/start/start-window.js';

/**
 * Follows the pages of a browser, sets up the emulation that the session requests, and opens the first page.
 */
export async function openPages(
  session: HostSession,
  scripts: string,
  maxPages: number,
  { cdp, process, restoredTab }: Chromium,
) {
  const emulation = session.userAgent === 'chrome_android' ? await AndroidEmulation.create(cdp) : undefined;
  const { kiosk, touchGestures, fieldMasking } = session;
  const focus = fieldMasking.length > 0 ? await FocusWatch.open(scripts, fieldMasking) : undefined;
  const restored = restoredTab === undefined ? undefined : new RestoredTabs(restoredTab);
  const fields = new FieldWatch(() => readFrameScript(scripts));
  const bridge = new Bridge(cdp);
  const files = new BrowserFiles(cdp, focus, kiosk ? () => bridge.call('hideDownloads') : undefined);
  const setup = { emulation, focus, fields, files, pinch: touchGestures.pinch, kiosk, restored, maxPages };
  const pages = await Pages.follow(cdp, setup);
  const start = new StartWindow(cdp, pages, session, () => void process.stop(), restored);
  if (!restoresAtStart(session)) await start.open();
  const accessibility = new AccessibilityWatch(pages, focus);
  cdp.onEventLost = (event) => {
    if (event.startsWith('Accessibility.')) accessibility.missed();
  };
  return { bridge, emulation, focus, fields, files, pages, start, accessibility };
}
