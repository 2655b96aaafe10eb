import { chromium, type Browser, type BrowserContextOptions } from 'playwright';
import { atEnd, atFailure, type Step } from './cleanup.js';
import { descendants } from './processes.js';
import type { Session } from './service.js';
import { Viewer } from './viewer.js';

/**
 * Debian's Chromium without windows of its own: the same engine, for half the processor time that the whole browser takes
 * from the sessions beside it. As root it needs `--no-sandbox`, which only ever opens this project's own pages.
 */
const LAUNCH_OPTIONS = {
  executablePath: '/usr/lib/chromium/chromium-headless-shell',
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

/** A headless Chromium with all its processes. */
export interface ViewerBrowser {
  browser: Browser;
  /** Stops, continues or ends every process of it. */
  signal(signal: NodeJS.Signals): void;
}

/** Starts a headless Chromium that is closed when the test file is over, or as `end` says. */
export async function launchBrowser(end: (step: Step) => void = atEnd): Promise<ViewerBrowser> {
  const server = await chromium.launchServer(LAUNCH_OPTIONS);
  const { pid } = server.process();
  if (pid === undefined) throw new Error('Chromium did not start.');
  const signal = (name: NodeJS.Signals) => {
    for (const each of [pid, ...descendants(pid).map((process) => process.pid)]) {
      try {
        process.kill(each, name);
      } catch {
        // It ended by itself meanwhile.
      }
    }
  };
  const browser = await chromium.connect(server.wsEndpoint());
  end(async () => {
    // One that was left stopped could not close.
    signal('SIGCONT');
    await browser.close();
    await server.close();
  });
  atFailure(() => seenIn(browser), end);
  return { browser, signal };
}

/** What people would read in the windows of a browser. */
async function seenIn(browser: Browser): Promise<string> {
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
