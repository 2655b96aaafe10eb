import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import { joinAsNode } from '../../../server/src/cluster/nodes/join-as-node.js';
import { KnownNodes } from '../../../server/src/cluster/nodes/known-nodes.js';
import {
  fenceAfter,
  lateAfter,
  lostAfter,
  renewalInterval,
} from '../../../server/src/cluster/nodes/lateness.js';
import type { Lease, LeaseListener } from '../../../server/src/cluster/nodes/lease.js';
import { DatabaseError } from '../../../server/src/database/database-error.js';
import { createLog } from '../../../server/src/platform/log.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryNodes } from '../../fakes/memory-nodes.js';
import { joining, offer } from '../../support/cluster-contract.js';
import { pass } from '../../support/passing.js';

let clock: ManualClock;
let store: MemoryNodes;
let lines: string[];
let statements: string[];
beforeEach(() => {
  clock = new ManualClock();
  store = new MemoryNodes(clock);
  lines = [];
  statements = [];
  store.onStatement = (name) => {
    if (name !== '') statements.push(name);
    return undefined;
  };
});

const log = createLog('debug', (line) => lines.push(line));
const never = () => new Promise<void>(() => undefined);

async function join(
  listener: Partial<LeaseListener> = {},
  { home = 'a', makeOffer = offer } = {},
): Promise<Lease> {
  const known = new KnownNodes(store, clock, log);
  const lease = await joinAsNode({
    ...{ store, known, clock, log, name: 'a', home },
    ...{ secretCheck: 'check', offer: makeOffer, run: randomUUID(), chance: () => 0.5 },
  });
  const nothing = {
    onLost: async () => undefined,
    onReturned: () => undefined,
    onSuperseded: () => undefined,
    onNodesRead: () => undefined,
  };
  lease.start({ ...nothing, ...listener });
  return lease;
}

/** Lets a node lose its contact to the database until it is declared lost. */
async function loseContact(lease: Lease): Promise<void> {
  await pass(clock, 3_000);
  store.onStatement = () => Promise.reject(new Error('cut off'));
  await pass(clock, 62_000);
  store.onStatement = () => undefined;
  assert.ok(await store.declareLost(lease.incarnation));
}

