import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadConfig } from '../../server/src/config/load-config.js';
import { HostChild } from '../../server/src/pool/host/host-child.js';
import { ManualClock } from '../fakes/manual-clock.js';

const { limits } = loadConfig({ API_KEYS: 'key' });

describe('the process of a host', () => {
  it('is not killed later if it has ended, because another process may have its id', async () => {
    const clock = new ManualClock();
    const program = {
      entry: join(tmpdir(), 'there-is-no-such-module.mjs'),
      environment: { PATH: process.env['PATH'] ?? '' },
      ...{ limits, clock },
    };
    const nothing = () => undefined;
    const listener = { onMessage: nothing, onDisconnect: () => child.killAfter(1_000) };
    const place = { directory: tmpdir(), extensions: tmpdir() };
    const child = new HostChild(program, place, undefined, listener);
    assert.equal(await child.exited, 'exit code 1');
    child.killAfter(1_000);
    assert.equal(clock.pending, 0);
  });
});
