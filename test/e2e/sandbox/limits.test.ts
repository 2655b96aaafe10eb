import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { askSession } from '../support/ask-session.js';
import type { HostedPage } from '../support/hosted-page.js';
import type { PageServer } from '../support/page-server.js';
import { CHROMIUM_MAIN, descendants, sessionProcesses } from '../support/processes.js';
import { RawViewer } from '../support/raw-viewer.js';
import { Service, type Session } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

test.describe.configure({ retries: 0 });
cleanUpAtEnd();

const SIZE = { width: 640, height: 480 };
const MEMORY_MB = 600;
const PROCESSES = 250;
const DISK_MB = 64;
const TABS = 3;
const VIEWERS = 2;
/** Time limit for a page to reach its limit on a busy machine. */
const LIMIT_MS = 60_000;
const PIECE = 'const piece = new Uint8Array(16 << 20); piece.fill(1); kept.push(piece);';
const TAKE_MEMORY = `globalThis.kept = []; setInterval(() => { ${PIECE} }, 20); 0`;
/** Takes more than the limit at once. A session ends only if its pages reach the limit often. */
const TAKE_MEMORY_AT_ONCE = `globalThis.kept = new Uint8Array(${MEMORY_MB} << 20).fill(1); 0`;
const START_WORKERS = `
  const idle = URL.createObjectURL(new Blob(['onmessage = () => {}']));
  globalThis.kept = Array.from({ length: 600 }, () => new Worker(idle)); 0`;
const FILL_DISK = `(async () => {
  const root = await navigator.storage.getDirectory();
  for (let number = 0; number < 40; number++) {
    const file = await (await root.getFileHandle('hog' + number, { create: true })).createWritable();
    await file.write(crypto.getRandomValues(new Uint8Array(65536)).buffer);
    await file.write({ type: 'write', position: 65536, data: new Uint8Array(8 << 20).fill(7) });
    await file.close();
  }
})(); 0`;

let service: Service;
let neighbour: HostedPage;
let beside: RawViewer;

test.beforeAll(async ({ pages }) => {
  service = await Service.start({
    SESSION_MEMORY_MB: `${MEMORY_MB}`,
    SESSION_PROCESSES: `${PROCESSES}`,
    SESSION_DISK_MB: `${DISK_MB}`,
    SESSION_TABS: `${TABS}`,
    SESSION_VIEWERS: `${VIEWERS}`,
  });
  neighbour = pages.page('motion');
  beside = await RawViewer.open(await service.create({ start_url: neighbour.url, ...SIZE, fps: 24 }));
  await neighbour.loaded();
});

/** Asserts that the neighbour's page answers, and that its viewer receives pictures and no notice. */
async function neighbourIsWell(): Promise<void> {
  const seen = beside.packets.length;
  await neighbour.run('1');
  await until('the neighbour has more pictures', () => beside.packets.length > seen + 10);
  assert.equal(neighbour.loads, 1);
  assert.deepEqual(beside.messages.filter(isNotice), []);
}

interface Hog {
  session: Session;
  page: HostedPage;
  viewer: RawViewer;
}

async function begin(pages: PageServer): Promise<Hog> {
  const page = pages.page('marker');
  const session = await service.create({ start_url: page.url, ...SIZE, fps: 24, kiosk: false });
  await page.loaded();
  return { session, page, viewer: await RawViewer.open(session) };
}

const isNotice = ({ type }: { type: string }) => type === 'notice';
const notices = ({ viewer }: Hog): string[] =>
  viewer.messages.flatMap((message) => (message.type === 'notice' ? message.kind : []));
const pageWasEnded = (hog: Hog) => notices(hog).includes('page-ended');

/** Private memory of all processes below the service, in MB. */
const usedMb = (): number =>
  sessionProcesses(service.pid).reduce(
    (sum, { field }) => sum + Number.parseInt(field('RssAnon') || '0'),
    0,
  ) / 1024;

/** Runs a script in the page that may crash the page before it answers. */
function unleash(page: HostedPage, script: string): void {
  page.run(script).catch(() => undefined);
}

async function runs({ session }: Hog): Promise<void> {
  assert.equal((await service.view(session))['state'], 'running');
}

async function endedBecauseOfLimit({ session, viewer }: Hog): Promise<void> {
  const view = await until(
    'the session has ended',
    async () => {
      const seen = await service.view(session);
      return seen['state'] === 'ended' && seen;
    },
    LIMIT_MS,
  );
  assert.equal(view['termination_reason'], 'resource_limit');
  await until('its viewer is told', () => viewer.closed);
  assert.equal(viewer.closed?.reason, 'resource_limit');
}

