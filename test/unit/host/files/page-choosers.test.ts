import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
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

for (const [what, frame, ends] of [
  ['its page navigates', { id: 'frame-main' }, true],
  ['another frame of its page navigates', { id: 'frame-other', parentId: 'frame-main' }, false],
] as const)
  test(`a file chooser of an inner frame ${ends ? 'ends' : 'stays'} when ${what}`, async (context) => {
    const browser = new FakeBrowser();
    context.after(() => browser.cdp.close());
    const page = browser.cdp.session('front');
    const chooser = new PageChooser(page, 'frame-inner', 5, false, false, '');
    let gone = false;
    void chooser.gone.then(() => (gone = true));
    browser.tell('Page.frameNavigated', { frame: { ...frame, url: 'https://example.com/' } }, 'front');
    for (let i = 0; i < 8; i++) await turn();
    assert.equal(gone, ends);
  });
