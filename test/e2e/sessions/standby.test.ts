import assert from 'node:assert/strict';
import { once } from 'node:events';
import WebSocket from 'ws';
import { askSession } from '../support/ask-session.js';
import type { HostedPage } from '../support/hosted-page.js';
import { CHROMIUM_MAIN, onlyProcess, sessionProcesses, stillAlive } from '../support/processes.js';
import { RawViewer } from '../support/raw-viewer.js';
import { Service, type Session } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
/** Milliseconds between two numbers of the page. */
const TICK_MS = 20;
/** Number of requests while the page stands still. Together they take much longer than a tick. */
const QUESTIONS = 30;

let service: Service;
test.beforeAll(async () => {
  service = await Service.start({ STANDBY_SECONDS: '1' });
});

/** Starts a session whose page counts, and reports each number. */
async function start(
  page: HostedPage,
  parameters: Record<string, unknown> = {},
  on = service,
): Promise<Session> {
  const session = await on.create({ start_url: page.url, standby: true, ...SIZE, ...parameters });
  // The viewer keeps the session from standby until the page counts.
  const viewer = await RawViewer.open(session);
  await page.loaded();
  const count = `let ticks = 0; setInterval(() => report({ ticks: ++ticks }), ${TICK_MS})`;
  await page.run(count);
  viewer.close();
  return session;
}

const inStandby = async (session: Session, on = service) => (await on.view(session))['standby'] === true;

async function frozen(session: Session, on = service): Promise<void> {
  await until('the session is in standby', () => inStandby(session, on));
}

/** Asserts that the page does not count while the service answers questions about its session. */
async function standsStill(session: Session, page: HostedPage): Promise<number> {
  return until('the page counts no more', async () => {
    // A report may have been on its way when the page was frozen. Such reports end soon.
    const ticks = Number(page.state['ticks']);
    for (let asked = 0; asked < QUESTIONS; asked++) assert.equal(await inStandby(session), true);
    return page.state['ticks'] === ticks && ticks;
  });
}

const counts = (page: HostedPage, from: number) =>
  page.until('the page counts', ({ ticks }) => Number(ticks) > from);

