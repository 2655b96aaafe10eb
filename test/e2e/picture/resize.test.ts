import assert from 'node:assert/strict';
import type { Browser, Page } from '@playwright/test';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { recordPaintings, takePaintings, type Painting } from '../support/paintings.js';
import { connectClient } from '../support/sdk-client.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';
import { Viewer } from '../support/viewer.js';

cleanUpAtEnd();
const MAX_AREA = 1920 * 1080;
const CORNERS = [
  [220, 40, 40],
  [30, 160, 60],
  [40, 70, 220],
  [200, 160, 20],
] as const;
/** Maximum colour error of the video of a moving page. The colours of the corners differ by more. */
const TOLERANCE = 40;

let browser: Browser;
test.beforeAll(async ({ browser: sharedBrowser }) => {
  browser = sharedBrowser;
});

/** A generator of numbers from 0 to 1, which are the same in every run. */
function* chances(): Generator<number, never> {
  for (let seed = 20_240_601; ; seed = (seed * 48_271) % 2_147_483_647) yield seed / 2_147_483_647;
}

const random = chances();

function randomSize(): { width: number; height: number } {
  const between = (low: number, high: number) => Math.floor(low + random.next().value * (high - low + 1));
  const width = between(256, 3840);
  return { width, height: between(256, Math.min(3840, Math.floor(MAX_AREA / width))) };
}

/** The corners that show the right colour. */
const right = ({ corners }: Painting) =>
  corners.map((colour, corner) =>
    colour.every((value, part) => Math.abs(value - (CORNERS[corner]?.[part] ?? -1)) <= TOLERANCE),
  );

async function open(embedUrl: string): Promise<Viewer> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  await recordPaintings(page);
  const viewer = new Viewer(page);
  await page.goto(embedUrl);
  await viewer.playing();
  return viewer;
}

function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  return page.evaluate(
    ({ width, height }) =>
      document.querySelector<CloudBrowserElement>('cloud-browser')?.resize(width, height),
    size,
  );
}

test.describe('a resized screen', () => {
  test('has no faulty picture after many changes and no reconnect', async ({ show }) => {
    const { session } = await show('corners', { max_area: MAX_AREA });
    const viewer = await open(session.embed_url);
    const { page } = viewer;
    const states = await viewer.recordStates();
    await takePaintings(page);
    const times: number[] = [];
    const wrong: unknown[] = [];
    for (let count = 0; count < 20; count++) {
      const size = randomSize();
      const asked = await page.evaluate(() => performance.now());
      await resize(page, size);
      const seen: Painting[] = [];
      const first = await until(`the picture is ${size.width}x${size.height}`, async () => {
        seen.push(...(await takePaintings(page)));
        return seen.find(({ width, height }) => width === size.width && height === size.height);
      });
      times.push(first.at - asked);
      // Watch some more pictures, because a wrong picture may come a moment later.
      const enough = seen.indexOf(first) + 6;
      await until('the page goes on', async () => seen.push(...(await takePaintings(page))) >= enough);
      for (const painting of seen)
        if (right(painting).includes(false)) wrong.push({ count, size, ...painting });
    }
    times.sort((a, b) => a - b);
    const tell = (time: number | undefined) => `${time?.toFixed(0)} ms`;
    note(`the first picture came after ${tell(times[10])} (median), ${tell(times.at(-1))} (longest)`);
    assert.deepEqual(wrong, []);
    assert.deepEqual(await states(), []);
    await viewer.close();
  });

  test('fills the browser’s window and accepts clicks everywhere', { tag: '@main' }, async ({ show }) => {
    const { remote, session } = await show('corners', { kiosk: false, max_area: MAX_AREA });
    const client = await connectClient(session);
    assert.equal(client.maxArea, MAX_AREA);
    for (const [width, height] of [
      [1600, 1200],
      [1108, 831],
      [300, 700],
      [1280, 720],
    ] as const) {
      await client.resize(width, height);
      await until('the stream has the size', () => client.stream?.width === width);
      assert.equal(client.stream?.height, height);
      await remote.until(`the page is ${width} wide`, (state) => state['width'] === width);
      const top = height - Number(await remote.run('innerHeight'));
      const button = { type: 'button', button: 0, x: width - 3, y: height - 2, modifiers: 0 } as const;
      client.sendInput({ ...button, pressed: true });
      client.sendInput({ ...button, pressed: false });
      await remote.event(`down ${width - 3} ${height - 2 - top}`);
    }
    const [late] = [await connectClient(session)];
    assert.deepEqual([late.welcome?.width, late.welcome?.height], [1280, 720]);
  });

  // Proves: max_area
  test('stays within its limits, and only users with the role can resize it', async ({ service }) => {
    const session = await service.create({ start_url: 'about:blank', default_roles: ['control'] });
    const client = await connectClient(session);
    await assert.rejects(client.resize(800, 600), { code: 'err_forbidden' });
    client.remote.adminToken = session.admin_token;
    for (const [width, height] of [
      [255, 600],
      [800, 3841],
      [800.5, 600],
      [1281, 720],
    ] as const)
      await assert.rejects(client.resize(width, height), { code: 'err_invalid_parameter' });
    await client.resize(800, 600);
    await until('the stream has the size', () => client.stream?.width === 800);
    await service.end(session);
  });
});
