import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  openingOf,
  tabsActionOf,
  type BrowserCalls,
} from '../../../../server/src/host/features/computer/browser-calls.js';
import {
  actionOf,
  type ActionParts,
} from '../../../../server/src/host/features/computer/computer-actions.js';
import { PassingClock } from '../../../fakes/passing-clock.js';

/** Calls that `open` makes with these fields. */
async function callsOf(fields: Record<string, unknown>): Promise<unknown[]> {
  const calls: unknown[] = [];
  const browser: BrowserCalls = {
    read: () => Promise.resolve([{ id: 5, active: true }]),
    act: (_role, method, args) => Promise.resolve(void calls.push([method, ...args])),
  };
  await openingOf(fields)(browser);
  return calls;
}

const url = 'https://example.com';
const neverLoading = () => Promise.resolve(false);

describe('open', () => {
  it('navigates the active tab', async () => {
    assert.deepEqual(await callsOf({ url }), [['tabs.update', 5, { url }]]);
  });

  it('leaves a page that does not answer, with force', async () => {
    assert.deepEqual(await callsOf({ url, force: true }), [['tabs.update', 5, { url, force: true }]]);
  });

  /** Returns the result of `open` if the active page has these newest navigations before and after. */
  const resultWith = (newest: readonly (object | undefined)[], isLoading = false) => {
    const navigations = [...newest];
    const browser: BrowserCalls = {
      read: () => Promise.resolve([{ id: 5, active: true }]),
      act: () => Promise.resolve(undefined),
    };
    const parts = {
      ...{ browser, isLoading: () => Promise.resolve(isLoading), clock: new PassingClock() },
      newestNavigation: () => Promise.resolve(navigations.shift()),
    };
    return actionOf('open', { url })(parts as unknown as ActionParts);
  };

  it('says that the address is a download, or has no document, so the page did not change', async () => {
    const [shown, download] = [{ unchanged: undefined }, { unchanged: 'download' }];
    assert.deepEqual(await resultWith([shown, download]), { done: true, unchanged: 'download' });
    const empty = { unchanged: 'no_document' };
    assert.deepEqual(await resultWith([undefined, empty]), { done: true, unchanged: 'no_document' });
    const late = { unchanged: 'no_document' };
    const result = resultWith([shown, late]);
    setImmediate(() => (late.unchanged = 'download'));
    assert.deepEqual(await result, { done: true, unchanged: 'download' }, 'the browser reports it later');
    assert.deepEqual(await resultWith([download, { ...shown }]), { done: true });
    assert.deepEqual(await resultWith([download, download]), { done: true }, 'only the part after # differs');
    assert.deepEqual(await resultWith([download, { ...shown }], true), { done: true, loading: true });
  });

  it('says the same about a new tab, which may show nothing before the host follows it', async () => {
    const resultFor = (tabs: object[], ...later: object[][]) => {
      const reads = [tabs, ...later];
      const browser: BrowserCalls = {
        read: () => Promise.resolve(reads.length > 1 ? reads.shift() : reads[0]),
        act: () => Promise.resolve({ id: 8 }),
      };
      const newestNavigation = () => Promise.resolve(undefined);
      const parts = { browser, isLoading: neverLoading, newestNavigation, clock: new PassingClock() };
      return actionOf('open', { url, new_tab: true })(parts as unknown as ActionParts);
    };
    assert.deepEqual(await resultFor([{ id: 5 }]), { done: true, unchanged: 'download' });
    const empty = { id: 8, url: '', status: 'complete' };
    assert.deepEqual(await resultFor([empty]), { done: true, unchanged: 'no_document' });
    const closing = await resultFor([empty], []);
    assert.deepEqual(closing, { done: true, unchanged: 'download' }, 'the tab is closed later');
    assert.deepEqual(await resultFor([{ ...empty, status: 'loading' }]), { done: true });
    assert.deepEqual(await resultFor([{ ...empty, url }]), { done: true });
  });

  it('refuses another kind of force', async () => {
    assert.throws(() => openingOf({ url, force: 'yes' }), { code: 'err_invalid_parameter' });
  });
});

describe('a list of tabs', () => {
  it('names one active tab, that of the window that was used last', async () => {
    const tabs = [5, 8].map((id) => ({ id, active: true }));
    const browser: BrowserCalls = {
      read: (_role, _method, [query]) =>
        Promise.resolve('currentWindow' in Object(query) ? tabs.slice(1) : tabs),
      act: () => Promise.resolve(undefined),
    };
    const listed = await tabsActionOf({})(browser, neverLoading);
    assert.deepEqual(
      listed.tabs.map(({ id, active }) => [id, active]),
      [
        [5, false],
        [8, true],
      ],
    );
  });
});

describe('a step in the history', () => {
  const browser: BrowserCalls = {
    read: () => Promise.resolve([{ id: 5, title: 'A', url, active: true }]),
    act: () => Promise.resolve(undefined),
  };
  const tabs = [{ id: 5, title: 'A', url, active: true }];
  const loading = () => Promise.resolve(true);

  it('says that the web server has not answered yet', async () => {
    for (const action of ['back', 'forward', 'reload'])
      assert.deepEqual(await tabsActionOf({ action })(browser, loading), { tabs, loading: true });
    assert.deepEqual(await tabsActionOf({ action: 'back', id: 5 })(browser, loading), {
      tabs,
      loading: true,
    });
    assert.deepEqual(await tabsActionOf({ action: 'back' })(browser, neverLoading), { tabs });
  });

  it('does not wait for the active page if it is in another tab', async () => {
    assert.deepEqual(await tabsActionOf({ action: 'back', id: 8 })(browser, loading), { tabs });
  });
});

describe('an action on the active tab', () => {
  /** A kiosk with the tab 5, and the tab 8 of a popup in front of it. */
  const callsIn = (front: { id: number }[]) => {
    const calls: unknown[] = [];
    const tabs = [5, 8].map((id) => ({ id, active: true }));
    const browser: BrowserCalls = {
      read: (_role, _method, [query]) => Promise.resolve('currentWindow' in Object(query) ? front : tabs),
      act: (_role, method, args) => Promise.resolve(void calls.push([method, ...args])),
    };
    return { browser, calls };
  };

  it('is for the window that was used last', async () => {
    const { browser, calls } = callsIn([{ id: 8 }]);
    await tabsActionOf({ action: 'close' })(browser, neverLoading);
    await openingOf({ url })(browser);
    assert.deepEqual(calls, [
      ['tabs.remove', 8],
      ['tabs.update', 8, { url }],
    ]);
  });

  it('is for any active tab if the browser names no window', async () => {
    const { browser, calls } = callsIn([]);
    await tabsActionOf({ action: 'back' })(browser, neverLoading);
    assert.deepEqual(calls, [['tabs.goBack', 5]]);
  });
});
