import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { CloudBrowserClient } from '../../../src/core/index.js';
import { TAB_METHODS } from '../../../src/protocol/index.js';
import { connectedClient } from '../../fakes/connected-client.js';
import type { FakeHost } from '../../fakes/fake-host.js';

let host: FakeHost;
let client: CloudBrowserClient;
beforeEach(async () => {
  ({ client, host } = await connectedClient());
});

/** Answers the newest call. */
function answer(result?: unknown): { method: string | undefined; args: readonly unknown[] | undefined } {
  const call = host.last.of('call').at(-1);
  host.last.send({ type: 'answer', id: call?.id ?? 0, result });
  return { method: call?.method, args: call?.args };
}

describe('tabs of the SDK', () => {
  it('have the methods of chrome.tabs, with its arguments and results', async () => {
    const created = client.tabs.create({ url: 'https://example.com' });
    const args = [{ url: 'https://example.com' }];
    assert.deepEqual(answer({ id: 7 }), { method: 'tabs.create', args });
    assert.equal((await created).id, 7);
    void client.tabs.update(undefined, { active: true });
    assert.deepEqual(answer(), { method: 'tabs.update', args: [null, { active: true }] });
    void client.tabs.reload();
    assert.deepEqual(answer(), { method: 'tabs.reload', args: [] });
  });

  it('include every method', () => {
    for (const method of TAB_METHODS) assert.equal(typeof client.tabs[method], 'function', method);
  });

  it('deliver events to their listeners until those are removed', async () => {
    const seen: unknown[][] = [];
    const listener = (...args: unknown[]) => seen.push(args);
    const { onMoved } = client.tabs;
    const added = onMoved.addListener(listener);
    assert.deepEqual(answer(), { method: 'subscribe', args: ['tabs.onMoved'] });
    await added;
    await onMoved.addListener(listener);
    assert.equal(onMoved.hasListener(listener), true);
    host.last.send({ type: 'event', name: 'tabs.onMoved', args: [1, { toIndex: 0 }] });
    onMoved.removeListener(listener);
    assert.equal(answer().method, 'unsubscribe');
    host.last.send({ type: 'event', name: 'tabs.onMoved', args: [2, {}] });
    assert.deepEqual(seen, [[1, { toIndex: 0 }]]);
    assert.equal(onMoved.hasListener(listener), false);
  });

  it('add a listener again after it was refused', async () => {
    const listener = () => undefined;
    const refused = client.tabs.onMoved.addListener(listener);
    const id = host.last.of('call').at(-1)?.id ?? 0;
    host.last.send({ type: 'answer', id, error: { code: 'err_forbidden', message: 'No.' } });
    await assert.rejects(refused, { code: 'err_forbidden' });
    assert.equal(client.tabs.onMoved.hasListener(listener), false);
    void client.tabs.onMoved.addListener(listener);
    assert.equal(answer().method, 'subscribe');
  });
});

describe('dialogs of the SDK', () => {
  it('can be listed and answered, and are reported', async () => {
    const listed = client.dialogs.list();
    const dialog = {
      tabId: 7,
      type: 'prompt',
      message: 'Who?',
      defaultPrompt: '',
      url: 'about:blank',
    } as const;
    assert.deepEqual(answer([dialog]), { method: 'dialogs.list', args: [] });
    assert.deepEqual(await listed, [dialog]);
    void client.dialogs.answer(7, { accept: true, text: 'Me' });
    assert.deepEqual(answer(), { method: 'dialogs.answer', args: [7, { accept: true, text: 'Me' }] });
    const seen: unknown[][] = [];
    const adding = client.dialogs.onOpened.addListener((...args) => seen.push(args));
    assert.deepEqual(answer(), { method: 'subscribe', args: ['dialogs.onOpened'] });
    await adding;
    host.last.send({ type: 'event', name: 'dialogs.onOpened', args: [dialog] });
    assert.deepEqual(seen, [[dialog]]);
  });
});
