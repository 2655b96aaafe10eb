import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { assertNothingLeft, changed, sharedState } from '../../../scripts/lib/left-behind.mjs';

describe('a test file that shares its process', () => {
  const original = globalThis.fetch;
  // Read before each test, because a file that is loaded later may load a library that replaces a function.
  let found: ReturnType<typeof sharedState>;
  beforeEach(() => void (found = sharedState()));
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
    globalThis.fetch = original;
    delete process.env.LEFT_BEHIND;
    Reflect.deleteProperty(globalThis, 'document');
    assertNothingLeft(found);
  });

  it('fails if it leaves fake timers', () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const names = changed(found);
    for (const name of ['setTimeout', 'Date']) assert.ok(names.includes(name), name);
    assert.throws(() => assertNothingLeft(found), /setTimeout.*Restore it in a hook/);
  });

  it('fails if it leaves a nested replacement', () => {
    const replace = () => mock.method(globalThis, 'fetch', () => Promise.reject(new Error('no network')));
    replace();
    replace();
    mock.restoreAll();
    assert.deepEqual(changed(found), ['fetch']);
  });

  it('fails if it leaves a global or an environment variable', () => {
    Object.assign(globalThis, { document: {} });
    process.env.LEFT_BEHIND = '1';
    assert.deepEqual(changed(found), ['document', 'process.env.LEFT_BEHIND']);
  });

  it('passes if everything is restored', () => {
    mock.method(globalThis, 'fetch', () => Promise.reject(new Error('no network')));
    mock.restoreAll();
    assert.doesNotThrow(() => assertNothingLeft(found));
  });
});
