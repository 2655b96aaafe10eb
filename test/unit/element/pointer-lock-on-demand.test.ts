import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { EventEmitter } from 'eventemitter3';
import { lockPointerOnDemand } from '../../../src/element/pointer-lock/pointer-lock-on-demand.js';
import type * as LockPart from '../../../src/element/pointer-lock/pointer-lock.js';
import type { Viewer } from '../../../src/viewer/index.js';
import { ManualTimers } from '../../fakes/manual-timers.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Counts the local locks that were started and closed. */
class FakeLock {
  static started = 0;
  static closed = 0;

  constructor() {
    FakeLock.started++;
  }

  close(): void {
    FakeLock.closed++;
  }
}

describe('the code for pointer locks', () => {
  let client: EventEmitter;
  let timers: ManualTimers;
  let loads: number;
  /** The number of loads that fail. */
  let broken: number;
  let failures: string[];
  let end: () => void;

  beforeEach(() => {
    [client, timers] = [new EventEmitter(), new ManualTimers()];
    [loads, broken, failures] = [0, 0, []];
    FakeLock.started = FakeLock.closed = 0;
    end = lockPointerOnDemand(
      { client } as unknown as Viewer,
      ({ name }) => failures.push(name),
      () =>
        ++loads > broken
          ? Promise.resolve({ LocalPointerLock: FakeLock } as unknown as typeof LockPart)
          : Promise.reject(new TypeError('blocked')),
      timers,
    );
  });

  it('is loaded once, when a page locks the pointer, not when it unlocks the pointer', async () => {
    client.emit('pointerLock', false);
    assert.equal(loads, 0);
    for (const locked of [true, false, true]) client.emit('pointerLock', locked);
    await turn();
    assert.deepEqual([loads, FakeLock.started], [1, 1]);
    end();
    assert.equal(FakeLock.closed, 1);
  });

  it('is requested again after a failure, which is not reported if the second attempt succeeds', async () => {
    broken = 1;
    client.emit('pointerLock', true);
    await turn();
    assert.deepEqual([loads, failures, FakeLock.started], [1, [], 0]);
    timers.advance(500);
    await turn();
    assert.deepEqual([loads, failures, FakeLock.started], [2, [], 1]);
  });

  it('is reported once after more failures', async () => {
    broken = 3;
    client.emit('pointerLock', true);
    for (const wait of [500, 1_000, 2_000]) {
      await turn();
      timers.advance(wait);
    }
    await turn();
    assert.deepEqual([loads, failures, FakeLock.started], [4, ['NotLoadedError'], 1]);
  });

  it('is not requested again after the viewer is closed', async () => {
    broken = 1;
    client.emit('pointerLock', true);
    await turn();
    end();
    client.emit('pointerLock', true);
    timers.advance(60_000);
    await turn();
    assert.deepEqual([loads, timers.pending, FakeLock.started], [1, 0, 0]);
  });
});
