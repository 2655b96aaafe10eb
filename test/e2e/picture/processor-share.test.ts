import assert from 'node:assert/strict';
import { hold, isKept } from '../../support/limits.js';
import { deliveredRate } from '../support/delivered-rate.js';
import { RawViewer } from '../support/raw-viewer.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();

const SIZE = { width: 800, height: 600 };
const HOGS = 3;
/** Milliseconds that the test waits for the machine to leave room for one measurement. */
const KEEP_UP_LIMIT_MS = 60_000;
/** Two threads that never pause, one per core of a small machine. */
const COMPUTE = `
  const loop = URL.createObjectURL(new Blob(['for (;;);']));
  globalThis.kept = [new Worker(loop), new Worker(loop)]; 0`;

test.describe('beside three sessions that compute without a pause', { tag: ['@timing', '@alone'] }, () => {
  test('a session at 60 frames a second keeps its frame rate', async ({ show, service, pages }) => {
    const { session } = await show('motion', { ...SIZE, fps: 60 });
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
      'enough frames a second are delivered',
      async () => {
        const rate = await deliveredRate(viewer);
        rates.push(rate);
        return isKept('frames beside sessions that compute', rate);
      },
      KEEP_UP_LIMIT_MS,
    ).catch(() => undefined);
    const seen = rates.map((rate) => rate.toFixed(1)).join(', ');
    hold(
      'frames beside sessions that compute',
      rates.at(-1) ?? 0,
      `${alone.toFixed(1)} alone, beside hogs ${seen}`,
    );
    assert.equal(viewer.closed, undefined);
  });
});
