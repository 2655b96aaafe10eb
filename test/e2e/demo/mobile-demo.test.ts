import assert from 'node:assert/strict';
import { demoAddress, demoService, SCREENSHOTS } from '../support/demo-service.js';
import { Fingers } from '../support/fingers.js';
import { PHONE_OPTIONS } from '../support/phones.js';
import type { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import { Viewer } from '../support/viewer.js';

cleanUpAtEnd();

let service: Service;
test.beforeAll(async () => {
  service = await demoService();
});

test('the demo for phones fills the phone with a session, accepts pinches and swipes, and ends the session', async ({
  pages,
  browser,
}) => {
  const remote = pages.page('touch');
  const context = await browser.newContext(PHONE_OPTIONS);
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const viewer = new Viewer(page);
  await page.goto(demoAddress(service, '/mobile'));
  await page.screenshot({ path: `${SCREENSHOTS}mobile-start.png` });
  await page.locator('#start-url').fill(remote.url);
  await page.locator('.start-form [type=submit]').tap();
  await viewer.playing();
  await remote.loaded();
  const { width, height } = PHONE_OPTIONS.viewport;
  const size = await viewer.size();
  assert.equal(size.width, width);
  assert.ok(size.height > height * 0.9, `${size.height} of ${height} pixels`);

  const fingers = new Fingers(await viewer.cdp());
  await fingers.tap([140, 100]);
  await remote.event('click');
  const next = pages.page('touch');
  await remote.run(`location.href = ${JSON.stringify(next.url)}`);
  await next.loaded();
  await fingers.tap([140, 100]);
  await next.event('click');
  await fingers.swipe([40, 420], [350, 420]);
  await remote.loaded(2);
  await viewer.atRest();
  await fingers.pinch([195, 420], 150, 330);
  await until('the page is zoomed', async () => Number(await remote.run('visualViewport.scale')) > 1.7);
  await viewer.atRest();
  await page.screenshot({ path: `${SCREENSHOTS}mobile-live.png` });
  assert.equal(await page.evaluate(() => visualViewport?.scale), 1);

  await page.locator('[data-action=end]').tap();
  await page.locator('.start-form').waitFor();
  assert.equal(await page.locator('cloud-browser').count(), 0);
  await page.screenshot({ path: `${SCREENSHOTS}mobile-ended.png` });
  assert.deepEqual(said, []);
  await context.close();
});
