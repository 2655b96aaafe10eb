import assert from 'node:assert/strict';
import { hold, isKept } from '../../support/limits.js';
import { deliveredRate } from '../support/delivered-rate.js';
import { RawViewer } from '../support/raw-viewer.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
/** Time in which a busy machine must keep up for one measurement. */
const KEEP_UP_LIMIT_MS = 60_000;

test.describe('the frame rate of a session', { tag: ['@timing', '@alone'] }, () => {
  for (const { fps, tolerance } of [
    { fps: 24, tolerance: 0.5 },
    { fps: 60, tolerance: 2 },
  ]) {
    // Proves: fps
    test(`is ${fps} for its pages, and viewers get no more frames`, async ({ show }) => {
      const { remote, session } = await show('motion', { width: 800, height: 600, fps });
      const viewer = await RawViewer.open(session);
      await until('frames come', () => viewer.packets.length > fps);

      const page = await until(
        `the page has ${fps} frames a second`,
        async () => {
          await remote.run('measureRate()');
          const rate = await until('a rate is measured', () => remote.state['rate'] as number | null);
          // A busy machine paints fewer frames, never more.
          assert.ok(rate <= fps + tolerance, `${rate} frames/s in the page`);
          return isKept('frames of a page', (100 * rate) / fps) && rate;
        },
        KEEP_UP_LIMIT_MS,
      );

      const delivered = await until(
        `${fps} frames a second, or nearly so, are delivered`,
        async () => {
          const rate = await deliveredRate(viewer);
          assert.ok(rate <= fps + tolerance, `${rate} frames/s delivered`);
          return isKept('frames at a viewer', (100 * rate) / fps) && rate;
        },
        KEEP_UP_LIMIT_MS,
      );
      hold('frames of a page', (100 * page) / fps, `of ${fps}`);
      hold('frames at a viewer', (100 * delivered) / fps, `of ${fps}`);
      viewer.close();
    });
  }
});
