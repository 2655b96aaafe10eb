import assert from 'node:assert/strict';
import { median } from '../../bench/statistics.js';
import { zip } from '../../fakes/zip.js';
import { CHROMIUM_MAIN, descendants, sessionProcesses, stillAlive } from '../support/processes.js';
import { askSession } from '../support/ask-session.js';
import type { HostedPage } from '../support/hosted-page.js';
import type { PageServer } from '../support/page-server.js';
import { Service, type Session } from '../support/service.js';
import { warmBrowserMetrics, warmBrowsersReady } from '../support/warm-browser-metrics.js';
import { hold } from '../../support/limits.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
// Isolation must hold every time, so these tests are not retried.
test.describe.configure({ retries: 0 });

/** Number of consecutive sessions that must not see each other's data. */
const SESSIONS = Number(process.env['WARM_BROWSER_SESSIONS'] ?? 5);

/** Number of sessions for the median. */
const STARTS = 5;

const SETTINGS = {
  kiosk: true,
  dark: true,
  locale: { language: 'de-DE, en', country: 'DE' },
  search_engine: 'brave',
  width: 800,
  height: 600,
};

/** Leaves a trace of every kind, and returns the traces that it found. */
const TRACES = `(async () => {
  const found = [];
  const note = (kind, there) => { if (there) found.push(kind); };
  note('cookie', document.cookie !== '');
  note('local storage', localStorage.length > 0);
  note('session storage', sessionStorage.length > 0);
  note('database', (await indexedDB.databases()).length > 0);
  note('cache', (await caches.keys()).length > 0);
  note('service worker', (await navigator.serviceWorker.getRegistrations()).length > 0);
  note('file', (await Array.fromAsync((await navigator.storage.getDirectory()).keys())).length > 0);
  note('way back', navigation.canGoBack || navigation.entries().length > 1);
  note('window name', window.name !== '');
  note('extension', document.documentElement.dataset.extension !== undefined);
  document.cookie = 'trace=1; max-age=86400';
  localStorage.trace = sessionStorage.trace = window.name = 'trace';
  await new Promise((done) => { indexedDB.open('trace').onsuccess = done; });
  await caches.open('trace');
  await (await navigator.storage.getDirectory()).getFileHandle('trace', { create: true });
  await navigator.serviceWorker.register('passing-worker.js');
  return found;
})()`;

const EXTENSION = zip([
  {
    name: 'manifest.json',
    content: JSON.stringify({
      ...{ manifest_version: 3, name: 'Trace', version: '1' },
      content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['content.js'], run_at: 'document_start' }],
    }),
  },
  { name: 'content.js', content: 'document.documentElement.dataset.extension = "trace"' },
]);

/** Resolves to the value of a page's promise. */
async function answer(page: HostedPage, expression: string): Promise<unknown> {
  await page.run(`void (${expression}).then((value) => { globalThis.answer = JSON.stringify(value); })`);
  return JSON.parse(String(await until('the page answers', () => page.run('globalThis.answer'))));
}

