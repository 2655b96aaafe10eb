import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccessibilityText, AccessibleNode } from 'cloud-browser/protocol';
import type { ComputerBrowser } from '../../../../server/src/host/features/computer/computer-browser.js';
import { PageReading } from '../../../../server/src/host/features/computer/page/page-reading.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { PassingClock } from '../../../fakes/passing-clock.js';

/**
 * A page with one masked field, which contains "Ada", and a clickable element that repeats it. `onRead` is
 * called while the tree is read.
 */
function pageWith(onRead: () => void): PageReading {
  const answers: Record<string, object> = {
    'Page.createIsolatedWorld': { executionContextId: 1 },
    'DOM.resolveNode': { object: { objectId: '1' } },
    'Runtime.callFunctionOn': { result: { objectId: '2' } },
    'Runtime.getProperties': { result: [{ name: '0', value: { objectId: '3' } }] },
    'DOM.describeNode': { node: { backendNodeId: 7 } },
    'DOMDebugger.getEventListeners': { listeners: [] },
  };
  const session = { send: (method: string) => Promise.resolve(answers[method]), post: () => undefined };
  const plain = { ignored: false, secret: false, inside: [], facts: {}, frame: 'main', session };
  const root = { ...plain, id: 1, facts: { role: 'RootWebArea' } };
  const field = { ...plain, id: 2, parent: root, secret: true, facts: { value: 'Ada' } };
  const button = { ...plain, id: 3, parent: root, ignored: true };
  const link = { ...plain, id: 6, parent: root, facts: { role: 'link', url: 'https://a.test/?to=QWRh' } };
  const texts = [4, 5].map((id) => ({ ...plain, id, parent: button }));
  const told: Record<number, AccessibleNode> = {
    1: { id: 1, role: 'RootWebArea', children: [2, 3, 6] },
    2: { id: 2, role: 'textbox', value: 'Ada', children: [] },
    3: { id: 3, role: 'none', children: [4, 5] },
    4: { id: 4, role: 'StaticText', name: 'Send as', children: [] },
    5: { id: 5, role: 'StaticText', name: 'Ada', children: [] },
    6: { id: 6, role: 'link', name: 'Help', children: [] },
  };
  const tree = {
    root,
    node: (id: number) => [root, field, button, link, ...texts].find((node) => node.id === id),
    of: (_session: object, key: number) => (key === 7 ? button : undefined),
    tell: ({ id }: { id: number }) => told[id],
    secrets: { size: 1, previousValues: [], fields: [field] },
    shown: () => [root],
  };
  const reading = new PageReading(new ManualClock());
  reading.use({
    accessibility: {
      ...{ masking: true, want: () => undefined, tree },
      whenComplete: () => {
        onRead();
        return Promise.resolve(true);
      },
    },
    devices: {
      pages: { front: () => Promise.resolve(undefined), dialogs: { watch: () => () => undefined } },
    },
  } as unknown as ComputerBrowser);
  return reading;
}

const MASKED = [
  '- textbox [disabled] [ref=e2]',
  '- clickable "Send as" [ref=e3]',
  '- link "Help" [ref=e6]',
].join('\n');

/** Returns the text of a page with these nodes and with this main frame. The first node is the root. */
function textWith(
  frame: { url?: string; mimeType?: string; unreachableUrl?: string },
  ...nodes: AccessibleNode[]
): Promise<AccessibilityText> {
  return readingOf(frame, () => nodes).text(() => false);
}

/**
 * Returns the reading of a page with this main frame. `nodes` returns its nodes at each request. The first
 * node is the root.
 */
function readingOf(
  frame: { url?: string; mimeType?: string; unreachableUrl?: string },
  nodes: () => AccessibleNode[],
): PageReading {
  const answers: Record<string, object> = {
    'Page.getNavigationHistory': {
      currentIndex: 0,
      entries: [{ url: frame.url ?? 'https://a.test/', title: '' }],
    },
    'Page.getFrameTree': { frameTree: { frame } },
  };
  const page = { send: (method: string) => Promise.resolve(answers[method]) };
  const root = { id: 1, ignored: false, secret: false, inside: [], facts: {}, session: page };
  const tree = {
    root,
    node: (id: number) => ({ ...root, id }),
    tell: ({ id }: { id: number }) => nodes().find((node) => node.id === id),
  };
  const reading = new PageReading(new PassingClock());
  reading.use({
    accessibility: {
      ...{ masking: false, want: () => undefined, whenComplete: () => Promise.resolve(true) },
      tree: { ...tree, secrets: new Set(), shown: () => [] },
    },
    devices: {
      pages: {
        ...{ front: () => Promise.resolve(page), dialogs: { watch: () => () => undefined } },
        ...{ navigations: { of: () => undefined }, crashes: { has: () => false } },
      },
    },
  } as unknown as ComputerBrowser);
  return reading;
}

