import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { lateAfter, lostAfter, RENEWAL_MS } from '../../server/src/cluster/nodes/lateness.js';
import {
  NameHeldError,
  type HeldPlace,
  type JoiningNode,
  type NodeIncarnation,
  type NodeOffer,
  type NodeStore,
} from '../../server/src/cluster/nodes/node-store.js';
import type {
  PlacementLimits,
  PlacementStore,
  PlaceQuery,
} from '../../server/src/cluster/placement/placement-store.js';
import { nodeCodeOf } from '../../server/src/sessions/session-id.js';

/** Stores under test, empty. */
export interface ClusterStores {
  nodes: NodeStore;
  places: PlacementStore;
  /** Lets time pass for the stores. */
  pass(milliseconds: number): Promise<void>;
}

/** Returns the offer of a test's node. */
export function offer(changes: Partial<NodeOffer> = {}): NodeOffer {
  return {
    ...{ url: 'http://node', publicUrl: 'https://node', mode: 'gateway', regions: ['EU'] },
    ...{ sessionRoom: 10, costRoom: 1_000, draining: false, headroom: true, ...changes },
  };
}

/** A node that joins as a process on its own machine, or on another one. */
export function joining(name: string, code: string, home = name): JoiningNode {
  return { name, code, home, secretCheck: 'check' };
}

/** A place of a test. */
export function wanted(changes: Partial<PlaceQuery> = {}): PlaceQuery {
  return {
    id: randomUUID(),
    tag: null,
    apiKey: 'key',
    tenant: null,
    regions: [],
    cost: 10,
    avoid: [],
    ...changes,
  };
}

/** Limits that no test reaches. */
export const FREE: PlacementLimits = { createsPerMinute: 1_000, maxPerKey: null, maxPerTenant: null };

const LATE_MS = lateAfter(RENEWAL_MS) + 100;
const LOST_MS = lostAfter(RENEWAL_MS) + 100;
const moment = { run: 'run', at: 1 };

