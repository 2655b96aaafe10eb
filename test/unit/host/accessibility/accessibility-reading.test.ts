import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { AccessibilityWatch } from '../../../../server/src/host/browser/accessibility/accessibility-watch.js';
import type { CdpSession } from '../../../../server/src/host/browser/cdp/cdp-session.js';
import {
  MAX_CHARS,
  MAX_DEPTH,
  MAX_NODES,
  MAX_TEXT,
  MAX_VALUE,
} from '../../../../server/src/host/browser/accessibility/tree-limits.js';
import { FakeAccessiblePage, type FakeNode } from '../../../fakes/fake-accessible-page.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

let time: PassingTime;
let page: FakeAccessiblePage;
let front: CdpSession | undefined;
let frames: Map<string, CdpSession>;
let watch: AccessibilityWatch;
let states: string[];
let resets: number;
/** The frame events that the reader enables in the browser's pages. */
let pages: {
  front: () => Promise<CdpSession | undefined>;
  frame: (id: string) => CdpSession | undefined;
  onFrame: (id: string) => void;
  answersAgain: () => Promise<void> | undefined;
};
beforeEach(() => {
  time = new PassingTime();
  page = new FakeAccessiblePage();
  page.add({ 1: { role: 'RootWebArea', name: 'Shop', inside: [2] }, 2: { role: 'button', name: 'Buy' } });
  front = page.session;
  frames = new Map();
  states = [];
  resets = 0;
  pages = {
    ...{ front: () => Promise.resolve(front), frame: (id) => frames.get(id), onFrame: () => undefined },
    answersAgain: () => undefined,
  };
  open();
});
afterEach(() => {
  watch.close();
  time.restore();
});

function open(): void {
  watch = new AccessibilityWatch(pages, undefined);
  watch.listener = {
    onReset: () => {
      resets++;
    },
    onChanged: () => undefined,
    onRemoved: () => undefined,
    onState: (state) => void states.push(state),
  };
}

/** Role and name of all known nodes. */
const words = () =>
  [...(watch.tree?.shown() ?? [])].map(({ facts }) => `${facts.role} ${facts.name ?? ''}`.trim());
const many = (first: number, count: number, node: FakeNode): Record<number, FakeNode> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [first + index, node]));
const keys = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

