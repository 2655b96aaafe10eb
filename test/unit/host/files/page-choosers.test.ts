import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageChooser } from '../../../../server/src/host/browser/files/choosers.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';

test("a page's file chooser that is cancelled keeps no object of the page", async (context) => {
  const browser = new FakeBrowser();
  context.after(() => browser.cdp.close());
  const page = browser.cdp.session('front');
  await new PageChooser(page, 'frame-front', 5, false, false, '').cancel();
  const [, called, released] = browser.commands;
  assert.deepEqual(browser.methods, ['DOM.resolveNode', 'Runtime.callFunctionOn', 'Runtime.releaseObject']);
  assert.ok(called?.params['objectId']);
  assert.equal(released?.params['objectId'], called.params['objectId']);
});
