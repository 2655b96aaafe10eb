import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { PageEvents } from '../../../../server/src/host/browser/pages/watch/page-events.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';

const entry = (id: number) => ({ id, url: `https://example.com/${id}` });
const settle = async () => {
  for (let i = 0; i < 8; i++) await turn();
};

test('a page that changes its history in a loop causes one request at a time', async (context) => {
  const browser = new FakeBrowser();
  context.after(() => browser.cdp.close());
  const [page, events, recorded] = [browser.cdp.session('front'), new PageEvents(), [] as string[]];
  events.follow(page, 'target');
  browser.history = [entry(1), entry(2)];
  events.onRecorded = (_, event) => recorded.push(event);
  await settle();
  browser.commands.length = 0;
  browser.silent = () => true;
  for (let count = 0; count < 100; count++) browser.tell('Page.navigatedWithinDocument', {}, 'front');
  await settle();
  const [asked, ...others] = browser.commands;
  assert.equal(others.length, 0);
  // The page goes back while the first request is in progress.
  assert.ok(asked);
  browser.silent = () => false;
  browser.answer(asked);
  browser.history = [entry(1)];
  await settle();
  assert.equal(browser.methods.length, 2);
  assert.deepEqual(recorded, ['back']);
});