test.describe('standby', () => {
  // Proves: standby
  test('stops the page when nobody is there, until a viewer joins', async ({ pages }) => {
    const page = pages.page('marker');
    const session = await start(page);
    await frozen(session);
    const ticks = await standsStill(session, page);
    const began = performance.now();
    const viewer = await RawViewer.open(session);
    await until('the viewer gets a picture', () => viewer.packets.length > 0);
    note(`picture after ${(performance.now() - began).toFixed(0)} ms`);
    assert.equal(await inStandby(session), false);
    await counts(page, ticks);
    viewer.close();
    await frozen(session);
    await service.end(session);
  });

  test('ends for a call of a backend, which is answered as usual', async ({ pages }) => {
    const page = pages.page('marker');
    const session = await start(page);
    await frozen(session);
    const ticks = Number(page.state['ticks']);
    const tabs = await askSession(session, 'POST', 'tabs.query', [{}]);
    assert.match(JSON.stringify(tabs), /marker\.html/);
    await counts(page, ticks);
    await frozen(session);
    const began = performance.now();
    const [base = ''] = session.embed_url.split('?');
    const headers = { authorization: `Bearer ${session.admin_token}` };
    const picture = await fetch(`${base}/screenshot`, { headers });
    note(`screenshot after ${(performance.now() - began).toFixed(0)} ms`);
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png']);
    await picture.body?.cancel();
    await service.end(session);
  });

  test('ends for a program that drives the browser, and stays away while it is connected', async ({
    pages,
  }) => {
    const page = pages.page('marker');
    const session = await start(page, { automation: true });
    await frozen(session);
    const ticks = Number(page.state['ticks']);
    const program = new WebSocket(session.cdp_url ?? '');
    const answer = once(program, 'message');
    await once(program, 'open');
    program.send(JSON.stringify({ id: 1, method: 'Browser.getVersion' }));
    assert.match(String((await answer)[0]), /Chrome/);
    await counts(page, ticks);
    // Another session of the same age is frozen meanwhile.
    const other = await start(pages.page('marker'));
    await frozen(other);
    assert.equal(await inStandby(session), false);
    program.close();
    await frozen(session);
    await Promise.all([session, other].map((one) => service.end(one)));
  });

  test('is off by default, and while a viewer watches', async ({ pages }) => {
    const page = pages.page('marker');
    const usual = await service.create({ start_url: page.url, ...SIZE });
    await page.loaded();
    const [watched, other] = [pages.page('marker'), pages.page('marker')];
    const seen = await start(watched);
    const viewer = await RawViewer.open(seen);
    // Of three sessions of the same age, only the one that nobody watches is frozen.
    const unseen = await start(other);
    await frozen(unseen);
    assert.deepEqual([await inStandby(usual), await inStandby(seen)], [false, false]);
    viewer.close();
    await Promise.all([usual, seen, unseen].map((session) => service.end(session)));
  });

  test('saves the profile of a session that is deleted meanwhile', async ({ pages }) => {
    const page = pages.page('marker');
    const session = await start(page, { profile: true });
    await page.run('document.cookie = "login=kept; max-age=86400"');
    await frozen(session);
    const parts = sessionProcesses(service.pid);
    await service.end(session);
    assert.equal(stillAlive(parts).length, 0);
    const second = await service.create({ start_url: page.url, profile: { load: session.session_id } });
    await page.loaded(2);
    assert.match(String(await page.run('document.cookie')), /login=kept/);
    await service.end(second);
  });

  test('does not stop the time limits of the session', async ({ pages }) => {
    const session = await start(pages.page('marker'), { timeout: { offline: 8, warning: null } });
    await frozen(session);
    await until('the session has ended', async () => (await service.view(session))['state'] === 'ended');
    assert.equal((await service.view(session))['termination_reason'], 'offline');
  });

  test('notices a browser that was killed meanwhile when somebody comes', async ({ pages }) => {
    const page = pages.page('marker');
    const session = await start(page);
    await frozen(session);
    process.kill(onlyProcess(service.pid, CHROMIUM_MAIN).pid, 'SIGKILL');
    const viewer = await RawViewer.open(session);
    await page.loaded(2);
    viewer.close();
    await service.end(session);
  });
});

test('a service that is killed while a session is in standby leaves no process behind', async ({ pages }) => {
  const other = await Service.start({ STANDBY_SECONDS: '1' });
  const page = pages.page('marker');
  const session = await start(page, {}, other);
  await frozen(session, other);
  const parts = sessionProcesses(other.pid);
  assert.ok(parts.length > 0);
  other.process.kill();
  await until('nothing of it is left', () => stillAlive(parts).length === 0);
});

test('standby of a session without a control group stops and continues the browser by signals', async ({
  pages,
}) => {
  test.skip(process.getuid?.() !== 0, 'Root hides the control groups.');
  const hidden = ['unshare', '--mount', 'sh', '-c', 'umount -a -t cgroup2,cgroup; exec "$@"', 'sh'];
  const directory = await Service.makeDirectory();
  const other = await Service.startIn(directory, { STANDBY_SECONDS: '1' }, undefined, hidden);
  const page = pages.page('marker');
  const session = await start(page, {}, other);
  await frozen(session, other);
  const state = () => onlyProcess(other.pid, CHROMIUM_MAIN).field('State');
  assert.match(state(), /^T/);
  const viewer = await RawViewer.open(session);
  await until('the viewer gets a picture', () => viewer.packets.length > 0);
  assert.doesNotMatch(state(), /^T/);
  viewer.close();
  await frozen(session, other);
  const parts = sessionProcesses(other.pid);
  await other.end(session);
  assert.equal(stillAlive(parts).length, 0);
});
