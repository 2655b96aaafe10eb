import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { EventEmitter } from 'eventemitter3';
import { lockPointerOnDemand } from '../../../src/element/pointer-lock/pointer-lock-on-demand.js';
import type { Viewer } from '../../../src/viewer/index.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the code for pointer locks', () => {
  let client: EventEmitter;
  let loads: number;
  let failures: string[];

  beforeEach(() => {
    [client, loads, failures] = [new EventEmitter(), 0, []];
    lockPointerOnDemand(
      { client } as unknown as Viewer,
      ({ name }) => failures.push(name),
      () => {
        loads++;
        return Promise.reject(new TypeError('blocked'));
      },
    );
  });

  it('is loaded when a page locks the pointer, not when it unlocks the pointer', () => {
    client.emit('pointerLock', false);
    assert.equal(loads, 0);
    client.emit('pointerLock', true);
    assert.equal(loads, 1);
  });

  it('is loaded again with the next lock after a failure, which is reported once', async () => {
    for (const attempt of [1, 2, 3]) {
      client.emit('pointerLock', true);
      await turn();
      client.emit('pointerLock', false);
      await turn();
      assert.equal(loads, attempt);
    }
    assert.deepEqual(failures, ['NotLoadedError']);
  });
});
