import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { CloudBrowserClient } from '../../../src/core/client.js';
import { HELD_INTERVAL_MS } from '../../../src/protocol/index.js';
import { connectedClient } from '../../fakes/connected-client.js';
import type { FakeHost } from '../../fakes/fake-host.js';
import type { ManualTimers } from '../../fakes/manual-timers.js';

describe('held keys', () => {
  let host: FakeHost;
  let timers: ManualTimers;
  let client: CloudBrowserClient;

  beforeEach(async () => {
    ({ client, host, timers } = await connectedClient());
  });

  function key(code: string, pressed: boolean): void {
    client.sendInput({ type: 'key', code, key: code.at(-1) ?? '', modifiers: 0, pressed, repeat: false });
  }

  const told = () => host.last.of('held').length;

  it('are announced in the hello', () => {
    assert.equal(host.last.of('hello')[0]?.tellsHeld, true);
  });

  it('are reported while any key is down', () => {
    key('KeyA', true);
    key('KeyB', true);
    timers.advance(2 * HELD_INTERVAL_MS);
    assert.equal(told(), 2);
    key('KeyA', false);
    timers.advance(HELD_INTERVAL_MS);
    assert.equal(told(), 3);
    key('KeyB', false);
    timers.advance(5 * HELD_INTERVAL_MS);
    assert.equal(told(), 3);
  });

  it('are not reported after all keys were released', () => {
    key('KeyA', true);
    client.sendInput({ type: 'release', modifiers: 0 });
    timers.advance(5 * HELD_INTERVAL_MS);
    assert.equal(told(), 0);
  });

  it('are cleared with their connection', () => {
    key('KeyA', true);
    host.last.close();
    timers.advanceToNext();
    host.last.welcome();
    timers.advance(5 * HELD_INTERVAL_MS);
    assert.equal(told(), 0);
  });
});
