import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { NodeHistory } from '../../../../server/src/operator/node-history.js';
import { ApiCaller } from '../../../fakes/api-caller.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import {
  API_KEY,
  createTestService,
  METRICS_KEY,
  OPERATOR_KEY,
  type TestService,
} from '../../../fakes/test-service.js';

interface Node {
  name: string;
  code: string | null;
  condition: string;
  sessions: number;
  session_room: number;
  cost: number;
  lease_age: number | null;
  report: { number: number; version: string; history: Record<string, unknown[]> } | null;
}

let service: TestService;
beforeEach(async () => (service = await createTestService()));
afterEach(() => service.close());

function ask(query = '', key = OPERATOR_KEY) {
  return service.app.inject({ url: `/v0/nodes${query}`, headers: { authorization: `Bearer ${key}` } });
}

async function onlyNode(query = ''): Promise<Node> {
  const { nodes } = (await ask(query)).json<{ nodes: Node[] }>();
  assert.equal(nodes.length, 1);
  return nodes[0] as Node;
}

describe('the Prometheus metrics', () => {
  it('require a metrics key, which gives no other access, or an API key', async () => {
    const status = async (url: string, key: string, method: 'GET' | 'POST' = 'GET') =>
      (await service.app.inject({ url, method, headers: { authorization: `Bearer ${key}` } })).statusCode;
    assert.equal(await status('/metrics', METRICS_KEY), 200);
    assert.equal(await status('/metrics', API_KEY), 200);
    assert.equal(await status('/metrics', OPERATOR_KEY), 401);
    assert.equal(await status('/metrics', 'other'), 401);
    assert.equal(await status('/v0/vm', METRICS_KEY, 'POST'), 401);
    for (const url of ['/v0/vm', '/v0/vm/usage', '/v0/nodes'])
      assert.equal(await status(url, METRICS_KEY), 401, url);
  });
});

describe('the list of nodes', () => {
  it('requires an operator key, which gives no other access', async () => {
    assert.equal((await ask()).statusCode, 200);
    assert.equal((await ask('', API_KEY)).statusCode, 401);
    assert.equal((await service.app.inject('/v0/nodes')).statusCode, 401);
    const authorization = `Bearer ${OPERATOR_KEY}`;
    const create = await service.app.inject({ method: 'POST', url: '/v0/vm', headers: { authorization } });
    assert.equal(create.statusCode, 401);
  });

  it('has a single machine as its only node, with the usage of its sessions', async () => {
    service.pool.showsAtOnce = true;
    await new ApiCaller(service).begin({ width: 1000, height: 500, fps: 30 });
    const node = await onlyNode();
    assert.deepEqual([node.code, node.condition, node.lease_age], [null, 'alive', null]);
    assert.deepEqual([node.sessions, node.session_room, node.cost], [1, 3, 15_000_000]);
    assert.equal(node.report?.version, '1.2.3');
  });

  it('has a history with a sample every five seconds', async () => {
    service.pool.showsAtOnce = true;
    service.watch();
    const api = new ApiCaller(service);
    await api.begin();
    service.pool.last.listener.onViewers(2);
    service.pool.last.listener.onAgentUse({ agents: 1, joined: 1, commands: {}, refusals: 0 });
    await api.create({ fps: 1 });
    service.clock.advance(5_000);
    service.clock.advance(5_000);
    const { report } = await onlyNode('?seconds=60');
    assert.equal(report?.number, 2);
    assert.deepEqual(report.history['sessions'], [1, 1]);
    assert.deepEqual(report.history['viewers'], [2, 2]);
    assert.deepEqual(report.history['agents'], [1, 1]);
    assert.deepEqual(report.history['starts'], [1, 0]);
    assert.equal((report.history['start_times']?.[0] as number[]).length, 1);
    assert.deepEqual(report.history['rejections'], [{ err_invalid_parameter: 1 }, {}]);
    assert.deepEqual(report.history['database'], [null, null]);
    assert.equal((await onlyNode()).report?.history['sessions']?.length, 1);
  });

  it('refuses the history of an unknown node', async () => {
    for (const seconds of ['3601', '-1', 'x', '99999'])
      assert.equal((await ask(`?seconds=${seconds}`)).statusCode, 400, seconds);
  });
});

describe('the history of a node', () => {
  it('covers an hour, with the load of the machine in each sample', () => {
    const clock = new ManualClock();
    let moment = { busy: 0, passed: 0, freeBytes: 5, totalBytes: 10, cores: 2 };
    const parts = { version: '1', run: 'r', clock, database: () => true, machine: () => moment };
    const history = new NodeHistory(parts);
    history.start(() => ({ sessions: 0, viewers: 0, agents: 0 }));
    moment = { ...moment, busy: 2_500, passed: 10_000 };
    clock.advance(5_000);
    assert.deepEqual(
      history.report(60).samples.map(({ load, database }) => [load, database]),
      [[0.25, true]],
    );
    for (let samples = 0; samples < 720; samples++) clock.advance(5_000);
    assert.deepEqual([history.report(3_600).samples.length, history.report(0).number], [720, 721]);
    history.stop();
    clock.advance(60_000);
    assert.equal(history.report(0).number, 721);
  });
});
