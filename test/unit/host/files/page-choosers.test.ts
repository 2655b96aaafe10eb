import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { followChoosers, PageChooser } from '../../../../server/src/host/browser/files/choosers.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

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

test('a page that is busy for some seconds gets the event when its chooser is cancelled', async (context) => {
  const time = new PassingTime();
  context.after(() => time.restore());
  const browser = new FakeBrowser();
  context.after(() => browser.cdp.close());
  browser.silent = () => true;
  const cancelling = new PageChooser(browser.cdp.session('front'), 'frame', 5, false, false, '').cancel();
  await time.pass(20_000);
  browser.speak();
  await cancelling;
  assert.ok(browser.methods.includes('Runtime.callFunctionOn'));
});

test('a file chooser of a page that is busy for some seconds opens when the page answers', async (context) => {
  const time = new PassingTime();
  context.after(() => time.restore());
  const browser = new FakeBrowser();
  context.after(() => browser.cdp.close());
  browser.silent = ({ method }) => method === 'DOM.describeNode';
  const opened: PageChooser[] = [];
  followChoosers(browser.cdp.session('front'), () => (chooser) => opened.push(chooser));
  const chooser = { frameId: 'frame-front', mode: 'selectMultiple', backendNodeId: 5 };
  browser.tell('Page.fileChooserOpened', chooser, 'front');
  await time.pass(20_000);
  assert.deepEqual(opened, []);
  const asked = browser.commands.find(({ method }) => method === 'DOM.describeNode');
  assert.ok(asked);
  browser.answer(asked);
  await settle();
  assert.deepEqual(
    opened.map(({ node, multiple }) => [node, multiple]),
    [[5, true]],
  );
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
