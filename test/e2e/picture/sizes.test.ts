import assert from 'node:assert/strict';
import { chromium, type Browser } from '@playwright/test';
import { PNG } from 'pngjs';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { Random } from '../../walk/random.js';
import { hold } from '../../support/limits.js';
import type { HostedPage } from '../support/hosted-page.js';
import { LAUNCH_OPTIONS } from '../support/launch-options.js';
import { psnr } from '../support/psnr.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';
import type { Viewer } from '../support/viewer.js';
import { openViewer } from '../support/viewers.js';

cleanUpAtEnd();
const MAX_AREA = 1920 * 1080;
/** Minimum similarity of unscaled text to the original, in dB. */
const SHARP_DB = 40;
const SHARP_LIMIT_MS = 10_000;
/** Size changes of a box whose edge is dragged, and the most display changes that may follow. */
const RESIZES = 50;
const MAX_CHANGES = 10;
/** Shortest time between two display changes. It needs a pause between the sizes of the container. */
const CHANGE_INTERVAL_MS = 400;

/** Each pixel has its own colour, so only scaling causes a large difference. */
const quality = { mode: 'sharp' };

interface Size {
  width: number;
  height: number;
}

const chance = new Random(12);
const random = () => chance.next();

let browser: Browser;
test.beforeAll(({ browser: sharedBrowser }) => {
  browser = sharedBrowser;
});

/** The address of an embed page whose screen follows its window. */
const following = (embedUrl: string) => ({ embed_url: `${embedUrl}&resize=auto` });

/**
 * The same page in a local browser that really has this pixel ratio. An emulated ratio changes the line
 * layout.
 */
async function original(remote: HostedPage, viewport: Size, ratio: number): Promise<PNG> {
  const args = [...(LAUNCH_OPTIONS.args ?? []), `--force-device-scale-factor=${ratio}`];
  const local = ratio === 1 ? browser : await chromium.launch({ ...LAUNCH_OPTIONS, args });
  const page = await local.newPage({ viewport, deviceScaleFactor: ratio });
  await page.goto(remote.url.replace(/\?.*/, ''));
  const picture = PNG.sync.read(await page.screenshot());
  await page.close();
  if (local !== browser) await local.close();
  return picture;
}

/**
 * Waits until a picture is as sharp as its original. A busy machine may pause for a second before
 * the last, sharp frame, so that a picture at rest alone proves nothing.
 */
async function becomesSharp(name: string, compare: () => Promise<number>): Promise<void> {
  let decibels = 0;
  await until(
    `${name} is sharp`,
    async () => {
      decibels = await compare();
      return decibels >= SHARP_DB;
    },
    SHARP_LIMIT_MS,
  ).catch((error: unknown) => {
    throw new Error(`${name}: ${decibels.toFixed(1)} dB`, { cause: error });
  });
  note(`${name}: ${decibels.toFixed(1)} dB`);
}

/** Random sizes of a container whose edge is dragged, and the pauses after them. */
function dragged(): { sizes: Size[]; pauses: number[]; last: Size } {
  const side = (most: number) => Math.floor(256 + random() * (most - 256));
  const sizes = Array.from({ length: RESIZES }, () => ({ width: side(960), height: side(540) }));
  const last = { width: side(960), height: side(540) };
  return { sizes: [...sizes.slice(1), last], pauses: sizes.map(() => random() * 150), last };
}

/** Gives the element one size after the other. Resolves when it has the last size. */
async function drag({ page }: Viewer, { sizes, pauses }: ReturnType<typeof dragged>): Promise<void> {
  await page.evaluate(
    async ([all, waits]) => {
      const element = document.querySelector<HTMLElement>('cloud-browser');
      for (const [index, { width, height }] of all.entries()) {
        await new Promise((resolve) => setTimeout(resolve, waits[index]));
        Object.assign(element?.style ?? {}, { width: `${width}px`, height: `${height}px` });
      }
    },
    [sizes, pauses] as const,
  );
}

/** Counts display changes from now on. Each change starts another stream. */
async function countChanges({ page }: Viewer): Promise<() => Promise<number>> {
  const streams = await page.evaluateHandle(() => {
    const seen: number[] = [];
    document
      .querySelector<CloudBrowserElement>('cloud-browser')
      ?.client?.on('stream', ({ stream }) => seen.push(stream));
    return seen;
  });
  return async () => (await streams.jsonValue()).length;
}

for (const ratio of [1, 2]) {
  // Proves: pixel_ratio
  test(
    `a screen with a pixel ratio of ${ratio} that follows its container soon has its size after many changes, changes the display rarely, and is sharp`,
    { tag: '@timing' },
    async ({ show }) => {
      const request = { kiosk: true, max_area: MAX_AREA, pixel_ratio: ratio, quality };
      const { remote, session } = await show('text', { ...request, width: 640, height: 400 });
      const options = { viewport: { width: 960, height: 540 }, deviceScaleFactor: ratio };
      const viewer = await openViewer(browser, following(session.embed_url), options);
      await remote.fills(options.viewport);
      const changes = await countChanges(viewer);
      const plan = dragged();
      const begun = performance.now();
      await drag(viewer, plan);
      const dropped = performance.now();
      await remote.fills(plan.last);
      const done = performance.now();
      hold('a page has the size of its box', done - dropped);
      assert.equal(await remote.run('devicePixelRatio'), ratio);
      assert.deepEqual(await remote.run('[screen.width, screen.height]'), [
        plan.last.width,
        plan.last.height,
      ]);
      const whole = await original(remote, plan.last, ratio);
      const clip = { x: 0, y: 0, ...plan.last };
      await becomesSharp('the picture', async () => {
        await viewer.atRest();
        return psnr(PNG.sync.read(await viewer.page.screenshot({ clip, scale: 'device' })), whole);
      });
      const made = await changes();
      note(`${RESIZES} sizes of the box, ${made} changes of the display`);
      // A stalled machine causes pauses, after which the display may change.
      const most = Math.max(MAX_CHANGES, (done - begun) / CHANGE_INTERVAL_MS);
      assert.ok(made <= most, `${made} changes`);
      await viewer.close();
    },
  );
}
