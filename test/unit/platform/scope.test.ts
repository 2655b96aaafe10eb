import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { Scope } from '../../../server/src/platform/scope.js';

describe('a scope', () => {
  let scope: Scope;
  let closed: string[];
  beforeEach(() => {
    scope = new Scope();
    closed = [];
  });
  const close = (name: string) => void closed.push(name);

  it('closes the newest resource first, and waits for each', async () => {
    scope.atEnd(() => close('first'));
    scope.atEnd(async () => {
      await Promise.resolve();
      close('second');
    });
    await scope.close();
    assert.deepEqual(closed, ['second', 'first']);
  });

  it('closes a resource that opens after another one has failed', async () => {
    let open: (name: string) => void = () => undefined;
    const opened = scope.own(new Promise<string>((resolve) => (open = resolve)), close);
    const ended = scope.close();
    open('late');
    assert.equal(await opened, 'late');
    await ended;
    assert.deepEqual(closed, ['late']);
  });

  it('has nothing to close of a resource that could not be opened', async () => {
    const opening = scope.own(Promise.reject<string>(new Error('no')), close);
    await assert.rejects(opening, /no/);
    await scope.close();
    assert.deepEqual(closed, []);
  });

  it('closes the others although one fails, and reports the first error', async () => {
    scope.atEnd(() => close('first'));
    scope.atEnd(() => {
      throw new Error('second');
    });
    scope.atEnd(() => Promise.reject(new Error('third')));
    await assert.rejects(scope.close(), /third/);
    assert.deepEqual(closed, ['first']);
  });

  it('closes in order although two callers close it at the same time', async () => {
    let finish: () => void = () => undefined;
    scope.atEnd(() => close('first'));
    scope.atEnd(async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      close('second');
    });
    const both = Promise.all([scope.close(), scope.close()]);
    await new Promise(setImmediate);
    assert.deepEqual(closed, []);
    finish();
    await both;
    assert.deepEqual(closed, ['second', 'first']);
  });

  it('closes each resource once', async () => {
    scope.atEnd(() => close('first'));
    await scope.close();
    await scope.close();
    assert.deepEqual(closed, ['first']);
  });
});
