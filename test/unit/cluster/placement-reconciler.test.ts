import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { PlacementRequest } from '../../../server/src/sessions/placement/placement.js';
import { seeded } from '../../support/seeded.js';
import { SimulatedCluster } from '../../support/simulated-cluster.js';
import type { SimulatedNode } from '../../support/simulated-node.js';

let cluster: SimulatedCluster;
let [a, b, c]: SimulatedNode[] = [];
beforeEach(async () => {
  cluster = new SimulatedCluster(seeded(1));
  a = await cluster.start('a');
  b = await cluster.start('b');
  c = await cluster.start('c');
  // Nodes declare no other node lost before they have been steady for a minute.
  await cluster.pass(61_000);
});
afterEach(() => cluster.close());

const wanted = (tag: string | null = null): PlacementRequest => ({
  ...{ tag, apiKey: 'key', tenantId: null, regions: [], cost: 1 },
});

/** A create through a node, with its duration. */
async function create(node: SimulatedNode | undefined, tag: string | null = null): Promise<string> {
  const made = node!.create(wanted(tag));
  made.catch(() => undefined);
  await cluster.pass(200, 5);
  return made;
}

/** A session with a tag, and one without, on one node. */
async function onOneNode() {
  const tagged = await create(a, 't');
  const owner = cluster.lives.get(tagged)!.node;
  const others = cluster.processes.filter((node) => node !== owner);
  let untagged = '';
  while (cluster.lives.get(untagged)?.node !== owner) untagged = await create(a);
  return { owner, others, tagged, untagged };
}

const codeOf = (node: SimulatedNode) => node.lease.incarnation.code;
const rowOf = (node: SimulatedNode) => cluster.memory.nodes.get(codeOf(node));
const statesOfNodes = () => [...cluster.memory.nodes.values()].map(({ state }) => state);
const isLive = (id: string) => cluster.lives.get(id)?.until === Infinity;
const refused = (call: Promise<string>, code: string) => assert.rejects(call, { code });

describe('a node that is killed', () => {
  it('frees its tag within 65 s', async () => {
    const { owner, others, tagged } = await onOneNode();
    owner.kill();
    const killed = cluster.clock.now();
    await cluster.pass(7_000);
    await refused(create(others[0], 't'), 'err_tag_busy');
    await cluster.pass(killed + 64_000 - cluster.clock.now());
    const next = await create(others[0], 't');
    assert.notEqual(next, tagged);
    assert.ok(isLive(next));
  });

  it('frees its tag after a restart, without conflict with its old sessions', async () => {
    const { owner, others, tagged } = await onOneNode();
    owner.kill();
    const again = await cluster.start(owner.name);
    assert.equal(codeOf(again), codeOf(owner), 'registered once');
    assert.equal(cluster.memory.nodes.size, 3);
    assert.equal(cluster.records.get(tagged)?.ended?.reason, 'crashed');
    assert.ok(isLive(await create(others[0], 't')));
    assert.equal(again.sessions.has(tagged), false);
  });

  it('has its sessions ended in the records once, at its last heartbeat', async () => {
    const { owner, tagged, untagged } = await onOneNode();
    const begun = cluster.lives.get(tagged)!.from;
    await cluster.pass(20_000);
    const killed = cluster.clock.now();
    owner.kill();
    let saves = 0;
    const { records } = cluster;
    const set = records.set.bind(records);
    records.set = (id, record) => {
      saves += id === tagged ? 1 : 0;
      return set(id, record);
    };
    await cluster.pass(120_000);
    const { ended } = records.get(tagged)!;
    assert.equal(ended?.reason, 'crashed');
    const lasted = (killed - begun) / 1000;
    assert.ok(ended.seconds! <= lasted && ended.seconds! >= lasted - 4, `${ended.seconds} of ${lasted}`);
    assert.equal(records.get(untagged)?.ended?.reason, 'crashed');
    assert.equal(saves, 1);
    assert.equal(rowOf(owner)?.unsettled, null);
  });

  it('has its sessions ended even if the node that declared it lost is killed meanwhile', async () => {
    const { owner, tagged } = await onOneNode();
    const save = cluster.saveFor.bind(cluster);
    cluster.saveFor = () => {
      cluster.saveFor = save;
      return Promise.reject(new Error('killed on the way'));
    };
    owner.kill();
    await cluster.pass(66_000);
    assert.equal(rowOf(owner)?.state, 'lost');
    await cluster.pass(15_000);
    assert.ok(cluster.records.get(tagged)?.ended);
  });

  it('does not begin sessions that were placed on it before it restarted', async () => {
    const { owner, others } = await onOneNode();
    const { nodes, places } = cluster.memory;
    for (const other of others) nodes.get(codeOf(other))!.headroom = false;
    const made = others[0]!.create(wanted('late'));
    const refusal = assert.rejects(made, /too late|not answer|killed/);
    const isPlaced = () => [...places.values()].some(({ sessionId }) => !cluster.lives.has(sessionId));
    while (!isPlaced()) await cluster.pass(1, 1);
    owner.kill();
    const again = await cluster.start(owner.name);
    await cluster.pass(100, 5);
    await refusal;
    assert.equal(again.sessions.size, 0);
    assert.equal(nodes.get(codeOf(again))?.usedSessions, 0);
  });
});

