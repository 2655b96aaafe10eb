import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from '@playwright/test';
import { pack } from '../../../scripts/pack.mjs';
import { buildExamples } from '../../../scripts/lib/examples.mjs';
import { ManagedProcess } from '../../../server/src/platform/process/child-process.js';
import { atEnd, atFailure } from '../support/cleanup.js';
import { SCREENSHOTS } from '../support/demo-service.js';
import { complaintsOf, showsMarker } from '../support/shown-colour.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();

const PASSWORD = 'of the examples';
/** Time to install and build the examples on a busy machine, in milliseconds. */
const BUILD_TIMEOUT_MS = 300_000;

interface Example {
  name: string;
  options?: BrowserContextOptions;
  enter?: (page: Page) => Promise<void>;
}

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const EXAMPLES: readonly Example[] = [
  { name: 'vanilla' },
  { name: 'react' },
  { name: 'vue' },
  { name: 'svelte' },
  { name: 'server-rendering' },
  { name: 'iframe' },
  { name: 'webgl' },
  { name: 'recipes' },
  { name: 'mobile', options: PHONE },
  {
    name: 'admin',
    enter: async (page) => {
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Enter' }).click();
      await page.getByText('You, in control').waitFor();
    },
  },
];

let url = '';
test.beforeAll(async ({ service, pages }) => {
  test.setTimeout(BUILD_TIMEOUT_MS);
  const { sdk } = await pack();
  await buildExamples(sdk);
  const backend = ManagedProcess.start({
    name: 'backend',
    command: process.execPath,
    args: ['--import', 'tsx', 'backend/server.ts'],
    cwd: fileURLToPath(new URL('../../../examples', import.meta.url)),
    env: {
      PATH: '/usr/bin:/bin',
      PORT: '0',
      SERVICE_URL: service.url,
      API_KEY: service.key,
      ADMIN_PASSWORD: PASSWORD,
      START_URL: pages.page('marker').url,
    },
  });
  atEnd(() => backend.stop());
  atFailure('backend', () => backend.logTail, atEnd);
  url = await until('the backend says where it is', () => {
    if (!backend.running) throw new Error(`The backend ended at once.\n${backend.logTail}`);
    return /(http:\/\/127\.0\.0\.1:\d+)\//.exec(backend.logTail)?.[1];
  });
});

for (const { name, options, enter } of EXAMPLES)
  test(`the example ${name} plays`, async ({ browser }) => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${url}/${name}/`);
    await enter?.(page);
    await page.locator('#state').getByText('playing').waitFor();
    await until(`${name} shows the hosted page`, () => showsMarker(page));
    assert.deepEqual(complaints, []);
    await context.close();
  });

for (const [name, options] of [
  ['desktop', { viewport: { width: 1440, height: 900 } }],
  ['phone', PHONE],
] as const)
  test(`the example agent asks a person with a ${name} to sign in, and goes on`, async ({ browser }) => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${url}/agent/`);
    await page.locator('#state').getByText('playing').waitFor();
    await page.locator('li.asking', { hasText: 'Ask a person' }).waitFor();
    const done = page.getByRole('button', { name: 'Done' });
    await done.waitFor();
    await page.screenshot({ path: `${SCREENSHOTS}example-agent-${name}.png` });
    await page.locator('cloud-browser').click({ position: { x: 12, y: 12 } });
    for (const text of ['ada@example.com', 'secret']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    await done.click();
    await page.locator('#report', { hasText: 'The order is placed.' }).waitFor();
    assert.equal(await page.locator('li.done').count(), 4);
    assert.deepEqual(complaints, []);
    await context.close();
  });

test.describe('the recipes', () => {
  let page: Page;
  let complaints: readonly string[];
  test.beforeEach(async ({ browser }) => {
    page = await browser.newPage();
    complaints = complaintsOf(page);
    await page.addInitScript(() => {
      window.MediaRecorder = class extends MediaRecorder {
        constructor(...parts: ConstructorParameters<typeof MediaRecorder>) {
          super(...parts);
          this.addEventListener('dataavailable', ({ data }) => {
            if (data.size > 0) Object.assign(globalThis, { recorded: true });
          });
        }
      };
    });
    await page.goto(`${url}/recipes/`);
    await page.locator('#state').getByText('playing').waitFor();
    await until('the hosted page is shown', () => showsMarker(page));
  });
  test.afterEach(async () => {
    assert.deepEqual(complaints, []);
    await page.close();
  });

  /** Returns the size and the middle colour of an image or a video of the page. */
  const seen = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const source = element as HTMLImageElement | HTMLVideoElement;
      const canvas = document.createElement('canvas');
      const isVideo = source instanceof HTMLVideoElement;
      canvas.width = isVideo ? source.videoWidth : source.naturalWidth;
      canvas.height = isVideo ? source.videoHeight : source.naturalHeight;
      const context = canvas.getContext('2d')!;
      context.drawImage(source, 0, 0);
      const [red = 0, green = 0, blue = 0] = context.getImageData(
        canvas.width / 2,
        canvas.height / 2,
        1,
        1,
      ).data;
      return { width: canvas.width, height: canvas.height, isBlue: blue > 180 && red < 60 && green < 160 };
    });

  test('take a screenshot of the session', async () => {
    await page.locator('#screenshot').click();
    await page.locator('#shot:not([hidden])').waitFor();
    const { width, height } = await remoteSize();
    assert.deepEqual(await seen('#shot'), { width, height, isBlue: true });
  });

  test('record a still session as a video that plays', async () => {
    await page.locator('#record').click();
    await page.locator('#record', { hasText: 'Stop' }).waitFor();
    await until('the recorder has written a part', () => page.evaluate(() => 'recorded' in globalThis));
    await page.locator('#record').click();
    await page.locator('#film:not([hidden])').waitFor();
    await page.locator('#film').evaluate((film: HTMLVideoElement) => film.play());
    await until('the film plays', () =>
      page.locator('#film').evaluate((film: HTMLVideoElement) => film.currentTime > 0.2),
    );
    const { width, height } = await remoteSize();
    assert.deepEqual(await seen('#film'), { width, height, isBlue: true });
  });

  test('change the size, and let the session fill its container', async () => {
    await page.locator('#small').click();
    await until('the screen has the chosen size', async () => {
      const { width, height } = await remoteSize();
      return width === 800 && height === 600;
    });
    await page.locator('#fill').click();
    await until('the screen has the size of its place', async () => {
      const place = await page.locator('cloud-browser').boundingBox();
      const { width, height } = await remoteSize();
      return width === Math.round(place?.width ?? 0) && height === Math.round(place?.height ?? 0);
    });
  });

  test('show a loading state until the first picture and until the page is loaded', async () => {
    assert.equal(await page.locator('#connecting').isVisible(), false);
    await page.evaluate(() => void document.querySelector('cloud-browser')!.reconnect());
    await page.locator('#loading').waitFor({ state: 'hidden' });
    await page.locator('#connecting').waitFor({ state: 'hidden' });
  });

  test('translate the element', async () => {
    await page.locator('#french').click();
    await page.getByRole('group', { name: 'Navigateur distant' }).waitFor();
  });

  const remoteSize = () =>
    page.evaluate(() => {
      const { width = 0, height = 0 } = document.querySelector('cloud-browser')?.stats ?? {};
      return { width, height };
    });
});
