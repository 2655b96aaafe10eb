import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import puppeteer, { type Page } from 'puppeteer-core';
import { startAgentSite } from '../support/agent-site.js';
import { playwrightSteps } from '../support/agent-steps.js';
import { atEnd } from '../support/cleanup.js';
import { LAUNCH_OPTIONS } from '../support/launch-options.js';
import { puppeteerSteps } from '../support/puppeteer-steps.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';

cleanUpAtEnd();
const ROLES = ['control', 'chrome_apis', 'file_upload', 'file_download'];

let url: string;
let session: Session;
test.beforeEach(async ({ service }) => {
  url = await startAgentSite();
  session = await service.create({ start_url: 'about:blank', automation: { roles: ROLES } });
});

/** Asserts that a session gave the same results as a local browser. It refuses files of the machine. */
const assertSame = (remote: readonly unknown[], local: readonly unknown[]) =>
  assert.deepEqual(
    remote,
    local.map((value) => (value === 'opened' ? 'refused' : value)),
  );

// Proves: automation
test('a script of Playwright has the same results in a session as in a local browser @main', async () => {
  const browser = await chromium.connectOverCDP(session.cdp_url ?? '');
  const [context = assert.fail('There is no context.')] = browser.contexts();
  const remote = await playwrightSteps(context, url);
  await browser.close();
  const own = await chromium.launch(LAUNCH_OPTIONS);
  const local = await playwrightSteps(await own.newContext(), url);
  await own.close();
  assertSame(remote, local);
});

/**
 * Waits for the end of a download that `begin` begins. Returns its id.
 *
 * @param options of `Browser.setDownloadBehavior`
 */
async function download(page: Page, begin: () => Promise<void>, options: object = {}) {
  const cdp = await page.browser().target().createCDPSession();
  await cdp.send('Browser.setDownloadBehavior', { behavior: 'allow', eventsEnabled: true, ...options });
  const done = new Promise<string>((resolve) =>
    cdp.on('Browser.downloadProgress', ({ state, guid }) => {
      if (state === 'completed') resolve(guid);
    }),
  );
  await begin();
  const id = await done;
  await cdp.detach();
  return id;
}

test('a script of Puppeteer has the same results in a session as in a local browser', async () => {
  const browser = await puppeteer.connect({
    browserWSEndpoint: session.cdp_url ?? '',
    defaultViewport: null,
  });
  const remote = await puppeteerSteps(browser, url, (page, begin) => download(page, begin));
  await browser.disconnect();

  const directory = await mkdtemp(join(tmpdir(), 'puppeteer-'));
  atEnd(() => rm(directory, { recursive: true, force: true }));
  const { executablePath = '', args = [], chromiumSandbox } = LAUNCH_OPTIONS;
  const own = await puppeteer.launch({
    ...{ executablePath, defaultViewport: null },
    args: [...args, ...(chromiumSandbox ? [] : ['--no-sandbox'])],
  });
  atEnd(() => own.close());
  const local = await puppeteerSteps(own, url, async (page, begin) => {
    await download(page, begin, { downloadPath: directory });
    return join(directory, 'report.txt');
  });
  assert.ok(remote.length >= 20);
  assertSame(remote, local);
});
