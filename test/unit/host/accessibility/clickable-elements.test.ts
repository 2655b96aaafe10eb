import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { AccessibilityWatch } from '../../../../server/src/host/browser/accessibility/accessibility-watch.js';
import { clickableElements } from '../../../../server/src/host/browser/accessibility/nodes/clickable-elements.js';
import { FakeAccessiblePage } from '../../../fakes/fake-accessible-page.js';
import { PassingTime } from '../../../fakes/passing-time.js';

let time: PassingTime;
let page: FakeAccessiblePage;
let frame: FakeAccessiblePage;
let watch: AccessibilityWatch;
beforeEach(async () => {
  time = new PassingTime();
  page = new FakeAccessiblePage();
  frame = new FakeAccessiblePage('frame');
  page.add({
    1: { role: 'RootWebArea', inside: [2, 4, 5, 6, 8, 9] },
    2: { ignored: true, role: 'none', inside: [3] },
    3: { role: 'StaticText', name: 'Add to cart' },
    4: { role: 'button', name: 'Buy' },
    5: { role: 'listitem', says: { focusable: true } },
    6: { role: 'textbox', says: { editable: 'richtext' }, inside: [7] },
    7: { role: 'paragraph' },
    8: { role: 'Iframe', frame: 'other' },
    9: { ignored: true, role: 'none', inside: [10] },
    10: { inside: [11, 12, 14] },
    11: { inside: [13] },
    12: { role: 'listitem' },
    13: { role: 'StaticText', name: 'Close' },
    14: { inside: [15] },
    15: { role: 'link', name: 'Help' },
  });
  frame.add({ 1: { role: 'RootWebArea', inside: [2] }, 2: { role: 'listitem' } });
  const pages = {
    ...{ front: () => Promise.resolve(page.session), onFrame: () => undefined },
    ...{ frame: (id: string) => (id === 'other' ? frame.session : undefined), answersAgain: () => undefined },
  };
  watch = new AccessibilityWatch(pages, undefined);
  watch.want(true);
  await time.pass(3_000);
});
afterEach(() => {
  watch.close();
  time.restore();
});

/** The session and the number of each element that is found. */
async function found(): Promise<string[]> {
  const { tree } = watch;
  assert.ok(tree);
  return [...(await clickableElements(tree))].map(({ session, key }) => `${session.id} ${key}`);
}

describe('the elements that are clickable without a role', () => {
  it('are those over which the page shows a hand, in frames of other sites too', async () => {
    page.clickable = [2, 99];
    frame.clickable = [2];
    assert.deepEqual(await found(), ['page 2', 'frame 2']);
  });

  it('are not those whose role says it, that have the keyboard, or that are part of an editor', async () => {
    page.clickable = [4, 5, 6, 7];
    page.listening = page.clickable;
    assert.deepEqual(await found(), []);
  });

  it('are those with a listener of their own, but not those that listen for what is inside', async () => {
    page.listening = [9, 10, 11, 12, 14, 15];
    assert.deepEqual(await found(), ['page 11', 'page 12']);
    page.clickable = [13];
    assert.deepEqual(await found(), ['page 13', 'page 12']);
  });

  it('are left out of a document that does not answer', async () => {
    page.clickable = [2];
    frame.clickable = [2];
    page.silent = (method) => method === 'DOM.describeNode';
    const reading = found();
    await time.pass(3_000);
    assert.deepEqual(await reading, ['frame 2']);
  });
});
