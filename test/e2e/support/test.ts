import { test as base, type Browser, type BrowserContextOptions } from '@playwright/test';
import { atEachEnd, atFailure, Cleanup, endFile, evidence } from './cleanup.js';
import type { HostedPage } from './hosted-page.js';
import { PageServer } from './page-server.js';
import { Service, type Session } from './service.js';
import type { Viewer } from './viewer.js';
import { openViewer, textOfWindows } from './viewers.js';

/** Opens a session's embed URL in a window that closes with the test at the latest. */
type Watch = (session: Pick<Session, 'embed_url'>, options?: BrowserContextOptions) => Promise<Viewer>;

/**
 * Creates a session that shows a page of test/e2e/pages, by default on the shared service. Resolves when the
 * page is loaded. The session ends with the test at the latest.
 */
type Show = (
  page: string,
  parameters?: Record<string, unknown>,
  on?: Service,
) => Promise<{ remote: HostedPage; session: Session }>;

interface WorkerFixtures {
  /**
   * A service with default settings, which all files of a worker share: one takes seconds to start. The
   * sessions of a file end with the file. A file that stops its service, or reads the service's stored data,
   * starts its own.
   */
  service: Service;
  /** Serves the hosted pages. */
  pages: PageServer;
}

/**
 * The runner's `test` with the shared fixtures. `browser` is the users' browser: its windows close with the
 * file.
 */
export const test = base.extend<{ watch: Watch; show: Show }, WorkerFixtures>({
  browser: [
    async ({ browser }, use) => {
      await during(async (cleanup) => {
        atEachEnd(() => closeWindows(browser), cleanup.add);
        atFailure('windows', () => textOfWindows(browser), cleanup.add);
        await use(browser);
      });
    },
    { scope: 'worker' },
  ],
  service: [
    async ({}, use) => {
      await during(async (cleanup) => {
        const service = await Service.start({}, cleanup.add);
        atEachEnd(() => service.endAll(), cleanup.add);
        await use(service);
      });
    },
    { scope: 'worker' },
  ],
  pages: [
    async ({}, use) => {
      await during(async (cleanup) => use(await PageServer.start(cleanup.add)));
    },
    { scope: 'worker' },
  ],
  watch: async ({ browser }, use) => {
    await during(async (cleanup) => {
      await use(async (session, options) => {
        const viewer = await openViewer(browser, session, options);
        // After a failure the window stays open: its content is attached to the failure at the end of the
        // file.
        cleanup.add(() => test.info().errors.length === 0 && viewer.close());
        return viewer;
      });
    });
  },
  show: async ({ service, pages }, use) => {
    await during(async (cleanup) => {
      await use(async (name, parameters, on = service) => {
        const remote = pages.page(name);
        const session = await on.create({ start_url: remote.url, ...parameters });
        // After a failure the session goes on, so that its window stays as it is.
        cleanup.add(() => test.info().errors.length === 0 && on.process.running && on.end(session));
        await remote.loaded();
        return { remote, session };
      });
    });
  },
});

async function during(body: (cleanup: Cleanup) => Promise<void>): Promise<void> {
  const cleanup = new Cleanup();
  try {
    await body(cleanup);
  } finally {
    await cleanup.run();
  }
}

async function closeWindows(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/**
 * Call this once, at the top of a test file. After a failure the runner ends the worker, so the clean-up also
 * attaches the logs of services and the texts of windows to the failed test.
 */
export function cleanUpAtEnd(): void {
  test.afterAll(async () => {
    const info = test.info();
    if (info.errors.length > 0) {
      for (const { name, text } of await evidence())
        await info.attach(name, { body: text, contentType: 'text/plain' });
    }
    await endFile();
  });
}

/** Notes a measured value beside the result of the test that runs. */
export function note(text: string): void {
  test.info().annotations.push({ type: 'note', description: text });
}