describe('reading an accessibility tree', () => {
  it('keeps the addresses of links, but does not report them to viewers', async () => {
    const says = { url: 'https://a.test/help' };
    page.add({ 1: { role: 'RootWebArea', inside: [2], says }, 2: { role: 'link', name: 'Help', says } });
    watch.want(true);
    await time.pass(1_000);
    const { tree } = watch;
    const urls = [...(tree?.shown() ?? [])].map((node) => [node.facts.role, node.facts.url]);
    assert.deepEqual(urls, [
      ['RootWebArea', undefined],
      ['link', says.url],
    ]);
    for (const node of tree?.shown() ?? []) assert.ok(tree && !('url' in tree.tell(node)));
  });

  it('sends no command to a page before a viewer requests it', async () => {
    await time.pass(5_000);
    assert.equal(page.asked.length, 0);
    watch.want(true);
    await time.pass(1_000);
    assert.deepEqual(words(), ['RootWebArea Shop', 'button Buy']);
    assert.equal(watch.state, 'complete');
    watch.want(false);
    await time.pass(15_000);
    assert.equal(watch.tree, undefined);
    assert.equal(page.asked.at(-1), 'Accessibility.disable');
  });

  it('is abandoned at its deadline if a page never answers, and retried with growing delays', async () => {
    page.silent = () => true;
    watch.want(true);
    await time.pass(2_500);
    assert.equal(watch.state, 'silent');
    assert.equal(watch.tree, undefined);
    await time.pass(60_000);
    const tries = page.asked.filter((method) => method === 'Accessibility.getRootAXNode').length;
    assert.ok(tries >= 4 && tries <= 8, `${tries} tries in a minute`);
    page.silent = () => false;
    await time.pass(20_000);
    assert.equal(watch.state, 'complete');
    assert.deepEqual(words(), ['RootWebArea Shop', 'button Buy']);
  });

  it('keeps the tree of a page that waits for a web server, and reads its next document at once', async () => {
    watch.want(true);
    await time.pass(1_000);
    let answers: () => void = () => undefined;
    const again = new Promise<void>((resolve) => (answers = resolve));
    pages.answersAgain = () => again;
    page.silent = () => true;
    page.change({ 2: { role: 'button', name: 'Pay', inside: [3] }, 3: { role: 'link', name: 'More' } });
    await time.pass(30_000);
    assert.equal(watch.state, 'reading');
    assert.equal(words()[0], 'RootWebArea Shop');
    assert.equal(states.includes('silent'), false);
    const asked = page.asked.length;
    await time.pass(30_000);
    assert.equal(page.asked.length, asked, 'no command waits in the browser');
    page.add({ 1: { role: 'RootWebArea', name: 'Bank' } });
    pages.answersAgain = () => undefined;
    page.silent = () => false;
    answers();
    await time.pass(500);
    assert.equal(watch.state, 'complete');
    assert.deepEqual(words(), ['RootWebArea Bank']);
  });

  it('finds the visible page even if pages take seconds to report it', async () => {
    const { front: at } = pages;
    pages.front = () =>
      new Promise((resolve) => {
        setTimeout(() => resolve(at()), 1_500);
      });
    watch.want(true);
    await time.pass(4_000);
    assert.deepEqual(words(), ['RootWebArea Shop', 'button Buy']);
  });

  it('is complete only for the page that users see now', async () => {
    watch.want(true);
    await time.pass(1_000);
    assert.equal(watch.state, 'complete');
    const other = new FakeAccessiblePage('other').add({ 1: { role: 'RootWebArea', name: 'Bank' } });
    front = other.session;
    const complete = watch.whenComplete(800);
    await time.pass(800);
    assert.equal(await complete, true);
    assert.deepEqual(words(), ['RootWebArea Bank']);
  });

  it('is not complete if the browser does not report in time which page users see', async () => {
    watch.want(true);
    await time.pass(1_000);
    pages.front = () => new Promise(() => undefined);
    const complete = watch.whenComplete(300);
    await time.pass(300);
    assert.equal(await complete, false);
  });

  it('restarts when the page navigates meanwhile, and reports nothing of the previous page', async () => {
    page.add({
      1: { role: 'RootWebArea', name: 'Shop', inside: keys(2, 600) },
      ...many(2, 600, { role: 'button', name: 'Old' }),
    });
    let answers = 0;
    page.onAsked = (method) => {
      if (method !== 'Accessibility.queryAXTree' || ++answers !== 20) return;
      page.root = 1_001;
      page.add({
        1_001: { role: 'RootWebArea', name: 'Till', inside: [1_002] },
        1_002: { role: 'button', name: 'Pay' },
      });
      page.tell('Page.frameNavigated', { frame: { id: 'frame-page' } });
    };
    watch.want(true);
    await time.pass(3_000);
    assert.deepEqual(words(), ['RootWebArea Till', 'button Pay']);
    assert.ok(resets >= 1);
    assert.equal(watch.state, 'complete');
  });

  it('restarts a few times a second for a page that navigates all the time', async () => {
    watch.want(true);
    await time.pass(500);
    page.asked.length = 0;
    for (let count = 0; count < 100; count++) {
      page.tell('Page.frameNavigated', { frame: { id: 'frame-page' } });
      await time.pass(50);
    }
    const begun = page.asked.filter((method) => method === 'Accessibility.getRootAXNode').length;
    assert.ok(begun <= 20, `begun ${begun} times in five seconds`);
  });

  it('is abandoned for a page that sends too much at once, and the browser continues', async () => {
    watch.want(true);
    await time.pass(1_000);
    page.change({ 2: { role: 'button', name: 'x'.repeat(1_500_000) } });
    await settle();
    assert.equal(watch.state, 'silent');
    await time.pass(500);
    assert.equal(page.asked.at(-1), 'Accessibility.disable');
  });

  it('restarts after a while when the browser reported too many changes to read', async () => {
    watch.want(true);
    await time.pass(1_000);
    watch.missed();
    assert.equal(watch.state, 'silent');
    page.add({ 2: { role: 'button', name: 'Sold' } });
    await time.pass(2_000);
    assert.deepEqual([watch.state, ...words()], ['complete', 'RootWebArea Shop', 'button Sold']);
  });
});