test.describe('a session whose page', () => {
  // Proves: memory, processes, disk and tabs of one session
  test('uses memory without limit loses that page and continues', async ({ pages }) => {
    const hog = await begin(pages);
    const [before, began] = [usedMb(), performance.now()];
    let most = before;
    unleash(hog.page, TAKE_MEMORY);
    await until(
      'the page is ended',
      () => {
        most = Math.max(most, usedMb());
        return pageWasEnded(hog) || hog.viewer.closed;
      },
      LIMIT_MS,
    );
    note(
      `${(most - before).toFixed(0)} MB more at most with a limit of ${MEMORY_MB}, ended after ${(performance.now() - began).toFixed(0)} ms`,
    );
    assert.ok(most - before < MEMORY_MB * 1.5, `${most - before} MB`);
    await runs(hog);
    await service.show(hog.session, hog.page.url);
    await hog.page.loaded(2);
    await neighbourIsWell();
    await service.end(hog.session);
  });

  test('uses too much memory again and again ends with its reason', async ({ pages }) => {
    // Six pages take too much, one after the other. On a busy machine each takes up to 20 s.
    test.slow();
    const hog = await begin(pages);
    const isOver = () => hog.viewer.closed !== undefined;
    for (let round = 1; !isOver() && round < 10; round++) {
      unleash(hog.page, TAKE_MEMORY_AT_ONCE);
      await until(
        'the page is ended',
        () => notices(hog).filter((kind) => kind === 'page-ended').length >= round || isOver(),
        LIMIT_MS,
      );
      if (isOver()) break;
      await service.show(hog.session, hog.page.url).catch(() => undefined);
      await until('the page is there again', () => hog.page.loads > round || isOver());
    }
    await endedBecauseOfLimit(hog);
    await neighbourIsWell();
  });

  test('starts threads without limit loses that page and continues', async ({ pages }) => {
    const hog = await begin(pages);
    unleash(hog.page, START_WORKERS);
    // The service ends the page, or the kernel refuses another thread first. On a busy machine Chromium can
    // need more than 12 s to begin the threads. Then it does not answer meanwhile, and is started again.
    const ends = ['page-ended', 'page-crashed', 'browser-hung'];
    const ended = () => notices(hog).some((kind) => ends.includes(kind));
    await until('the page is ended', ended, LIMIT_MS);
    await runs(hog);
    await neighbourIsWell();
    await service.end(hog.session);
  });

  // Proves: memory, processes, disk and tabs of one session
  test('fills the disk ends with its reason', async ({ pages }) => {
    const hog = await begin(pages);
    unleash(hog.page, FILL_DISK);
    await endedBecauseOfLimit(hog);
    await neighbourIsWell();
  });

  test('opens connections without limit has only as many descriptors as a browser needs', async ({
    pages,
  }) => {
    const hog = await begin(pages);
    for (const { pid } of descendants(service.pid).filter(({ command }) => CHROMIUM_MAIN.test(command)))
      assert.match(readFileSync(`/proc/${pid}/limits`, 'utf8'), /^Max open files +8192 +8192 /m);
    const opens = `
      const to = location.origin.replace('http', 'ws') + '/nothing';
      globalThis.sockets = Array.from({ length: 250 }, () => new WebSocket(to));
      globalThis.channels = Array.from({ length: 5000 }, () => new MessageChannel()); 0`;
    assert.equal(await hog.page.run(opens), 0);
    await hog.page.run('1');
    await runs(hog);
    await neighbourIsWell();
    await service.end(hog.session);
  });
});

test.describe('a session', () => {
  // Proves: memory, processes, disk and tabs of one session
  test('opens no more tabs than the limit, by calls or by pages', async ({ pages }) => {
    const hog = await begin(pages);
    const create = () => askSession(hog.session, 'POST', 'tabs.create', [{ url: 'about:blank' }]);
    for (let tabs = 1; tabs < TABS; tabs++) await create();
    await assert.rejects(create(), /err_too_many_tabs/);
    await askSession(hog.session, 'POST', 'tabs.query', [{}]).then((tabs) => {
      assert.equal((tabs as unknown[]).length, TABS);
    });
    await service.end(hog.session);
  });

  test('admits no more viewers than the limit, and gives the others the reason', async ({ pages }) => {
    const hog = await begin(pages);
    await RawViewer.open(hog.session);
    const third = await RawViewer.knock(hog.session);
    assert.equal(third.closed?.reason, 'full');
    assert.match(third.closed.message, /at most 2 viewers/);
    await service.end(hog.session);
  });

  test('has its processes killed in order: renderers, browser, host', async ({ pages }) => {
    const hog = await begin(pages);
    const score = (pid: number) => Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8'));
    const scores = (sought: RegExp) =>
      sessionProcesses(service.pid)
        .filter(({ command }) => sought.test(command))
        .map(({ pid }) => score(pid));
    // A browser resets its score when it starts. The host sets it again at its next check.
    const inOrder = () => Math.min(...scores(CHROMIUM_MAIN)) > Math.max(...scores(/host\/main\.js/));
    await until('the browser has its score', inOrder);
    const [renderers, browsers, hosts] = [/--type=renderer/, CHROMIUM_MAIN, /host\/main\.js/].map(scores);
    note(`renderers ${renderers?.join()}; browsers ${browsers?.join()}; hosts ${hosts?.join()}`);
    assert.ok(
      renderers && browsers && hosts && renderers.length > 0 && browsers.length > 0 && hosts.length > 0,
    );
    assert.ok(Math.min(...renderers) > Math.max(...browsers));
    assert.ok(Math.min(...browsers) > Math.max(...hosts));
    assert.ok(Math.min(...hosts) > score(service.pid));
    await service.end(hog.session);
  });
});
