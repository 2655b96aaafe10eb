import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clusterFixture, proxyFixture } from './support/fixture.js';
import { ask, create } from './support/customer.js';
import { PROXIES } from './support/proxies.js';
import { view } from './support/raw-viewer.js';

const cluster = clusterFixture(3, { TRUST_PROXY: '1' });

/** Hosts answer viewers as a proxy expects it. */
const SHOWN = { start_url: 'about:handshake' };

/** Number of requests that a node has answered or forwarded for other nodes. */
async function forwards(): Promise<number> {
  let sum = 0;
  for (const { url } of cluster.nodes.all) {
    const { body } = await ask(url, 'GET', '/metrics');
    const lines = String(body).matchAll(/^cloud_browser_forwarded_total\{[^}]*\} (\d+)$/gm);
    for (const [, count] of lines) sum += Number(count);
  }
  return sum;
}

for (const [name, start] of Object.entries(PROXIES)) {
  describe(`three nodes behind ${name}, configured as in the example`, () => {
    const proxy = proxyFixture(() => start(cluster.nodes));

    it('act as one service: any node can create, show, control and end sessions', async () => {
      for (let nth = 0; nth < 6; nth++) {
        const session = await create(proxy.url, SHOWN);
        const { viewer } = await view(proxy.url, session.embed_url);
        assert.equal(viewer.ip, '127.0.0.1');
        const read = await ask(proxy.url, 'GET', `/v0/vm/${session.session_id}`);
        assert.equal((read.body as { state: string }).state, 'running');
        const users = `${new URL(session.embed_url).pathname}/timeout`;
        const token = session.admin_token;
        assert.equal((await ask(proxy.url, 'POST', users, { token, body: {} })).status, 200);
        assert.equal((await ask(proxy.url, 'DELETE', `/v0/vm/${session.session_id}`)).status, 200);
      }
    });

    it('receive requests for a session at its own node, without forwarding', async () => {
      const sessions = await Promise.all([
        create(proxy.url, SHOWN),
        create(proxy.url, SHOWN),
        create(proxy.url, SHOWN),
      ]);
      const before = await forwards();
      for (const session of sessions) {
        await view(proxy.url, session.embed_url);
        assert.equal((await ask(proxy.url, 'GET', `/v0/vm/${session.session_id}`)).status, 200);
      }
      assert.equal(await forwards(), before);
    });

    it('forward requests that arrive at the wrong node', async () => {
      const session = await create(proxy.url, SHOWN);
      const before = await forwards();
      for (const { url } of cluster.nodes.all) await view(url, session.embed_url);
      assert.equal((await forwards()) - before, 2);
    });
  });
}