describe('hidden content', () => {
  it('is read once it is visible, even without a report from the browser', async () => {
    page.add({
      ...{ 1: { role: 'RootWebArea', name: 'Bank', inside: [2] }, 2: { ignored: true, inside: [3] } },
      ...{ 3: { ignored: true, inside: [4, 5] }, 4: { role: 'button', name: 'Pay' }, 5: { ignored: true } },
    });
    watch.want(true);
    await time.pass(2_000);
    assert.deepEqual(words(), ['RootWebArea Bank', 'button Pay']);
    page.add({
      3: { ignored: true, inside: [4, 9] },
      9: { role: 'dialog', name: 'Confirm', inside: [6, 7] },
      ...{ 6: { role: 'LabelText', inside: [8] }, 7: { role: 'button', name: 'Yes' } },
      8: { role: 'textbox', name: 'Code' },
    });
    await time.pass(4_000);
    assert.deepEqual(words().sort(), [
      'LabelText',
      'RootWebArea Bank',
      'button Pay',
      'button Yes',
      'dialog Confirm',
      'textbox Code',
    ]);
  });
});

describe('frames of an accessibility tree', () => {
  let frame: FakeAccessiblePage;
  beforeEach(() => {
    page.add({
      1: { role: 'RootWebArea', name: 'Shop', inside: [2, 3] },
      3: { role: 'Iframe', name: 'Ad', frame: 'ad' },
    });
    frame = new FakeAccessiblePage('ad');
    frame.add({ 1: { role: 'RootWebArea', name: 'Offer', inside: [2] }, 2: { role: 'link', name: 'More' } });
    frames.set('ad', frame.session);
  });
  const all = ['RootWebArea Shop', 'button Buy', 'Iframe Ad', 'RootWebArea Offer', 'link More'];
  const own = all.slice(0, 3);

  it('are read with the page', async () => {
    watch.want(true);
    await time.pass(2_000);
    assert.deepEqual(words().sort(), [...all].sort());
  });

  it('that do not answer delay only themselves, and are retried', async () => {
    frame.silent = () => true;
    watch.want(true);
    await time.pass(10_000);
    assert.deepEqual(words().sort(), [...own].sort());
    assert.equal(watch.state, 'complete');
    assert.ok(!states.includes('silent'));
    const asked = frame.asked.filter((method) => method === 'Accessibility.getRootAXNode').length;
    assert.ok(asked <= 3, `${asked} times in ten seconds`);
    frame.silent = () => false;
    await time.pass(60_000);
    assert.deepEqual(words().sort(), [...all].sort());
  });

  it('that answered for a while are retried soon when they do not answer again', async () => {
    frame.silent = () => true;
    watch.want(true);
    await time.pass(30_000);
    frame.silent = () => false;
    await time.pass(120_000);
    assert.deepEqual(words().sort(), [...all].sort());
    frame.add({ 3: { role: 'link', name: 'Less' } });
    frame.silent = () => true;
    frame.change({ 2: { role: 'link', name: 'More', inside: [3] } });
    await time.pass(3_000);
    assert.deepEqual(words().sort(), [...own].sort());
    frame.silent = () => false;
    await time.pass(5_000);
    assert.deepEqual(words().sort(), [...all, 'link Less'].sort());
  });

  it('that are removed take only their own content away', async () => {
    watch.want(true);
    await time.pass(2_000);
    const before = resets;
    frame.silent = () => true;
    frame.change({ 2: { role: 'link', name: 'Less', inside: [3] } });
    await time.pass(100);
    frames.delete('ad');
    frame.session.end('detached');
    await time.pass(2_000);
    assert.deepEqual(words().sort(), [...own].sort());
    assert.equal(resets, before);
    assert.equal(watch.state, 'complete');
  });

  it('that navigate at any rate are read in turn', async () => {
    watch.want(true);
    await time.pass(2_000);
    page.asked.length = 0;
    for (let count = 0; count < 5_000; count++)
      page.tell('Page.frameNavigated', { frame: { id: 'ad', parentId: 'x' } });
    await time.pass(5_000);
    assert.ok(page.asked.length <= 20, `${page.asked.length} questions`);
  });
});

