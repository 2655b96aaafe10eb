import assert from 'node:assert/strict';
import type { Browser, Page } from '@playwright/test';
import { PNG } from 'pngjs';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { Embedder } from '../support/embedder.js';
import type { HostedPage } from '../support/hosted-page.js';
import { psnr } from '../support/psnr.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';
import { Viewer } from '../support/viewer.js';

cleanUpAtEnd();
const SIZE = { width: 1280, height: 720 };
/** Odd sides, so that the encoded picture is larger than the visible one. */
const ODD = { width: 801, height: 601 };
/** Text reaches this quality with a colour for each pixel, and never with a colour for four pixels. */
const FULL_COLOUR_DB = 45;

let browser: Browser;
let session: Session;
let remote: HostedPage;
test.beforeAll(async ({ browser: sharedBrowser, service, pages }) => {
  browser = sharedBrowser;
  remote = pages.page('text');
  const quality = { mode: 'sharp' };
  session = await service.create({ start_url: remote.url, ...SIZE, max_area: 1920 * 1080, quality });
  await remote.fills(SIZE);
});

async function open(prepare: (page: Page) => Promise<unknown> = () => Promise.resolve()): Promise<Viewer> {
  const page = await (await browser.newContext({ viewport: SIZE })).newPage();
  await prepare(page);
  const viewer = new Viewer(page);
  await page.goto(session.embed_url);
  await viewer.playing();
  return viewer;
}

/** Changes the page for enough frames that the viewer can choose its fastest way to paint. */
async function move(): Promise<void> {
  const moved = remote.count('moved');
  await remote.run(`{
    let steps = 0;
    const step = () => {
      document.body.style.translate = steps < 60 ? ++steps + 'px' : '';
      if (document.body.style.translate) requestAnimationFrame(step);
      else report({ event: 'moved' });
    };
    requestAnimationFrame(step);
  }`);
  await remote.event('moved', moved + 1);
}

/** The same page in a local browser. */
async function original(viewport: { width: number; height: number }): Promise<PNG> {
  const page = await browser.newPage({ viewport });
  await page.goto(remote.url.replace(/\?.*/, ''));
  const picture = PNG.sync.read(await page.screenshot());
  await page.close();
  return picture;
}

async function ratio(viewer: Viewer, size = SIZE): Promise<number> {
  await viewer.atRest();
  return psnr(await viewer.picture(), await original(size));
}

const mediaOf = ({ page }: Viewer) =>
  page.evaluate(() => document.querySelector<CloudBrowserElement>('cloud-browser')?.stats?.media);

test.describe('full colour', () => {
  test('stays after movement and after a resize', async () => {
    const viewer = await open();
    assert.equal(await mediaOf(viewer), 'h264-444');
    await move();
    const ratios = [await ratio(viewer)];
    for (const size of [ODD, SIZE]) {
      await viewer.page.evaluate(
        ({ width, height }) =>
          document.querySelector<CloudBrowserElement>('cloud-browser')?.resize(width, height),
        size,
      );
      await until('the picture has the size', async () => (await viewer.size()).width === size.width);
      await move();
      ratios.push(await ratio(viewer, size));
    }
    note(`${ratios.map((each) => each.toFixed(1)).join(', ')} dB`);
    assert.ok(Math.min(...ratios) >= FULL_COLOUR_DB);
    assert.equal(await mediaOf(viewer), 'h264-444');
    await viewer.close();
  });

  // Proves: quality.mode: full colour
  test('is sent to viewers that can decode it, and others watch the same session without it', async () => {
    const first = await open();
    const second = await open((page) =>
      page.addInitScript(() => {
        const ask = VideoDecoder.isConfigSupported.bind(VideoDecoder);
        VideoDecoder.isConfigSupported = async (config) =>
          config.codec.startsWith('avc1.F4') ? { config, supported: false } : ask(config);
      }),
    );
    assert.deepEqual([await mediaOf(first), await mediaOf(second)], ['h264-444', 'h264']);
    await move();
    const [full, shared] = [await ratio(first), await ratio(second)];
    note(`${full.toFixed(1)} and ${shared.toFixed(1)} dB`);
    assert.ok(full >= FULL_COLOUR_DB);
    assert.ok(shared >= 38 && shared < FULL_COLOUR_DB);
    await first.close();
    await second.close();
  });

  test('is in the <video> of the public client too', async () => {
    const embedder = await Embedder.open(browser);
    await embedder.start('one', session.embed_url);
    await remote.run('void (document.body.style.background = "green")');
    for (const name of ['video', 'canvas'] as const) {
      await until(`the ${name} is green`, () =>
        embedder.page.evaluate((tag) => {
          const shown = window.embeds['one']!.target.shadowRoot!.querySelector(tag)!;
          if (shown instanceof HTMLVideoElement && shown.videoWidth === 0) return false;
          const [red = 255, green = 0, blue = 255] = window.colourOf(shown, 0.5, 0.95);
          return green > 100 && red < 60 && blue < 60;
        }, name),
      );
    }
  });
});
