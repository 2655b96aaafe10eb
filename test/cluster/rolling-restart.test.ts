import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clusterFixture, proxyFixture } from './support/fixture.js';
import { ask, type Access } from './support/nodes.js';
import { PROXIES } from './support/proxies.js';
import type { Answer } from './support/fresh-client.js';

/** Who create sessions one after the other, all at the same time. */
const CUSTOMERS = 3;

/** Creates sessions, and ends them, until it is stopped; answers what came back for each create. */
function load(url: string): { stop: () => Promise<(Answer | Error)[]> } {
  let going = true;
  const answers: (Answer | Error)[] = [];
  const customer = async (): Promise<void> => {
    while (going) {
      const answer = await ask(url, 'POST', '/v0/vm', { body: {} }).catch(asError);
      answers.push(answer);
      if (answer instanceof Error || answer.status !== 200) continue;
      const { session_id: id } = answer.body as Access;
      // Its node may be the one that is just ending.
      await ask(url, 'DELETE', `/v0/vm/${id}`).catch(() => undefined);
    }
  };
  const customers = Promise.all(Array.from({ length: CUSTOMERS }, customer));
  return {
    async stop() {
      going = false;
      await customers;
      return answers;
    },
  };
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

describe('a rolling restart of three nodes under load', () => {
  const cluster = clusterFixture(3, { TRUST_PROXY: '1', CREATES_PER_MINUTE: '100000' });
  const proxy = proxyFixture(() => PROXIES.HAProxy(cluster.nodes));

  it('loses no create: each is answered, by a session or by when to try again', async () => {
    const { stop } = load(proxy.url);
    for (const node of cluster.nodes.all) {
      await node.stop();
      await node.start();
    }
    const answers = await stop();
    const bad = answers.filter(
      (answer) =>
        answer instanceof Error ||
        !(answer.status === 200 || (answer.status === 503 && answer.retryAfter !== null)),
    );
    assert.deepEqual(bad.slice(0, 5), []);
    const created = answers.filter((answer) => !(answer instanceof Error) && answer.status === 200).length;
    assert.ok(created > answers.length / 2, `${created} of ${answers.length} creates were granted`);
  });

  it('has the records of all sessions ended', async () => {
    const { body } = await ask(proxy.url, 'GET', '/v0/vm');
    const { results } = body as { results: { id: string }[] };
    for (const { id } of results) await ask(proxy.url, 'DELETE', `/v0/vm/${id}`);
    const again = (await ask(proxy.url, 'GET', '/v0/vm')).body as { results: unknown[] };
    assert.deepEqual(again.results, []);
  });
});
