import assert from 'node:assert/strict';
import { RawViewer } from './support/raw-viewer.js';
import { cleanUpAtEnd, note, test } from './support/test.js';
import { until } from './support/until.js';

cleanUpAtEnd();
/** Milliseconds over which frames are counted. */
const WATCH = 4_000;
/** How long a busy machine may take to have one second in which it keeps up. Milliseconds. */
const PATIENCE = 60_000;

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
          // A busy machine paints fewer, never more.
          assert.ok(rate <= fps + tolerance, `${rate} frames/s in the page`);
          return rate >= fps - tolerance && rate;
        },
        PATIENCE,
      );

      const first = viewer.packets.length - 1;
      const start = viewer.packets[first]?.at ?? 0;
      await until('enough frames came', () => (viewer.packets.at(-1)?.at ?? 0) - start >= WATCH);
      const counted = viewer.packets.slice(first).filter(({ refinement }) => !refinement);
      // By the host's clock: packets that waited on the way arrive together.
      const span = ((counted.at(-1)?.captureTime ?? 0) - (counted[0]?.captureTime ?? 0)) >>> 0;
      const delivered = ((counted.length - 1) * 1_000_000) / span;
      note(`${page.toFixed(2)} frames/s in the page, ${delivered.toFixed(2)} delivered`);
      assert.ok(delivered > 0 && delivered <= fps + tolerance, `${delivered} frames/s delivered`);
      viewer.close();
      await service.end(session);
    });
  }
});
