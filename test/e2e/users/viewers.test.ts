import assert from 'node:assert/strict';
import { hold, STRICT } from '../../support/limits.js';
import type { HostedPage } from '../support/hosted-page.js';
import { onlyProcess, processorTime, SESSION_HOST } from '../support/processes.js';
import { psnr } from '../support/psnr.js';
import { RawViewer } from '../support/raw-viewer.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';
import { launchBrowser, openViewer } from '../support/viewers.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
const VEIL = [30, 160, 60] as const;
/** Milliseconds for which the host's processor time is measured. */
const WATCH_MS = STRICT ? 10_000 : 3_000;

let session: Session;
let remote: HostedPage;
let host: number;
test.beforeAll(async ({ service, pages }) => {
  remote = pages.page('motion');
  session = await service.create({ start_url: remote.url, ...SIZE });
  await remote.fills(SIZE);
  host = onlyProcess(service.pid, SESSION_HOST).pid;
});

/** Processor time of the session host over some milliseconds, in percent of one core. */
async function hostShare(watch: number): Promise<number> {
  const before = processorTime(host);
  await new Promise((resolve) => setTimeout(resolve, watch));
  return (100 * (processorTime(host) - before)) / watch;
}

test.describe('a session', { tag: '@timing' }, () => {
  test('without viewers is not captured', async () => {
    await remote.run('move()');
    hold('processor time of a host that nobody watches', await hostShare(WATCH_MS / 2));
  });

  test('with a still screen sends nothing and uses little processor time', async () => {
    const viewer = await RawViewer.open(session);
    await remote.run('rest()');
    await until('the picture is finished', () => {
      const last = viewer.packets.at(-1);
      return last?.refinement && performance.now() - last.at > 1_000;
    });
    let share = Infinity;
    // A browser that has just been started may change its own interface once more.
    await until('nothing is sent for a while', async () => {
      const packets = viewer.packets.length;
      share = await hostShare(WATCH_MS);
      return viewer.packets.length === packets;
    });
    hold('processor time of a host beside a still page', share);
    viewer.close();
  });

  test(
    'looks the same to three viewers, and complete to one who joins late',
    { tag: '@main' },
    async ({ watch }) => {
      await remote.run('move()');
      const viewers = [await watch(session, { viewport: SIZE })];
      viewers.push(await watch(session, { viewport: SIZE }));
      await remote.run('rest()');
      await viewers[0]?.shows(VEIL, 400, 300);

      const asked = performance.now();
      const probe = await RawViewer.open(session);
      const first = await until('the late one gets a frame', () => probe.packets[0]);
      assert.equal(first.keyFrame, true);
      hold('first frame of a late viewer', first.at - asked);
      probe.close();

      viewers.push(await watch(session, { viewport: SIZE }));
      const pictures = [];
      for (const viewer of viewers) {
        await viewer.shows(VEIL, 400, 300);
        await viewer.atRest();
        pictures.push(await viewer.picture());
      }
      const [one, two, three] = pictures;
      assert.ok(one && two && three);
      for (const other of [two, three]) assert.ok(psnr(one, other) > 45, `${psnr(one, other)} dB`);
      for (const viewer of viewers) await viewer.close();
    },
  );
});

test('a viewer that is stopped does not slow down the others, and catches up with the latest picture', async () => {
  // This viewer has its own browser, so the test can stop its processes without stopping the other viewers.
  const stoppable = await launchBrowser();
  const slow = await openViewer(stoppable.browser, session, { viewport: SIZE });
  const other = await RawViewer.open(session);
  await remote.run('move()');
  await until('frames come', () => other.packets.length > 30);

  stoppable.signal('SIGSTOP');
  const start = other.packets.length;
  const since = performance.now();
  await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
  await until('the other one goes on', () => other.packets.length > start + 60, 60_000);
  const { length } = other.packets;
  note(`the other one got ${((1_000 * (length - start)) / (performance.now() - since)).toFixed(1)} frames/s`);
  const whole = other.packets.slice(start).filter(({ keyFrame }) => keyFrame).length;
  assert.ok(whole <= 2, `${whole} key frames for a viewer that needs none`);

  await remote.run('rest()');
  await until('the picture is finished', () => other.packets.at(-1)?.refinement);
  stoppable.signal('SIGCONT');
  const resumed = performance.now();
  await slow.shows(VEIL, 400, 300);
  note(`it caught up after ${(performance.now() - resumed).toFixed(0)} ms`);
  assert.equal(await slow.state(), 'playing');
  other.close();
});
