import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import { cleanUpAtEnd } from './support/cleanup.js';
import { PageServer } from './support/page-server.js';
import { RawViewer } from './support/raw-viewer.js';
import { Service } from './support/service.js';
import { until } from './support/until.js';

cleanUpAtEnd();
/** Frames over this long are counted; a machine with other work delivers fewer, never more. Milliseconds. */
const WATCH = 4_000;

let service: Service;
let pages: PageServer;
before(async () => {
  [service, pages] = await Promise.all([Service.start(), PageServer.start()]);
});

/** What a session with this frame rate delivers of a page that always moves, in frames a second. */
async function rates(fps: number): Promise<{ page: number; delivered: number }> {
  const remote = pages.page('motion');
  const session = await service.create({ start_url: remote.url, width: 800, height: 600, fps });
  await remote.loaded();
  const viewer = await RawViewer.open(session);
  await until('frames come', () => viewer.packets.length > 2 * fps);
  const first = viewer.packets.length - 1;
  const start = viewer.packets[first]?.at ?? 0;
  await remote.run('measureRate()');
  await until('enough frames came', () => (viewer.packets.at(-1)?.at ?? 0) - start >= WATCH);
  await remote.until('the page knows its rate', (state) => state['rate'] !== undefined);
  const counted = viewer.packets.slice(first).filter(({ refinement }) => !refinement);
  const span = (counted.at(-1)?.at ?? 0) - start;
  const delivered = ((counted.length - 1) * 1_000) / span;
  viewer.close();
  await service.end(session);
  return { page: Number(remote.state['rate']), delivered };
}

describe('the frame rate of a session', () => {
  for (const { fps, tolerance } of [
    { fps: 24, tolerance: 0.5 },
    { fps: 60, tolerance: 2 },
  ]) {
    it(`is ${fps} for its pages, and no more is delivered`, async (test: TestContext) => {
      const { page, delivered } = await rates(fps);
      test.diagnostic(`${page.toFixed(2)} frames/s in the page, ${delivered.toFixed(2)} delivered`);
      assert.ok(Math.abs(page - fps) <= tolerance, `${page} frames/s in the page`);
      assert.ok(delivered > 0 && delivered <= fps + tolerance, `${delivered} frames/s delivered`);
    });
  }
});
