import assert from 'node:assert/strict';
import { deliveredRate } from './support/delivered-rate.js';
import { RawViewer } from './support/raw-viewer.js';
import { cleanUpAtEnd, note, test } from './support/test.js';
import { until } from './support/until.js';

cleanUpAtEnd();
/** The share of the page's frame rate that must reach a viewer when the machine keeps up; single frames may miss their turn. */
const DELIVERED_SHARE = 0.8;
/** How long the test waits for a busy machine to keep up for one measurement. */
const KEEP_UP_LIMIT_MS = 60_000;

test.describe('the frame rate of a session', { tag: '@timing' }, () => {
  for (const { fps, tolerance } of [
    { fps: 24, tolerance: 0.5 },
    { fps: 60, tolerance: 2 },
  ]) {
    test(`is ${fps} for its pages, and no more is delivered`, async ({ service, pages }) => {
      const remote = pages.page('motion');
      const session = await service.create({ start_url: remote.url, width: 800, height: 600, fps });
      await remote.loaded();
      const viewer = await RawViewer.open(session);
      await until('frames come', () => viewer.packets.length > fps);

      const page = await until(
        `the page has a second of ${fps} frames`,
        async () => {
          await remote.run('measureRate()');
          const rate = await until('a rate is measured', () => remote.state['rate'] as number | null);
          // A busy machine paints fewer frames, never more.
          assert.ok(rate <= fps + tolerance, `${rate} frames/s in the page`);
          return rate >= fps - tolerance && rate;
        },
        KEEP_UP_LIMIT_MS,
      );

      const delivered = await until(
        `${fps} frames a second, or nearly so, are delivered`,
        async () => {
          const rate = await deliveredRate(viewer);
          assert.ok(rate <= fps + tolerance, `${rate} frames/s delivered`);
          return rate >= fps * DELIVERED_SHARE && rate;
        },
        KEEP_UP_LIMIT_MS,
      );
      note(`${page.toFixed(2)} frames/s in the page, ${delivered.toFixed(2)} delivered`);
      viewer.close();
      await service.end(session);
    });
  }
});