describe('the text of a page', () => {
  it('says that the browser asks for a password instead of showing the page', async () => {
    const textOf = (frame: { unreachableUrl?: string }) =>
      textWith(frame, { id: 1, role: 'RootWebArea', children: [] });
    const empty = { text: '', complete: true, url: 'https://a.test/', title: '' };
    assert.deepEqual(await textOf({ unreachableUrl: 'https://a.test/' }), { ...empty, sign_in: true });
    assert.deepEqual(await textOf({}), empty);
  });

  it('does not take an error page whose text appears late for one that asks for a password', async () => {
    const button = { id: 2, role: 'button', name: 'Reload', children: [] };
    let requests = 0;
    const nodes = () => [{ id: 1, role: 'RootWebArea', children: ++requests < 3 ? [] : [2] }, button];
    const read = await readingOf({ unreachableUrl: 'https://a.test/' }, nodes).text(() => false);
    assert.equal(read.text, '- button "Reload" [ref=e2]');
    assert.equal(read.sign_in, undefined);
  });

  it('is that of the page whose address it has, if another page becomes active meanwhile', async () => {
    const pageAt = (url: string) => ({
      send: () => Promise.resolve({ currentIndex: 0, entries: [{ url, title: '' }] }),
    });
    const pages = [pageAt('https://a.test/'), pageAt('https://b.test/')];
    let read = 0;
    const reading = new PageReading(new PassingClock());
    const tree = () => {
      const page = pages[read - 1];
      const root = { id: read, ignored: false, secret: false, inside: [], facts: {}, session: page };
      return {
        ...{ root, node: () => root, secrets: new Set(), shown: () => [] },
        tell: () => ({ id: read, role: 'button', name: `Page ${read}`, children: [] }),
      };
    };
    reading.use({
      accessibility: {
        ...{ masking: false, want: () => undefined },
        whenComplete: () => Promise.resolve(++read > 0),
        get tree() {
          return tree();
        },
      },
      devices: {
        pages: {
          ...{ front: () => Promise.resolve(pages[1]), dialogs: { watch: () => () => undefined } },
          ...{ navigations: { of: () => undefined }, crashes: { has: () => false } },
        },
      },
    } as unknown as ComputerBrowser);
    const { text, url } = await reading.text(() => true);
    assert.deepEqual([text, url], ['- button "Page 2" [ref=e2]', 'https://b.test/']);
  });

  it('says that the page is a PDF, whose content it does not have', async () => {
    const pdf = { mimeType: 'application/pdf' };
    const read = await textWith(pdf, { id: 1, role: 'Iframe', children: [] });
    assert.deepEqual([read.text, read.pdf], ['- iframe [ref=e1]', true]);
    const bar = { id: 2, role: 'button', name: 'Zoom in', children: [] };
    const withBar = await textWith(pdf, { id: 1, role: 'Iframe', children: [2] }, bar);
    assert.deepEqual([withBar.text, withBar.pdf], ['- iframe [ref=e1]\n  - button "Zoom in" [ref=e2]', true]);
    const page = await textWith({ mimeType: 'text/html' }, { id: 1, role: 'Iframe', children: [] });
    assert.equal('pdf' in page, false);
    const withText = await textWith(pdf, { id: 1, role: 'button', name: 'Open', children: [] });
    assert.equal('pdf' in withText, false);
  });

  it('has no address of megabytes', async () => {
    const url = `https://a.test/#${'x'.repeat(2_000_000)}`;
    const read = await textWith({ url }, { id: 1, role: 'button', name: 'Open', children: [] });
    assert.equal(read.url, url.slice(0, 16_384));
  });

  it('says at once that the page has crashed', async () => {
    const reading = new PageReading(new ManualClock());
    const page = {};
    reading.use({
      accessibility: {
        ...{ masking: false, want: () => undefined, tree: undefined },
        whenComplete: () => new Promise(() => undefined),
      },
      devices: {
        pages: {
          ...{ front: () => Promise.resolve(page), dialogs: { watch: () => () => undefined } },
          ...{ navigations: { of: () => undefined }, crashes: { has: (one: object) => one === page } },
        },
      },
    } as unknown as ComputerBrowser);
    const crashed = { code: 'err_page_unresponsive', message: /crashed.*reload/ };
    await assert.rejects(
      reading.text(() => true),
      crashed,
    );
  });

  it('has the content of masked fields only for readers with the role', async () => {
    const page = pageWith(() => undefined);
    assert.equal(
      (await page.text(() => true)).text,
      ['- textbox [ref=e2]: Ada', '- clickable "Send as Ada" [ref=e3]', '- link "Help" [ref=e6]'].join('\n'),
    );
    assert.equal((await page.text(() => false)).text, MASKED);
  });

  it('has the addresses of links on request, unless they could contain what is masked', async () => {
    const page = pageWith(() => undefined);
    const withLinks = async (seesMasked: boolean) =>
      (await page.text(() => seesMasked, undefined, { links: true })).text;
    assert.match(await withLinks(true), /- link "Help" \[ref=e6\] \[url="https:\/\/a\.test\/\?to=QWRh"\]$/);
    assert.equal(await withLinks(false), MASKED);
  });

  it('starts after a node, and fails if the page does not show it', async () => {
    const page = pageWith(() => undefined);
    const after = async (node: number) => (await page.text(() => true, undefined, { after: node })).text;
    assert.equal(await after(3), '- link "Help" [ref=e6]');
    assert.equal(await after(6), '');
    await assert.rejects(after(77), { code: 'err_node_gone' });
  });

  it('has no content of masked fields if the reader loses the role while the page is read', async () => {
    let hasRole = true;
    const page = pageWith(() => (hasRole = false));
    assert.equal((await page.text(() => hasRole)).text, MASKED);
  });
});