describe('a lease', () => {
  it('is renewed every two seconds', async () => {
    await join();
    await pass(clock, 20_000);
    assert.equal(statements.filter((name) => name === 'renew').length, 10);
  });

  it('is refused to a node with another secret', async () => {
    await store.join({ ...joining('b', 'bbbbbb'), secretCheck: 'another' }, offer(), 2_000);
    await assert.rejects(join(), /another CLUSTER_SECRET\. Set the same secret on all machines/);
  });

  it('is renewed with the current offer of the node', async () => {
    const node = offer();
    const lease = await join({}, { makeOffer: () => node });
    node.draining = true;
    lease.renewSoon();
    await pass(clock, 10);
    assert.equal(store.nodes.get(lease.incarnation.code)?.draining, true);
    await lease.leave();
    assert.equal(store.nodes.get(lease.incarnation.code)?.state, 'left');
    assert.equal(clock.pending, 0);
  });

  it('is taken again after a database error and after a hang', async () => {
    const lease = await join();
    const steady = (): number => lease.connectedFor;
    await pass(clock, 5_000);
    store.onStatement = () => Promise.reject(new Error('gone'));
    await pass(clock, 30_000);
    assert.equal(steady(), 0);
    assert.ok(lease.sinceHeld > 30_000);
    assert.ok(lease.cannotRenew);
    store.onStatement = never;
    await pass(clock, 30_000);
    assert.ok(lease.untilFence < 0);
    store.onStatement = () => undefined;
    await pass(clock, 8_000);
    assert.ok(lease.sinceHeld <= 2_500, `${lease.sinceHeld}`);
    assert.ok(!lease.cannotRenew);
    assert.ok(lease.untilFence > 45_000);
    assert.ok(steady() > 0 && steady() <= 8_000);
    // The process was stopped.
    clock.advance(10_000);
    assert.equal(lease.cannotRenew, false);
  });

  it('reports the first of several failures without a stack, and the end of the failures', async () => {
    await join();
    await pass(clock, 5_000);
    lines = [];
    store.onStatement = () => Promise.reject(new DatabaseError('unreachable', 'The database is away.'));
    await pass(clock, 30_000);
    store.onStatement = () => undefined;
    await pass(clock, 10_000);
    const told = lines.map((line) => JSON.parse(line) as { message: string; error?: string });
    assert.deepEqual(
      told.map(({ message, error }) => [message, error]),
      [
        ['the lease could not be renewed', 'DatabaseError: The database is away.'],
        ['the lease is renewed again', undefined],
      ],
    );
  });

  it('survives errors of its listeners', async () => {
    let looks = 0;
    await join({
      onNodesRead: () => {
        looks += 1;
        throw new Error('of a listener');
      },
    });
    await pass(clock, 20_000);
    assert.ok(looks >= 9);
    assert.ok(lines.some((line) => line.includes('of a listener')));
  });

  it('of an older process ends when a newer one takes the name, with the reason in the log', async () => {
    let ended = 0;
    const older = await join({ onSuperseded: () => (ended += 1) });
    await pass(clock, 3_000);
    const newer = await join();
    await pass(clock, 10_000);
    assert.equal(ended, 1);
    assert.equal(older.over, true);
    assert.equal(newer.incarnation.epoch, older.incarnation.epoch + 1);
    assert.ok(lines.some((line) => line.includes('its own NODE_NAME')));
    await older.leave();
    assert.equal(store.nodes.get(newer.incarnation.code)?.state, 'alive');
  });

  it('is refused to a process elsewhere while the older one renews it', async () => {
    const older = await join();
    const refused = assert.rejects(join({}, { home: 'elsewhere' }), {
      code: 'err_node_name_taken',
      message: /runs as the node a, at http:\/\/node: .*NODE_NAME/,
    });
    await pass(clock, 15_000);
    await refused;
    assert.equal(older.over, false);
    assert.equal(store.nodes.get(older.incarnation.code)?.epoch, older.incarnation.epoch);
  });

  it('goes to a process elsewhere when the older one stops renewing', async () => {
    const older = await join();
    await pass(clock, 3_000);
    older.stop();
    const joined = join({}, { home: 'elsewhere' });
    await pass(clock, 10_000);
    assert.equal((await joined).incarnation.epoch, older.incarnation.epoch + 1);
  });

  it('registers once however often the process restarts', async () => {
    for (let count = 0; count < 5; count++) (await join()).stop();
    assert.equal(store.nodes.size, 1);
  });

  it('reports that the node was declared lost, and continues if allowed', async () => {
    let lost = 0;
    const lease = await join({
      onLost: async () => {
        lost += 1;
        return store.reclaim(lease.incarnation, []);
      },
    });
    await loseContact(lease);
    await pass(clock, 3_000);
    assert.equal(lost, 1);
    assert.equal(lease.incarnation.epoch, 2);
    assert.equal(store.nodes.get(lease.incarnation.code)?.state, 'alive');
    assert.ok(lease.connectedFor < 5_000, 'it has to be steady anew');
  });

  it('continues after it was declared lost although the answer to its return was lost', async () => {
    const events: string[] = [];
    const lease = await join({
      onLost: async () => {
        const taken = await store.reclaim(lease.incarnation, []);
        events.push(`lost ${lease.incarnation.epoch}`);
        if (events.length === 1) throw new Error('the answer was lost');
        return taken;
      },
      onReturned: ({ incarnation }) => events.push(`returned ${incarnation.epoch}`),
      onSuperseded: () => events.push('superseded'),
    });
    await loseContact(lease);
    await pass(clock, 10_000);
    assert.deepEqual(events, ['lost 1', 'lost 2', 'returned 2']);
    assert.equal(lease.incarnation.epoch, 2);
    assert.ok(lease.sinceHeld < 3_000);
  });

  it('ends if a process elsewhere took the name while the result of its return was unknown', async () => {
    const events: string[] = [];
    const lease = await join({
      onLost: async () => {
        events.push('lost');
        await store.join(joining('a', 'bbbbbb', 'elsewhere'), offer(), 2_000);
        throw new Error('the database was not reached');
      },
      onReturned: () => events.push('returned'),
      onSuperseded: () => events.push('superseded'),
    });
    await loseContact(lease);
    await pass(clock, 10_000);
    assert.deepEqual(events, ['lost', 'superseded']);
  });

  it('is not steady after the process was stopped for a long time', async () => {
    const lease = await join();
    await pass(clock, 61_000);
    assert.ok(lease.connectedFor > 60_000);
    clock.advance(40_000);
    await pass(clock, 1_000);
    assert.ok(lease.connectedFor < 2_000);
  });

  it('is renewed and read less often in a large cluster', async () => {
    for (let count = 1; count < 2_500; count++) {
      const code = count.toString(16).padStart(6, '0');
      await store.join(joining(`n${count}`, code), offer(), 10_000);
    }
    statements = [];
    const lease = await join();
    await pass(clock, 100_000, 1_000);
    assert.equal(lease.interval, 10_000);
    assert.ok(statements.filter((name) => name === 'renew').length <= 12);
    assert.equal(statements.filter((name) => name === 'list').length, 1);
  });

  it('has ordered limits with time for missed renewals at every size', () => {
    for (const nodes of [1, 500, 1_000, 2_500, 5_000, 20_000, 1_000_000]) {
      const interval = renewalInterval(nodes);
      assert.ok(lateAfter(interval) >= 3 * interval);
      assert.ok(lateAfter(interval) < fenceAfter(interval));
      assert.ok(fenceAfter(interval) + interval <= lostAfter(interval));
      assert.ok(lostAfter(interval) - fenceAfter(interval) >= 10_000);
    }
    assert.deepEqual([lateAfter(2_000), fenceAfter(2_000), lostAfter(2_000)], [6_000, 50_000, 60_000]);
    assert.ok(2_500 / (renewalInterval(2_500) / 1000) <= 500);
  });
});

