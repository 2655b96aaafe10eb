import assert from 'node:assert/strict';
import { deliveredRate } from './support/delivered-rate.js';
import { RawViewer } from './support/raw-viewer.js';
import { cleanUpAtEnd, note, test } from './support/test.js';
import { until } from './support/until.js';

cleanUpAtEnd();

const SIZE = { width: 800, height: 600 };
const HOGS = 3;
/** What a session of 60 frames a second keeps beside them. */
const KEPT_RATE = 55;
/** How long the test waits for the rest of the machine to leave room for one measurement. */
const KEEP_UP_LIMIT_MS = 60_000;
/** Two threads that never pause, as many as this machine may have cores for. */
const COMPUTE = `
  const loop = URL.createObjectURL(new Blob(['for (;;);']));
  globalThis.kept = [new Worker(loop), new Worker(loop)]; 0`;

test.describe('beside three sessions that compute without a pause', { tag: '@timing' }, () => {
  test('a session of 60 frames a second keeps 55', async ({ service, pages }) => {
    const moving = pages.page('motion');
    const session = await service.create({ start_url: moving.url, ...SIZE, fps: 60 });
    await moving.loaded();
    const viewer = await RawViewer.open(session);
    await until('frames come', () => viewer.packets.length > 60);
    const alone = await deliveredRate(viewer);
    for (let hog = 0; hog < HOGS; hog++) {
      const page = pages.page('marker');
      await service.create({ start_url: page.url, ...SIZE, fps: 24 });
      await page.loaded();
      await page.run(COMPUTE);
    }
    const rates: number[] = [];
    await until(
      `${KEPT_RATE} frames a second are delivered`,
      async () => {
        const rate = await deliveredRate(viewer);
        rates.push(rate);
        return rate >= KEPT_RATE;
      },
      KEEP_UP_LIMIT_MS,
    ).finally(() =>
      note(
        `${alone.toFixed(1)} frames/s alone, beside hogs ${rates.map((rate) => rate.toFixed(1)).join(', ')}`,
      ),
    );
    assert.equal(viewer.closed, undefined);
  });
});
