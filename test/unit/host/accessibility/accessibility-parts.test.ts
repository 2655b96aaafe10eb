import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { AccessibilityWatch } from '../../../../server/src/host/browser/accessibility/accessibility-watch.js';
import { FakeAccessiblePage, type FakeNode } from '../../../fakes/fake-accessible-page.js';
import { PassingTime } from '../../../fakes/passing-time.js';

const ROOT = 1_000_000;
let time: PassingTime;
let page: FakeAccessiblePage;
let watch: AccessibilityWatch;
/** Requested single nodes, and requested subtrees. */
let alone: number[];
let wholes: number[];
beforeEach(() => {
  time = new PassingTime();
  page = new FakeAccessiblePage();
  page.root = ROOT;
  [alone, wholes] = [[], []];
  page.onAsked = (method, key = 0) => {
    if (method === 'Accessibility.getPartialAXTree') alone.push(key);
    if (method === 'Accessibility.queryAXTree') wholes.push(key);
  };
  const front = () => Promise.resolve(page.session);
  watch = new AccessibilityWatch(
    { front, frame: () => undefined, onFrame: () => undefined, answersAgain: () => undefined },
    undefined,
  );
});
afterEach(() => {
  watch.close();
  time.restore();
});

/** A page with one list of this many items, each with a text. */
function list(count: number): void {
  const items = Array.from({ length: count }, (_, index) => index + 1);
  const nodes: [number, FakeNode][] = items.flatMap((key) => [
    [key, { role: 'listitem', inside: [key + 10_000] }],
    [key + 10_000, { role: 'StaticText', name: `Item ${key}` }],
  ]);
  page.add({ ...Object.fromEntries(nodes), [ROOT]: { role: 'RootWebArea', inside: items } });
}
const texts = () =>
  [...(watch.tree?.shown() ?? [])].filter(({ facts }) => facts.role === 'StaticText').length;

describe('reading a part of a page', () => {
  it('is one request for a small subtree', async () => {
    list(50);
    watch.want(true);
    await time.pass(1_000);
    assert.deepEqual([texts(), wholes, alone.length], [50, [ROOT], 0]);
    assert.equal(watch.state, 'complete');
  });

  it('is one request per child for a large subtree', async () => {
    list(1_000);
    watch.want(true);
    await time.pass(10_000);
    assert.deepEqual([texts(), wholes.length], [1_000, 1_000]);
  });

  it('begins with the visible parts', async () => {
    list(1_000);
    page.middle = 700;
    watch.want(true);
    await time.pass(10_000);
    assert.deepEqual([texts(), wholes[0], new Set(wholes).size], [1_000, 700, 1_000]);
  });

  it('continues with the parts next to the visible ones, which may be at the edge of the view', async () => {
    list(1_000);
    page.middle = 2;
    watch.want(true);
    await time.pass(10_000);
    assert.deepEqual(wholes.slice(0, 3), [2, 3, 1]);
  });

  it('is in the order of the page even if a visible child is removed meanwhile', async () => {
    // Needs 24 steps. The children are sorted after every second step, and after the last step.
    list(576);
    page.middle = 10;
    page.add({ 10: { role: 'textbox', says: { editable: 'plaintext' } } });
    const { onAsked } = page;
    page.onAsked = (method, key) => {
      onAsked(method, key);
      if (method === 'DOM.describeNode' && key === 10) page.nodes.delete(10);
    };
    watch.want(true);
    await time.pass(10_000);
    const items = Array.from({ length: 576 }, (_, index) => index + 1);
    assert.deepEqual(
      watch.tree?.root?.inside.map(({ key }) => key),
      items.filter((key) => key !== 10),
    );
  });

  it('is one request per node for a large child', async () => {
    list(300);
    page.count = () => [90_000, 80_000];
    watch.want(true);
    await time.pass(5_000);
    assert.deepEqual([texts(), wholes.length], [300, 0]);
  });

  it('is one request per node when an answer exceeds the limit', async () => {
    list(300);
    page.tooLarge = (method) =>
      ['Accessibility.queryAXTree', 'Accessibility.getChildAXNodes'].includes(method);
    watch.want(true);
    await time.pass(30_000);
    assert.equal(texts(), 300);
    assert.equal(watch.state, 'complete');
  });

  it('is one request per node when the page is not rendered, which is detected once', async () => {
    list(300);
    page.silent = (method) => method === 'Accessibility.queryAXTree';
    watch.want(true);
    await time.pass(30_000);
    assert.equal(texts(), 300);
    assert.equal(watch.state, 'complete');
    assert.ok(wholes.length <= 96, `${wholes.length} questions that are not answered`);
  });

  it('does not trust the size that a page reports', async () => {
    list(300);
    for (const said of [undefined, 'many', [NaN, -1], [1.5, {}], [0, 0]]) {
      page.count = () => said;
      watch.want(true);
      await time.pass(5_000);
      assert.equal(texts(), 300, JSON.stringify(said));
      watch.want(false);
      await time.pass(15_000);
    }
  });

  /** A page with a date of this value, which the browser does not report. */
  const date = (value: string) =>
    page.add({ [ROOT]: { role: 'RootWebArea', inside: [1] }, 1: { role: 'Date', name: 'Start', value } });
  const value = () =>
    [...(watch.tree?.shown() ?? [])].find(({ facts }) => facts.role === 'Date')?.facts.value;

  it('is repeated for a date, whose typed value the browser does not report', async () => {
    date('2026-01-01');
    watch.want(true);
    await time.pass(5_000);
    date('2026-12-31');
    await time.pass(1_000);
    assert.equal(value(), '2026-12-31');
  });

  it('is repeated for a date before the tree counts as complete', async () => {
    date('2026-01-01');
    watch.want(true);
    await time.pass(5_000);
    date('2026-12-31');
    assert.equal(await watch.whenComplete(1_000), true);
    assert.equal(value(), '2026-12-31');
  });

  it('makes the browser report changes', async () => {
    list(300);
    watch.want(true);
    await time.pass(5_000);
    page.change({ 10_007: { role: 'StaticText', name: 'Sold' } });
    await time.pass(100);
    assert.ok([...(watch.tree?.shown() ?? [])].some(({ facts }) => facts.name === 'Sold'));
    const families = page.asked.filter((method) => method === 'Accessibility.getChildAXNodes').length;
    assert.ok(families >= 300, `${families} families`);
  });
});