test.describe('a warm browser', () => {
  let service: Service;
  test.beforeEach(async () => {
    service = await Service.start({ WARM_BROWSERS: '1' });
  });

  /** Makes the service keep a warm browser for sessions like this. */
  async function warm(parameters: Record<string, unknown>): Promise<void> {
    await service.end(await service.create({ ...parameters, start_url: 'about:blank' }));
    await warmBrowsersReady(service);
  }

  /** Shows a page in a session without a kiosk that gets a warm browser. */
  async function warmTabs(pages: PageServer): Promise<{ page: HostedPage; session: Session }> {
    const tabs = { kiosk: false, width: 800, height: 600 };
    await warm(tabs);
    const page = pages.page('marker');
    const session = await service.create({ ...tabs, start_url: page.url });
    assert.equal((await warmBrowserMetrics(service)).hits, 1);
    await page.loaded();
    return { page, session };
  }

  test('becomes the browser of the next session, with all its settings', async ({ pages }) => {
    await warm({ ...SETTINGS, fps: 60 });
    const waiting = descendants(service.pid).filter(({ command }) => CHROMIUM_MAIN.test(command));
    assert.equal(waiting.length, 1);
    const page = pages.page('marker');
    const session = await service.create({
      ...SETTINGS,
      start_url: page.url,
      width: 641,
      height: 481,
      fps: 24,
    });
    await page.fills({ width: 641, height: 481 });
    const running = descendants(service.pid).filter(({ command }) => CHROMIUM_MAIN.test(command));
    assert.ok(
      running.some(({ pid }) => pid === waiting[0]?.pid),
      'it is that browser',
    );
    assert.equal((await warmBrowserMetrics(service)).hits, 1);
    const seen = await page.run(`[
      navigator.languages.join(), Intl.DateTimeFormat().resolvedOptions().timeZone,
      matchMedia('(prefers-color-scheme: dark)').matches, document.hasFocus(), document.referrer,
      screen.width, screen.height, devicePixelRatio, navigation.canGoBack, document.visibilityState,
    ]`);
    const expected = ['de-DE,en', 'Europe/Berlin', true, true, '', 641, 481, 1, false, 'visible'];
    assert.deepEqual(seen, expected);
    assert.match(String(page.headers['accept-language']), /^de-DE/);
    assert.equal(page.headers['sec-fetch-site'], 'none', 'as if a person had entered it');
    // 48 frames take 0.8 s at 60 Hz, and at least 1.9 s at the requested 24 Hz.
    const frames = `new Promise((done) => { let left = 48; const start = performance.now();
      const next = () => left-- > 0 ? requestAnimationFrame(next) : done(performance.now() - start);
      requestAnimationFrame(next); })`;
    assert.ok(Number(await answer(page, frames)) > 1_500, 'the page paints at the requested rate');
    await service.end(session);
  });

  test('gives the keyboard to the page, not to the address bar', async ({ pages, watch }) => {
    const { page, session } = await warmTabs(pages);
    const viewer = await watch(session);
    await viewer.page.keyboard.press('a');
    await page.event('a');
    await service.end(session);
  });

  test('has no earlier page in its history', async ({ pages }) => {
    const { session } = await warmTabs(pages);
    const [tab] = (await askSession(session, 'POST', 'tabs.query', [{}])) as { id: number }[];
    await assert.rejects(askSession(session, 'POST', 'tabs.goBack', [tab?.id]), /history/);
    await service.end(session);
  });

  test('that dies does not disturb the next session', async ({ pages }) => {
    await warm(SETTINGS);
    const [waiting] = descendants(service.pid).filter(({ command }) => CHROMIUM_MAIN.test(command));
    assert.ok(waiting);
    process.kill(waiting.pid, 'SIGKILL');
    const page = pages.page('marker');
    const session = await service.create({ ...SETTINGS, start_url: page.url });
    await page.fills(SETTINGS);
    await service.end(session);
  });

  test('ends with the service', async () => {
    await warm(SETTINGS);
    const waiting = sessionProcesses(service.pid);
    assert.ok(waiting.length > 5);
    process.kill(service.pid, 'SIGTERM');
    const { code } = await service.process.exited;
    assert.equal(code, 0);
    assert.deepEqual(stillAlive(waiting), []);
  });

  test('never shows a session data of an earlier one', async ({ pages }) => {
    test.setTimeout(SESSIONS * 60_000);
    await warm(SETTINGS);
    for (let number = 1; number <= SESSIONS; number++) {
      await warmBrowsersReady(service);
      const page = pages.page('marker');
      const session = await service.create({ ...SETTINGS, start_url: page.url });
      await page.loaded();
      assert.deepEqual(await answer(page, TRACES), [], `session ${number}`);
      await service.end(session);
      if (number % 5 !== 3) continue;
      const extended = pages.page('marker');
      const cold = await service.createWith(EXTENSION, { ...SETTINGS, start_url: extended.url });
      await extended.loaded();
      assert.deepEqual(await answer(extended, TRACES), ['extension'], `session ${number}`);
      await service.end(cold);
    }
    const { hits } = await warmBrowserMetrics(service);
    assert.equal(hits, SESSIONS);
  });

  test('@timing shows the page of a session within the limit', async ({ pages }) => {
    test.setTimeout(STARTS * 60_000);
    await warm(SETTINGS);
    const [created, loaded]: [number[], number[]] = [[], []];
    for (let start = 0; start < STARTS; start++) {
      await warmBrowsersReady(service);
      const page = pages.page('marker');
      const asked = performance.now();
      const session = await service.create({ ...SETTINGS, start_url: page.url });
      created.push(performance.now() - asked);
      await until('the page is loaded', () => page.loads > 0);
      loaded.push(performance.now() - asked);
      await service.end(session);
    }
    hold('a session is created for a browser that waits, median', median(created));
    hold('a browser that waits has the page of its session, median', median(loaded));
  });
});

test('a service without room for warm browsers starts none', async ({ pages }) => {
  const service = await Service.start({ WARM_BROWSERS: '0' });
  const page = pages.page('marker');
  const session = await service.create({ start_url: page.url });
  await page.loaded();
  await service.end(session);
  await until('all is gone', () => sessionProcesses(service.pid).length === 0);
  const { ready, hits, misses } = await warmBrowserMetrics(service);
  assert.deepEqual({ ready, hits, misses }, { ready: 0, hits: 0, misses: {} });
});