describe('a node that is cut off from the database', () => {
  it('ends only its tagged sessions, at 50 s, before another node can take the tags', async () => {
    const { owner, others, tagged, untagged } = await onOneNode();
    owner.cutOffDatabase = true;
    const cut = cluster.clock.now();
    await cluster.pass(45_000);
    assert.ok(isLive(tagged));
    await cluster.pass(7_000);
    assert.ok(!isLive(tagged));
    assert.deepEqual(owner.ends, [{ id: tagged, why: 'cut_off' }]);
    await cluster.pass(15_000);
    const next = await create(others[0], 't');
    const from = cluster.lives.get(next)!.from;
    assert.ok(from > cluster.lives.get(tagged)!.until && from - cut <= 70_000);
    await cluster.pass(60_000);
    assert.ok(isLive(untagged));
  });

  it('does the same when it is cut off from everything', async () => {
    const { owner, tagged, untagged } = await onOneNode();
    owner.cutOffDatabase = true;
    owner.cutOffPeers = true;
    await cluster.pass(54_000);
    assert.ok(!isLive(tagged));
    assert.ok(isLive(untagged));
  });

  it('recovers the sessions that are still its own', async () => {
    const { owner, others, untagged } = await onOneNode();
    owner.cutOffDatabase = true;
    await cluster.pass(90_000);
    assert.equal(rowOf(owner)?.state, 'lost');
    assert.ok(cluster.records.get(untagged)?.ended);
    owner.cutOffDatabase = false;
    await cluster.pass(5_000);
    assert.equal(rowOf(owner)?.state, 'alive');
    assert.equal(cluster.memory.places.get(untagged)?.node, codeOf(owner));
    assert.deepEqual(owner.tookUpIds, [untagged]);
    assert.equal(cluster.records.get(untagged)?.ended, undefined);
    assert.ok(isLive(await create(others[0], 't')));
  });
});

describe('a node that was stopped', () => {
  it('ends sessions whose tag another node has taken, with the reason superseded', async () => {
    const { owner, others, tagged, untagged } = await onOneNode();
    owner.freeze();
    await cluster.pass(90_000);
    const next = await create(others[0], 't');
    owner.thaw();
    await cluster.pass(5_000);
    assert.ok(!isLive(tagged) && isLive(next) && isLive(untagged));
    assert.deepEqual(owner.ends, [{ id: tagged, why: 'superseded' }]);
  });

  it('keeps its sessions if no other node has taken their tags', async () => {
    const { owner, others, tagged } = await onOneNode();
    owner.freeze();
    await cluster.pass(90_000);
    owner.thaw();
    await cluster.pass(5_000);
    assert.ok(isLive(tagged));
    assert.equal(await create(others[0], 't'), tagged);
  });

  it('keeps its sessions after a stop of 30 s', async () => {
    const { owner, others, tagged } = await onOneNode();
    owner.freeze();
    await cluster.pass(30_000);
    await refused(create(others[0], 't'), 'err_tag_busy');
    owner.thaw();
    await cluster.pass(3_000);
    assert.equal(await create(others[0], 't'), tagged);
  });
});

describe('a database that is unreachable', () => {
  it('ends no session and declares no node lost, however long it lasts', async () => {
    const { tagged, untagged } = await onOneNode();
    cluster.databaseGone = true;
    await cluster.pass(300_000, 500);
    await refused(create(b, 'x'), 'err_database');
    cluster.databaseGone = false;
    await cluster.pass(5_000);
    assert.ok(isLive(tagged) && isLive(untagged));
    assert.equal(await create(c, 't'), tagged);
    const nodes = [...cluster.memory.nodes.values()];
    assert.ok(nodes.every(({ state, epoch }) => state === 'alive' && epoch === 1));
  });

  it('does not count against a node that returns later than the others', async () => {
    const { owner, tagged } = await onOneNode();
    cluster.databaseGone = true;
    await cluster.pass(120_000, 500);
    cluster.databaseGone = false;
    owner.cutOffDatabase = true;
    await cluster.pass(1_500);
    owner.cutOffDatabase = false;
    await cluster.pass(10_000);
    assert.ok(isLive(tagged));
    assert.equal(rowOf(owner)?.epoch, 1);
  });
});

describe('half of the nodes', () => {
  it('are not declared lost for ten minutes if they are late at the same time', async () => {
    b!.cutOffDatabase = c!.cutOffDatabase = true;
    await cluster.pass(300_000, 500);
    assert.ok(statesOfNodes().every((state) => state === 'alive'));
    await cluster.pass(400_000, 500);
    assert.equal(statesOfNodes().filter((state) => state === 'lost').length, 2);
  });
});

describe('a place whose session never starts', () => {
  it('is released', async () => {
    const { store, places } = cluster.storesOf(a!);
    assert.ok(store);
    const id = '00000000-0000-4000-8000-000000000000';
    const order = { id, tag: 'x', apiKey: 'k', tenant: null, regions: [], cost: 1, avoid: [] };
    const limits = { createsPerMinute: 10, maxPerKey: null, maxPerTenant: null };
    const placing = places.place(order, limits);
    await cluster.pass(100, 5);
    assert.equal((await placing).kind, 'begin');
    await cluster.pass(200_000, 500);
    assert.equal(cluster.memory.places.size, 0);
  });
});
