import { chromium, type Browser, type BrowserContextOptions } from 'playwright';
import { atEnd } from './cleanup.js';
import type { Session } from './service.js';
import { Viewer } from './viewer.js';

/** Debian's Chromium; as root it needs `--no-sandbox`, which only ever opens this project's own pages. */
export const LAUNCH_OPTIONS = {
  executablePath: '/usr/lib/chromium/chromium',
  chromiumSandbox: process.getuid?.() !== 0,
  args: [
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--password-store=basic',
    '--no-first-run',
    // As in hosted browsers, so that pictures can be compared.
    '--disable-lcd-text',
    '--force-device-scale-factor=1',
  ],
};

/** A headless Chromium that is closed when the test file is over. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch(LAUNCH_OPTIONS);
  atEnd(() => browser.close());
  return browser;
}

/** Opens a session's embed URL as a page, in a window of its own with the size of the remote screen. */
export async function openViewer(
  browser: Browser,
  session: Pick<Session, 'embed_url'>,
  options: BrowserContextOptions = {},
): Promise<Viewer> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  const page = await context.newPage();
  const viewer = new Viewer(page);
  await page.goto(session.embed_url);
  await viewer.playing();
  return viewer;
}
