import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { Emitter } from '../../../src/core/emitter.js';

interface Events {
  moved: [x: number, y: number];
  gone: [];
}

describe('an emitter', () => {
  let emitter: Emitter<Events>;
  let told: string[];
  const first = (x: number) => void told.push(`first ${x}`);
  const second = (_x: number, y: number) => void told.push(`second ${y}`);
  beforeEach(() => {
    emitter = new Emitter();
    told = [];
  });

  it('tells its listeners in their order, and whether there was one', () => {
    assert.equal(emitter.emit('moved', 1, 2), false);
    emitter.on('moved', first).on('moved', second);
    assert.equal(emitter.emit('moved', 1, 2), true);
    assert.equal(emitter.emit('gone'), false);
    assert.deepEqual(told, ['first 1', 'second 2']);
  });

  it('tells a listener once', () => {
    emitter.once('moved', first);
    for (const x of [1, 2]) emitter.emit('moved', x, 0);
    assert.deepEqual(told, ['first 1']);
    assert.equal(emitter.listenerCount('moved'), 0);
  });

  it('is not told while it tells once: a listener that emits again is not called twice', () => {
    emitter.once('moved', (x) => {
      told.push(`once ${x}`);
      if (x < 3) emitter.emit('moved', x + 1, 0);
    });
    emitter.emit('moved', 1, 0);
    assert.deepEqual(told, ['once 1']);
  });

  it('forgets a listener, one for once too, and all of a name', () => {
    emitter.on('moved', first).once('moved', first).on('moved', second).off('moved', first);
    emitter.emit('moved', 1, 2);
    emitter.off('moved').emit('moved', 3, 4);
    assert.deepEqual(told, ['second 2']);
  });

  it('tells who listened when it began', () => {
    emitter.on('moved', () => emitter.off('moved', second).on('moved', first));
    emitter.on('moved', second);
    emitter.emit('moved', 1, 2);
    assert.deepEqual(told, ['second 2']);
    emitter.removeAllListeners();
    assert.equal(emitter.listenerCount('moved'), 0);
  });
});
