import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openingOf, type BrowserCalls } from '../../../../server/src/host/features/computer/browser-calls.js';

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

describe('open', () => {
  it('navigates the active tab', async () => {
    assert.deepEqual(await callsOf({ url }), [['tabs.update', 5, { url }]]);
  });

  it('leaves a page that does not answer, with force', async () => {
    assert.deepEqual(await callsOf({ url, force: true }), [['tabs.update', 5, { url, force: true }]]);
  });

  it('refuses another kind of force', async () => {
    assert.throws(() => openingOf({ url, force: 'yes' }), { code: 'err_invalid_parameter' });
  });
});