/** Contract of every store of nodes and places. `open`: opens empty ones. */
export function describeClusterStores(name: string, open: () => Promise<ClusterStores>): void {
  describe(`nodes and places in ${name}`, () => {
    let stores: ClusterStores;
    const join = async (
      node: string,
      code: string,
      changes: Partial<NodeOffer> = {},
    ): Promise<NodeIncarnation> => {
      const joined = await stores.nodes.join(joining(node, code), offer(changes), RENEWAL_MS);
      assert.ok(joined);
      return { code: joined.code, epoch: joined.epoch };
    };
    const renew = (life: NodeIncarnation, changes: Partial<NodeOffer> = {}, interval = RENEWAL_MS) =>
      stores.nodes.renew(life, offer(changes), interval, moment);
    const place = (changes: Partial<PlaceQuery> = {}, limits: Partial<PlacementLimits> = {}) =>
      stores.places.place(wanted(changes), { ...FREE, ...limits });
    const begin = async (changes: Partial<PlaceQuery> = {}): Promise<string> => {
      const answer = await place(changes);
      assert.equal(answer.kind, 'begin', JSON.stringify(answer));
      return answer.id;
    };
    const held = (sessionId: string, tag: string | null): HeldPlace => {
      return { sessionId, tag, apiKey: 'key', tenant: null, cost: 10 };
    };
    const row = async (code: string) => {
      const found = await stores.nodes.find(code);
      assert.ok(found);
      return found;
    };
    const test = (title: string, run: () => Promise<void>): void => {
      void it(title, async () => {
        stores = await open();
        await run();
      });
    };

    test('a name keeps its code, and every join raises its epoch', async () => {
      assert.deepEqual(await join('a', 'aaaaaa'), { code: 'aaaaaa', epoch: 1 });
      assert.deepEqual(await join('a', 'bbbbbb'), { code: 'aaaaaa', epoch: 2 });
      assert.equal((await stores.nodes.list()).length, 1);
    });

    test('no two names have the same code', async () => {
      await join('a', 'aaaaaa');
      assert.equal(await stores.nodes.join(joining('b', 'aaaaaa'), offer(), RENEWAL_MS), undefined);
      assert.deepEqual(await join('b', 'bbbbbb'), { code: 'bbbbbb', epoch: 1 });
    });

    test('a node with another secret is refused while others are alive', async () => {
      await join('a', 'aaaaaa');
      const other = { name: 'b', secretCheck: 'another' };
      assert.equal(await stores.nodes.hasOtherSecrets(other), true);
      assert.equal(await stores.nodes.hasOtherSecrets({ ...other, secretCheck: 'check' }), false);
      assert.equal(await stores.nodes.hasOtherSecrets({ ...other, name: 'a' }), false, 'it is the same node');
      await stores.pass(LATE_MS);
      assert.equal(await stores.nodes.hasOtherSecrets(other), false, 'nobody else is there');
    });

    test('of two processes with one name the newer one holds the lease, and the older one is notified', async () => {
      const older = await join('a', 'aaaaaa');
      const newer = await join('a', 'bbbbbb');
      assert.equal(await renew(older), 'superseded');
      assert.equal(await renew(newer), 'held');
      await stores.nodes.leave(older);
      assert.equal((await row('aaaaaa')).state, 'alive');
    });

    test('a restart frees the places of the previous epoch at once, and reports its last heartbeat', async () => {
      const life = await join('a', 'aaaaaa');
      assert.equal(await renew(life), 'held');
      const id = await begin({ tag: 't' });
      const joined = await stores.nodes.join(joining('a', 'bbbbbb'), offer(), RENEWAL_MS);
      assert.deepEqual(joined?.unsettled?.moment, moment);
      assert.equal((await row('aaaaaa')).usedSessions, 0);
      assert.equal(await stores.places.holds(id, { code: 'aaaaaa', epoch: 2 }), false);
      await begin({ tag: 't' });
      const again = await stores.nodes.join(joining('a', 'bbbbbb'), offer(), RENEWAL_MS);
      assert.deepEqual(again?.unsettled?.moment, moment, 'until the former sessions are settled');
      await stores.nodes.settled({ code: 'aaaaaa', epoch: 3 });
      assert.equal((await row('aaaaaa')).unsettled, null);
    });

    test('places of an earlier process elsewhere stay taken until it releases them or would be lost', async () => {
      const older = await join('a', 'aaaaaa');
      const [first, second] = [await begin({ tag: 't' }), await begin({ tag: 'u' })];
      await stores.pass(LATE_MS);
      const newer = await stores.nodes.join(joining('a', 'aaaaaa', 'elsewhere'), offer(), RENEWAL_MS);
      assert.ok(newer);
      assert.equal(await renew(older), 'superseded');
      const busy = await place({ tag: 't' });
      assert.ok(busy.kind === 'tag_busy' && busy.wait > 40_000 && busy.wait <= 60_000, JSON.stringify(busy));
      assert.deepEqual(await stores.nodes.placementsOf('aaaaaa'), []);
      assert.equal((await row('aaaaaa')).usedSessions, 2);
      await stores.places.release([first]);
      assert.notEqual(await begin({ tag: 't' }), first);
      assert.equal((await row('aaaaaa')).usedSessions, 2);
      await stores.pass(LOST_MS);
      await renew(newer);
      assert.equal((await place({ tag: 'u' })).kind, 'exists');
      assert.ok((await stores.nodes.placementsOf('aaaaaa')).some(({ sessionId }) => sessionId === second));
      // The same home: that process has ended, and so has the one before it.
      await stores.nodes.join(joining('a', 'aaaaaa', 'elsewhere'), offer(), RENEWAL_MS);
      assert.equal((await row('aaaaaa')).usedSessions, 0);
      await begin({ tag: 'u' });
      // A process that was not seen for this long has ended, wherever it ran.
      await stores.pass(LOST_MS);
      await stores.nodes.join(joining('a', 'aaaaaa', 'anywhere'), offer(), RENEWAL_MS);
      await begin({ tag: 'u' });
    });

    test('places of an earlier process elsewhere stay taken when its successor leaves', async () => {
      await join('a', 'aaaaaa');
      await begin({ tag: 't' });
      await stores.pass(LATE_MS);
      const newer = await stores.nodes.join(joining('a', 'aaaaaa', 'elsewhere'), offer(), RENEWAL_MS);
      assert.ok(newer);
      await begin({ tag: 'u' });
      await stores.nodes.leave(newer);
      await join('b', 'bbbbbb');
      await begin({ tag: 'u' });
      assert.equal((await place({ tag: 't' })).kind, 'tag_busy');
      await stores.pass(LOST_MS);
      await join('b', 'bbbbbb');
      await begin({ tag: 't' });
    });

    test('a name is not given to a process elsewhere before the lease of its holder is late', async () => {
      const life = await join('a', 'aaaaaa');
      const elsewhere = () => stores.nodes.join(joining('a', 'bbbbbb', 'elsewhere'), offer(), RENEWAL_MS);
      const refusal: unknown = await elsewhere().catch((error: unknown) => error);
      assert.ok(refusal instanceof NameHeldError);
      assert.equal(refusal.url, offer().url);
      assert.ok(refusal.lateIn > 0 && refusal.lateIn <= LATE_MS, `${refusal.lateIn}`);
      assert.equal(await renew(life), 'held');
      assert.equal((await join('a', 'bbbbbb')).epoch, 2, 'the same place may at once');
      await stores.pass(LATE_MS);
      assert.equal((await elsewhere())?.epoch, 3);
    });

    test('a row contains the latest offer of its node and its age', async () => {
      const life = await join('a', 'aaaaaa');
      await renew(life, { draining: true, headroom: false, regions: ['NA', 'AS'], mode: 'direct' }, 4_000);
      await stores.pass(500);
      const { age, ...rest } = await row('aaaaaa');
      assert.ok(age >= 500 && age < 5_000, `${age}`);
      assert.deepEqual(rest, {
        ...offer({ draining: true, headroom: false, regions: ['NA', 'AS'], mode: 'direct' }),
        ...{ code: 'aaaaaa', epoch: 1, name: 'a', state: 'alive', interval: 4_000 },
        ...{ usedSessions: 0, usedCost: 0, unsettled: null },
      });
      assert.equal(await stores.nodes.find('ffffff'), undefined);
    });

    test('a place is on the node with the lowest use, by sessions and by cost', async () => {
      await join('a', 'aaaaaa');
      await join('b', 'bbbbbb');
      await begin({ cost: 500 });
      const ids = await Promise.all([begin({ cost: 10 }), begin({ cost: 10 })]);
      const codes = new Set(ids.map(nodeCodeOf));
      assert.ok(codes.size <= 2);
      const [a, b] = await stores.nodes.list();
      assert.equal((a?.usedSessions ?? 0) + (b?.usedSessions ?? 0), 3);
      assert.equal((a?.usedCost ?? 0) + (b?.usedCost ?? 0), 520);
      for (let count = 0; count < 3; count++) await begin({ cost: 10 });
      const uses = (await stores.nodes.list()).map(({ usedSessions }) => usedSessions).sort();
      assert.deepEqual(uses, [1, 5], 'the one with the expensive session gets no other');
    });

    test('nodes that are late, lost, left, draining, exhausted, full or elsewhere are skipped', async () => {
      const life = await join('a', 'aaaaaa', { costRoom: 30, regions: ['NA'] });
      const full = { kind: 'full' };
      assert.equal((await place({ cost: 31 })).kind, 'full');
      await renew(life, { headroom: false });
      assert.deepEqual(await place(), full);
      await renew(life, { draining: true });
      assert.deepEqual(await place(), full);
      await renew(life, { sessionRoom: 1, regions: ['NA'] });
      assert.deepEqual(await place({ regions: ['EU'] }), { kind: 'no_region', served: ['NA'] });
      await begin({ regions: ['NA', 'AS'] });
      assert.deepEqual(await place(), full);
      await renew(life);
      await stores.pass(LATE_MS);
      assert.deepEqual(await place(), full);
      await renew(life);
      await begin();
      await stores.nodes.leave(life);
      assert.deepEqual(await place(), full);
      assert.equal((await row('aaaaaa')).state, 'left');
      assert.equal(await renew(life), 'superseded');
    });

    test('a node to avoid is skipped', async () => {
      await join('a', 'aaaaaa');
      const life = await join('b', 'bbbbbb', { sessionRoom: 1 });
      assert.match(await begin({ avoid: ['aaaaaa'] }), /^bbbbbb/);
      assert.equal((await place({ avoid: ['aaaaaa'] })).kind, 'full');
      await renew(life);
      assert.match(await begin({ avoid: ['aaaaaa'] }), /^bbbbbb/);
      assert.equal((await place({ avoid: ['aaaaaa', 'bbbbbb'] })).kind, 'full');
    });

    test('a tag has one session, whichever node receives the create', async () => {
      await join('a', 'aaaaaa');
      await join('b', 'bbbbbb');
      const answers = await Promise.all(Array.from({ length: 20 }, () => place({ tag: 't' })));
      const ids = new Set(answers.map((answer) => ('id' in answer ? answer.id : answer.kind)));
      assert.equal(ids.size, 1);
      assert.equal(answers.filter(({ kind }) => kind === 'begin').length, 1);
      const uses = (await stores.nodes.list()).map(({ usedSessions }) => usedSessions).sort();
      assert.deepEqual(uses, [0, 1]);
    });

    test('a tag of a late node is available to no node, a tag of a lost node to all', async () => {
      const life = await join('a', 'aaaaaa');
      const id = await begin({ tag: 't' });
      await stores.pass(LATE_MS);
      const other = await join('b', 'bbbbbb');
      const answer = await place({ tag: 't' });
      assert.equal(answer.kind, 'tag_busy');
      assert.ok(answer.wait > 40_000 && answer.wait < 60_000);
      assert.equal(await stores.nodes.declareLost(life), undefined, 'too early');
      await stores.pass(LOST_MS);
      await renew(other);
      assert.ok(await stores.nodes.declareLost(life));
      assert.equal(await stores.nodes.declareLost(life), undefined, 'once');
      assert.equal((await row('aaaaaa')).usedSessions, 0);
      assert.equal(await stores.places.holds(id, life), false);
      assert.equal(nodeCodeOf(await begin({ tag: 't' })), 'bbbbbb');
    });

    test('a late node that renews in time keeps its tag', async () => {
      const life = await join('a', 'aaaaaa');
      const id = await begin({ tag: 't' });
      await stores.pass(LATE_MS);
      assert.equal(await renew(life), 'held');
      const answer = await place({ tag: 't' });
      assert.ok(answer.kind === 'exists' && answer.id === id);
      assert.deepEqual(answer.node, { ...life, url: 'http://node', publicUrl: 'https://node' });
    });

    test('a tag is free after its node has left', async () => {
      const life = await join('a', 'aaaaaa');
      await begin({ tag: 't' });
      await stores.nodes.leave(life);
      await join('b', 'bbbbbb');
      await begin({ tag: 't' });
    });

    test('a node that was lost recovers the places that no other node has taken', async () => {
      const life = await join('a', 'aaaaaa');
      const [kept, taken, untagged] = [
        await begin({ tag: 'kept' }),
        await begin({ tag: 'taken' }),
        await begin(),
      ];
      await stores.pass(LOST_MS);
      const other = await join('b', 'bbbbbb');
      await stores.nodes.declareLost(life);
      await begin({ tag: 'taken' });
      assert.equal(await renew(life), 'lost');
      const sessions = [held(kept, 'kept'), held(taken, 'taken'), held(untagged, null)];
      const taken1 = await stores.nodes.reclaim(life, sessions);
      assert.deepEqual(taken1?.held.sort(), [kept, untagged].sort());
      const life2 = { ...life, epoch: life.epoch + 1 };
      assert.deepEqual(taken1.incarnation, life2, 'in a new life, so that nobody writes for the lost one');
      assert.equal(await renew(life), 'superseded');
      assert.equal(await renew(life2), 'held');
      const { state, usedSessions, usedCost, unsettled } = await row('aaaaaa');
      assert.deepEqual(
        { state, usedSessions, usedCost, unsettled },
        { state: 'alive', usedSessions: 2, usedCost: 20, unsettled: null },
      );
      assert.equal(await stores.places.holds(kept, life2), true);
      const again = await stores.nodes.reclaim(life2, sessions);
      assert.deepEqual(again?.held.sort(), [kept, untagged].sort());
      assert.deepEqual(again.incarnation, life2);
      assert.equal((await row('aaaaaa')).usedSessions, 2);
      assert.equal(await stores.nodes.reclaim({ ...other, epoch: 7 }, []), undefined);
    });

    test('a new life of a node is found by the home of its process', async () => {
      const life = await join('a', 'aaaaaa');
      assert.equal(await stores.nodes.newerEpoch(life, 'a'), undefined);
      await stores.pass(LOST_MS);
      await stores.nodes.declareLost(life);
      await stores.nodes.reclaim(life, []);
      assert.equal(await stores.nodes.newerEpoch(life, 'a'), 2);
      assert.equal(await stores.nodes.newerEpoch(life, 'elsewhere'), undefined);
      await stores.nodes.leave({ ...life, epoch: 2 });
      assert.equal(await stores.nodes.newerEpoch(life, 'a'), undefined);
    });

    test('a released place is freed once', async () => {
      await join('a', 'aaaaaa');
      await join('b', 'bbbbbb');
      const ids = [await begin({ tag: 't' }), await begin(), await begin()];
      assert.equal(
        (await stores.nodes.placementsOf('aaaaaa')).length +
          (await stores.nodes.placementsOf('bbbbbb')).length,
        3,
      );
      await Promise.all([stores.places.release(ids), stores.places.release(ids)]);
      await stores.places.release([randomUUID(), ...ids]);
      for (const { usedSessions, usedCost } of await stores.nodes.list())
        assert.deepEqual([usedSessions, usedCost], [0, 0]);
      await begin({ tag: 't' });
    });

    test('the create rate of a key applies to all nodes together', async () => {
      await join('a', 'aaaaaa', { sessionRoom: 100 });
      const rate = { createsPerMinute: 3 };
      for (let count = 0; count < 3; count++) assert.equal((await place({}, rate)).kind, 'begin');
      const refused = await place({}, rate);
      assert.ok(refused.kind === 'too_fast' && refused.wait > 15_000 && refused.wait <= 20_000);
      assert.equal((await place({ apiKey: 'other' }, rate)).kind, 'begin');
      await stores.pass(1_000);
      assert.equal((await place({}, rate)).kind, 'too_fast');
      const life = { code: 'aaaaaa', epoch: 1 };
      await stores.pass(20_000);
      await renew(life, { sessionRoom: 100 });
      assert.equal((await place({}, rate)).kind, 'begin');
    });

    test('a create refused for another reason does not count against the rate', async () => {
      const life = await join('a', 'aaaaaa', { headroom: false });
      const rate = { createsPerMinute: 1 };
      for (let count = 0; count < 3; count++) assert.equal((await place({}, rate)).kind, 'full');
      await renew(life);
      assert.equal((await place({}, rate)).kind, 'begin');
    });

    test('the sessions of a key and of a tenant are limited', async () => {
      await join('a', 'aaaaaa');
      const limits = { maxPerKey: 3, maxPerTenant: 2 };
      const tenant = (name: string | null) => place({ tenant: name }, limits);
      const kinds = [
        await tenant('x'),
        await tenant('x'),
        await tenant('x'),
        await tenant('y'),
        await tenant(null),
      ];
      assert.deepEqual(
        kinds.map(({ kind }) => kind),
        ['begin', 'begin', 'tenant_limit', 'begin', 'key_limit'],
      );
      const [first] = kinds;
      await stores.places.release(first?.kind === 'begin' ? [first.id] : []);
      assert.equal((await tenant('x')).kind, 'begin');
      const many = await Promise.all(
        Array.from({ length: 10 }, () => place({ apiKey: 'b' }, { maxPerKey: 2 })),
      );
      assert.equal(many.filter(({ kind }) => kind === 'begin').length, 2, 'also at once');
    });

    test('nodes that are gone for a day are deleted with their codes', async () => {
      const [left, lost, settledLater] = [
        await join('left', 'aaaaaa'),
        await join('lost', 'bbbbbb'),
        await join('unsettled', 'cccccc'),
      ];
      await stores.nodes.leave(left);
      await stores.pass(LOST_MS);
      await stores.nodes.declareLost(lost);
      await stores.nodes.settled(lost);
      await stores.nodes.declareLost(settledLater);
      await stores.nodes.forget();
      assert.equal((await stores.nodes.list()).length, 3);
      await stores.pass(25 * 3_600_000);
      await stores.nodes.forget();
      assert.deepEqual(
        (await stores.nodes.list()).map(({ name: kept }) => kept),
        ['unsettled'],
      );
    });

    test('many simultaneous creates are spread evenly, and no place is given twice', async () => {
      for (const code of ['aaaaaa', 'bbbbbb', 'cccccc']) await join(code, code, { sessionRoom: 20 });
      const answers = await Promise.all(Array.from({ length: 70 }, () => place()));
      assert.equal(answers.filter(({ kind }) => kind === 'begin').length, 60);
      assert.equal(answers.filter(({ kind }) => kind === 'full').length, 10);
      for (const { usedSessions } of await stores.nodes.list()) assert.equal(usedSessions, 20);
    });
  });
}
