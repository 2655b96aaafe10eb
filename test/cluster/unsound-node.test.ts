import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { clusterFixture } from './support/fixture.js';
import type { Answer } from './support/fresh-client.js';
import { ask, type NodeProcess } from './support/nodes.js';

const CREATES = 24;
const WAIT_MS = 60_000;

/** Polls until a node answers `/readyz` with this status. */
async function readiness(node: NodeProcess, status: number): Promise<void> {
  for (const end = Date.now() + WAIT_MS; ;) {
    if ((await ask(node.url, 'GET', '/readyz')).status === status) return;
    assert.ok(Date.now() < end, `${node.name} is not ${status} in time`);
    await setTimeout(100);
  }
}

/**
 * Creates a session. Repeats the request, as clients do, while the database is too slow: the disk of a test
 * machine may stall for seconds.
 */
async function create(node: NodeProcess): Promise<Answer> {
  for (const end = Date.now() + WAIT_MS; ;) {
    const answer = await ask(node.url, 'POST', '/v0/vm', { body: {} });
    const { code } = answer.body as { code?: string };
    if (code !== 'err_database' || Date.now() > end) return answer;
    await setTimeout(Number(answer.retryAfter) * 1000);
  }
}

describe('a node whose hosts exit at once, next to two sound nodes', () => {
  const cluster = clusterFixture(3, { UNSOUND_HOSTS: '1' });

  it('fails no create, is not used or ready, and recovers when its sessions start again', async () => {
    const unsound = cluster.nodes.at(1);
    const marker = join(unsound.directory, 'hosts-exit');
    await writeFile(marker, '');
    const answers = [];
    for (let nth = 0; nth < CREATES; nth++) answers.push(await create(cluster.nodes.at(nth % 3)));
    assert.equal(answers.find(({ status }) => status !== 200)?.body, undefined);
    await readiness(unsound, 503);
    for (const { body } of answers) {
      const { session_id: id } = body as { session_id: string };
      const { body: session } = await ask(cluster.nodes.at(0).url, 'GET', `/v0/vm/${id}`);
      assert.equal((session as { state: string }).state, 'running');
    }

    await rm(marker);
    await readiness(unsound, 200);
    assert.equal((await ask(unsound.url, 'POST', '/v0/vm', { body: {} })).status, 200);
  });
});
