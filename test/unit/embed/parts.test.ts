import assert from 'node:assert/strict';
import { afterEach, beforeEach, it, mock } from 'node:test';
import { loadPart, partsOf } from '../../../src/embed-module/parts.js';

let requests: string[];
beforeEach(() => {
  requests = [];
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(globalThis, 'fetch', (address: URL, { signal }: { signal?: AbortSignal } = {}) => {
    requests.push(address.pathname);
    return new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(new Error('There was no answer.'))),
    );
  });
  partsOf('https://host.example/session?token=t');
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

it('a part of the embed module is loaded again after no answer came in time', async () => {
  for (const loads of [1, 2]) {
    const part = loadPart('part.js');
    mock.timers.tick(30_000);
    await assert.rejects(part, { message: 'There was no answer.' });
    assert.equal(requests.length, loads);
  }
  assert.deepEqual(requests, ['/part.js', '/part.js']);
});

it('a part of the embed module is requested in browsers without AbortSignal.timeout', async () => {
  const timeout = Object.getOwnPropertyDescriptor(AbortSignal, 'timeout');
  assert.ok(timeout);
  Reflect.deleteProperty(AbortSignal, 'timeout');
  try {
    const part = loadPart('other.js');
    mock.timers.tick(30_000);
    await assert.rejects(part, { message: 'There was no answer.' });
    assert.deepEqual(requests, ['/other.js']);
  } finally {
    Object.defineProperty(AbortSignal, 'timeout', timeout);
  }
});
