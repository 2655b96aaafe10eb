import { chromium, type Browser, type BrowserContextOptions } from '@playwright/test';
import { atEnd, atFailure, type End } from './cleanup.js';
import { LAUNCH_OPTIONS } from './launch-options.js';
import { descendants } from './processes.js';
import type { Session } from './service.js';
import { Viewer } from './viewer.js';

/** A headless Chromium with all its processes. */
export interface ViewerBrowser {
  browser: Browser;
  /** Stops, continues or ends every process of it. */
  signal(signal: NodeJS.Signals): void;
}

/**
 * Starts a headless Chromium. The clean-up is registered with `end`, by default for the end of the test file.
 */
export async function launchBrowser(end: End = atEnd): Promise<ViewerBrowser> {
  const server = await chromium.launchServer(LAUNCH_OPTIONS);
  const { pid } = server.process();
  if (pid === undefined) throw new Error('Chromium did not start.');
  const signal = (name: NodeJS.Signals) => {
    for (const each of [pid, ...descendants(pid).map((process) => process.pid)]) {
      try {
        process.kill(each, name);
      } catch {
        // The process ended by itself in the meantime.
      }
    }
  };
  const browser = await chromium.connect(server.wsEndpoint());
  end(async () => {
    // A browser that a test left stopped could not close.
    signal('SIGCONT');
    await browser.close();
    await server.close();
  });
  atFailure('windows', () => textOfWindows(browser), end);
  return { browser, signal };
}

/** Returns the visible text in the windows of a browser. */
export async function textOfWindows(browser: Browser): Promise<string> {
  const pages = browser.contexts().flatMap((context) => context.pages());
  const texts = pages.map(async (page) => {
    const text = await page
      .locator('body')
      .innerText({ timeout: 1_000 })
      .catch((error: unknown) => String(error));
    return `A window shows ${page.url()}:\n${text.replace(/\s+/g, ' ').slice(0, 1_000)}`;
  });
  return (await Promise.all(texts)).join('\n');
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
