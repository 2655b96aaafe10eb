import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Page } from 'puppeteer-core';
import { startAgentSite } from '../support/agent-site.js';
import { atEnd } from '../support/cleanup.js';
import { LAUNCH_OPTIONS } from '../support/launch-options.js';
import { puppeteerSteps } from '../support/puppeteer-steps.js';
import { cleanUpAtEnd, test } from '../support/test.js';

cleanUpAtEnd();

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

test('gives a script of Puppeteer the same results as a local browser', async ({ service }) => {
  const url = await startAgentSite();
  const roles = ['control', 'chrome_apis', 'file_upload', 'file_download'];
  const session = await service.create({ start_url: 'about:blank', automation: { roles } });
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
  // A session refuses files of the machine, which a local browser opens.
  assert.deepEqual(
    remote,
    local.map((value) => (value === 'opened' ? 'refused' : value)),
  );
});
