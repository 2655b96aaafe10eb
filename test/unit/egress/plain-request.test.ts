import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { EgressProxy, type EgressProxyOptions } from '../../fakes/egress-proxy.js';

let proxy: EgressProxy;
afterEach(() => proxy.close());

const open = async (options: EgressProxyOptions = {}) =>
  (proxy = await new EgressProxy({ allow: ['127.0.0.1'], ...options }).listen());

describe('a request with a body', () => {
  it('keeps its length if its header Connection names the length', async () => {
    await open();
    const urls: (string | undefined)[] = [];
    const port = await proxy.serve((request, response) => {
      urls.push(request.url);
      request.pipe(response);
    });
    const inner = 'GET /inner HTTP/1.1\r\nhost: x\r\n\r\n';
    const headers = { connection: 'Content-Length', 'content-length': String(inner.length) };
    const { body } = await proxy.get(`http://127.0.0.1:${port}/outer`, { body: inner, headers });
    assert.equal(body, inner);
    assert.deepEqual(urls, ['/outer']);
  });
});