describe('the state of other nodes', () => {
  let known: KnownNodes;
  beforeEach(() => (known = new KnownNodes(store, clock, log)));

  it('is cached, and looked up if it is missing', async () => {
    await store.join(joining('b', 'bbbbbb'), offer(), 2_000);
    assert.equal(known.get('bbbbbb'), undefined);
    assert.equal((await known.find('bbbbbb'))?.condition, 'alive');
    assert.equal(known.get('bbbbbb')?.name, 'b');
    assert.equal(statements.filter((name) => name === 'find').length, 1);
    assert.deepEqual(await known.address('bbbbbb'), {
      ...{ code: 'bbbbbb', url: 'http://node', publicUrl: 'https://node' },
    });
  });

  it('is requested once for simultaneous callers, and not again for a while after a miss', async () => {
    await Promise.all([known.find('ffffff'), known.find('ffffff')]);
    await known.find('ffffff');
    assert.deepEqual(statements, ['find']);
    clock.advance(11_000);
    await known.find('ffffff');
    assert.equal(statements.length, 2);
  });

  it('stays available while the database hangs', async () => {
    await store.join(joining('b', 'bbbbbb'), offer({ regions: ['EU', 'NA'] }), 2_000);
    await known.refresh();
    store.onStatement = never;
    clock.advance(20_000);
    const found = known.find('bbbbbb');
    await pass(clock, 5_000);
    assert.equal((await found)?.condition, 'alive');
    assert.deepEqual(known.regions, ['NA', 'EU']);
  });

  it('distinguishes late, lost, draining and left nodes', async () => {
    await store.join(joining('a', 'aaaaaa'), offer(), 2_000);
    await store.join(joining('b', 'bbbbbb'), offer(), 2_000);
    await store.leave({ code: 'bbbbbb', epoch: 1 });
    clock.advance(7_000);
    await store.join(joining('c', 'cccccc'), offer({ draining: true }), 2_000);
    await known.refresh();
    const conditions = () => known.all.map(({ condition }) => condition);
    assert.deepEqual(conditions(), ['late', 'left', 'draining']);
    clock.advance(60_000);
    await store.declareLost({ code: 'aaaaaa', epoch: 1 });
    await known.refresh();
    assert.deepEqual(conditions(), ['lost', 'left', 'late']);
  });

  it('caches a limited number of unknown codes', async () => {
    await store.join(joining('b', 'bbbbbb'), offer(), 2_000);
    for (let count = 0; count < 3_000; count++) await known.find(`x${count}`);
    statements = [];
    await known.find('bbbbbb');
    await known.find('x2999');
    await known.find('x0');
    assert.equal(statements.length, 2, 'the last ones are remembered');
  });
});
