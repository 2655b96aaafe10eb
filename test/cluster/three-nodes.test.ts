import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clusterFixture } from './support/fixture.js';
import { ask, create } from './support/customer.js';
import { view } from './support/raw-viewer.js';

/** The node of a session. */
const codeOf = (id: string) => id.slice(0, 6);

for (const mode of ['gateway', 'direct']) {
  describe(`three nodes on one database in mode ${mode}`, () => {
    const cluster = clusterFixture(3, { CLUSTER_MODE: mode });

    it('give access to all sessions through each node', async () => {
      const sessions = [];
      for (let nth = 0; nth < 9; nth++) sessions.push(await create(cluster.nodes.at(nth % 3).url));
      const counts = new Map<string, number>();
      for (const { session_id: id } of sessions) counts.set(codeOf(id), (counts.get(codeOf(id)) ?? 0) + 1);
      // The simulation tests how evenly sessions are placed. Here a retried create may have held a place
      // meanwhile.
      assert.equal(counts.size, 3);
      const embedded = new Set(sessions.map(({ embed_url: url }) => new URL(url).port));
      assert.equal(embedded.size, 3);
    });

    it('read, control, show, list and end sessions of other nodes', async () => {
      const session = await create(cluster.nodes.at(0).url, { tag: 'shared' });
      for (const node of cluster.nodes.all) {
        const read = await ask(node.url, 'GET', `/v0/vm/${session.session_id}`);
        assert.equal(read.status, 200);
        const again = await create(node.url, { tag: 'shared' });
        assert.equal(again.session_id, session.session_id);
        const path = `${new URL(session.embed_url).pathname}/timeout`;
        const token = session.admin_token;
        const changed = await ask(node.url, 'POST', path, { body: { absolute: 900 }, token });
        assert.equal((changed.body as { absolute: number }).absolute, 900);
        const wrong = await ask(node.url, 'POST', path, { token: 'wrong' });
        assert.equal(wrong.status, 401);
        const { viewer } = await view(node.url, session.embed_url);
        assert.equal(viewer.ip, '127.0.0.1');
        const { results } = (await ask(node.url, 'GET', '/v0/vm')).body as { results: { id: string }[] };
        assert.equal(results.filter(({ id }) => id === session.session_id).length, 1);
      }
      const other = cluster.nodes.all.find(({ port }) => String(port) !== new URL(session.embed_url).port);
      assert.ok(other);
      assert.equal((await ask(other.url, 'DELETE', `/v0/vm/${session.session_id}`)).status, 200);
      for (const node of cluster.nodes.all) {
        const { body } = await ask(node.url, 'GET', `/v0/vm/${session.session_id}`);
        assert.equal((body as { state: string }).state, 'ended');
        await assert.rejects(view(node.url, session.embed_url), /101|403|closed/);
      }
      assert.notEqual((await create(other.url, { tag: 'shared' })).session_id, session.session_id);
    });

    it('refuse viewers without the right token at each node', async () => {
      const session = await create(cluster.nodes.at(0).url);
      const url = new URL(session.embed_url);
      url.searchParams.set('token', 'wrong');
      for (const node of cluster.nodes.all) await assert.rejects(view(node.url, url.href));
    });

    it('start four sessions for 60 creates with 4 tags', async () => {
      const creates = Array.from({ length: 60 }, (_, nth) =>
        create(cluster.nodes.at(nth % 3).url, { tag: `tag-${nth % 4}` }),
      );
      const ids = new Set((await Promise.all(creates)).map(({ session_id: id }) => id));
      assert.equal(ids.size, 4);
    });
  });
}
