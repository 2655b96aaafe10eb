import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { loadPart, partsOf } from '../../../src/embed-module/parts.js';

it('a part of the embed module is loaded again after no answer came in time', async () => {
  const limit = new AbortController();
  mock.method(AbortSignal, 'timeout', () => limit.signal);
  const requests: string[] = [];
  mock.method(globalThis, 'fetch', (address: URL, { signal }: { signal?: AbortSignal } = {}) => {
    requests.push(address.pathname);
    return new Promise((_resolve, reject) => {
      const end = () => reject(new Error('There was no answer.'));
      if (signal?.aborted) end();
      else signal?.addEventListener('abort', end);
    });
  });
  try {
    partsOf('https://host.example/session?token=t');
    const first = loadPart('part.js');
    limit.abort();
    await assert.rejects(first, { message: 'There was no answer.' });
    await assert.rejects(loadPart('part.js'));
    assert.deepEqual(requests, ['/part.js', '/part.js']);
  } finally {
    mock.restoreAll();
  }
});