describe('the accessibility tree of a hostile page', () => {
  it('has a limit of nodes', async () => {
    const count = MAX_NODES + 500;
    page.root = 1_000_000;
    page.add({
      1_000_000: { role: 'RootWebArea', inside: [2_000_000] },
      2_000_000: { role: 'link', inside: [3_000_000] },
    });
    page.add({ 3_000_000: { ignored: true, inside: keys(1, count) }, ...many(1, count, { role: 'button' }) });
    watch.want(true);
    await time.pass(60_000);
    assert.equal(watch.tree?.size, MAX_NODES);
  });

  it('has a limit of depth, also when known nodes are moved deeper and deeper', async () => {
    const length = MAX_DEPTH + 100;
    page.add({ 1: { role: 'RootWebArea', inside: [2] } });
    for (let key = 2; key < length; key++) page.add({ [key]: { role: 'group', inside: [key + 1] } });
    page.add({ [length]: { role: 'group' } });
    watch.want(true);
    await time.pass(30_000);
    const deepest = () => Math.max(...[...(watch.tree?.shown() ?? [])].map(({ depth }) => depth));
    assert.equal(deepest(), MAX_DEPTH);
    page.add({ 1: { role: 'RootWebArea', inside: [5_000] } });
    for (let key = 5_000; key < 5_150; key++)
      page.add({ [key]: { role: 'group', inside: [key === 5_149 ? 2 : key + 1] } });
    page.change({ 1: { role: 'RootWebArea', inside: [5_000] } });
    await time.pass(30_000);
    assert.ok(deepest() <= MAX_DEPTH, `${deepest()} deep`);
  });

  it('has a limit for each text and for all texts', async () => {
    const long = 'x'.repeat(MAX_VALUE * 2);
    page.add({ 1: { role: 'RootWebArea', name: long, inside: keys(2, 300) } });
    page.add(many(2, 300, { role: 'slider', name: long, value: long }));
    watch.want(true);
    await time.pass(60_000);
    let chars = 0;
    for (const { facts } of watch.tree?.shown() ?? []) {
      assert.ok((facts.name ?? '').length <= MAX_TEXT && (facts.value ?? '').length <= MAX_VALUE);
      chars += JSON.stringify(facts).length;
    }
    assert.ok(chars <= MAX_CHARS * 1.1, `${chars} characters`);
    assert.equal(words().length, 301);
  });

  it('with constant changes queues only the newest state of each node', async () => {
    page.add({
      1: { role: 'RootWebArea', inside: keys(2, 50) },
      ...many(2, 50, { role: 'button', name: '0' }),
    });
    watch.want(true);
    await time.pass(3_000);
    for (let count = 1; count <= 400; count++)
      page.change(many(2, 50, { role: 'button', name: String(count) }));
    await time.pass(1_000);
    assert.deepEqual(words(), ['RootWebArea', ...keys(2, 50).map(() => 'button 400')]);
  });

  it('with endless new and removed frames keeps none of the removed ones', async () => {
    watch.want(true);
    await time.pass(1_000);
    for (let count = 0; count < 200; count++) {
      page.add({ [100 + count]: { role: 'Iframe', frame: `f${count}` } });
      page.change({ 1: { role: 'RootWebArea', inside: [2, 100 + count] } });
      await time.pass(100);
    }
    assert.ok((watch.tree?.size ?? 0) <= 5, `${watch.tree?.size} nodes`);
  });
});
