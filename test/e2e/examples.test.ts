import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from '@playwright/test';
import { pack } from '../../scripts/pack.mjs';
import { buildExamples } from '../../scripts/lib/examples.mjs';
import { ManagedProcess } from '../../server/src/platform/child-process.js';
import { atEnd, atFailure } from './support/cleanup.js';
import { complaintsOf, showsMarker } from './support/shown-colour.js';
import { cleanUpAtEnd, test } from './support/test.js';
import { until } from './support/until.js';

cleanUpAtEnd();

const PASSWORD = 'of the examples';
/** Installing and building them, on a busy machine. Milliseconds. */
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
    cwd: fileURLToPath(new URL('../../examples', import.meta.url)),
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
