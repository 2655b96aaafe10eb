import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ClusterPlacement } from '../../../server/src/cluster/placement/cluster-placement.js';
import type { PlacementLimits } from '../../../server/src/cluster/placement/placement-store.js';
import { createLog } from '../../../server/src/platform/log.js';
import type { ServiceError } from '../../../server/src/service-error.js';
import type { Placed, PlacementRequest } from '../../../server/src/sessions/placement/placement.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryNodes } from '../../fakes/memory-nodes.js';
import { MemoryPlacements } from '../../fakes/memory-placements.js';
import { FREE, joining, offer } from '../../support/cluster-contract.js';
import { pass, settle } from '../../support/passing.js';

const silent = createLog('silent', () => undefined);
const never = () => new Promise<void>(() => undefined);
const life = () => ({ code: 'aaaaaa', epoch: 1 });

let clock: ManualClock;
let nodes: MemoryNodes;
let placement: ClusterPlacement;
let cannotRenew: boolean;
beforeEach(async () => {
  clock = new ManualClock();
  cannotRenew = false;
  nodes = new MemoryNodes(clock);
  await nodes.join(joining('a', 'aaaaaa'), offer({ sessionRoom: 2 }), 600_000);
  placement = make();
});

function make(
  limits: Partial<PlacementLimits> = {},
  ofLife = life,
  log = silent,
  liveNodes = 1,
): ClusterPlacement {
  return new ClusterPlacement({
    ...{ store: new MemoryPlacements(nodes), clock, log, nodes: () => liveNodes, chance: () => 0.5 },
    ...{ cannotRenew: () => cannotRenew, incarnation: ofLife, limits: { ...FREE, ...limits } },
  });
}

function wanted(changes: Partial<PlacementRequest> = {}): PlacementRequest {
  return { tag: null, apiKey: 'key', tenantId: null, regions: [], cost: 10, ...changes };
}

/** Takes both places. */
const fill = async () => [await placement.place(wanted()), await placement.place(wanted())] as const;

/** Resolves to the error of a refused create. */
async function refusal(place: Promise<Placed>): Promise<[string, number | undefined]> {
  const error = await place.then(
    () => undefined,
    (reason: unknown) => reason as ServiceError,
  );
  return [error?.code ?? 'none', error?.retryAfter];
}

describe('a placement in a cluster', () => {
  it('names the local or the other node', async () => {
    const here = await placement.place(wanted({ tag: 't' }));
    assert.deepEqual({ kind: here.kind, node: here.node }, { kind: 'begin', node: null });
    assert.match(here.id, /^aaaaaa[\da-f]{2}-[\da-f]{4}-4/);
    assert.deepEqual(await placement.place(wanted({ tag: 't' })), { ...here, kind: 'exists' });
    assert.equal(await placement.holds(here.id), true);
    await nodes.join(joining('b', 'bbbbbb'), offer({ url: 'http://b', publicUrl: 'https://b' }), 600_000);
    const there = await placement.place(wanted());
    assert.deepEqual(there.node, { code: 'bbbbbb', url: 'http://b', publicUrl: 'https://b' });
  });

  it('releases the place on an unreachable node and skips that node', async () => {
    await nodes.join(joining('b', 'bbbbbb'), offer(), 600_000);
    await placement.place(wanted());
    const lost = await placement.place(wanted({ tag: 't' }));
    assert.equal(lost.node?.code, 'bbbbbb');
    const found = await placement.place(wanted({ tag: 't' }), [lost.id]);
    assert.deepEqual({ kind: found.kind, node: found.node }, { kind: 'begin', node: null });
    assert.equal(nodes.places.has(lost.id), false);
    // Free places on the unreachable node are no reason to wait for it.
    await placement.place(wanted(), [lost.id]);
    const code = 'err_node_unreachable';
    assert.deepEqual(await refusal(placement.place(wanted(), [lost.id])), [code, 2]);
  });

  it('waits for room on other live nodes if the unreachable node alone has room', async () => {
    placement = make({}, life, silent, 2);
    const [here] = await fill();
    await nodes.join(joining('b', 'bbbbbb'), offer(), 600_000);
    const lost = await placement.place(wanted());
    assert.equal(lost.node?.code, 'bbbbbb');

    const waits = placement.place(wanted(), [lost.id]);
    await settle();
    assert.equal(placement.waiting, 1);
    placement.release(here.id);
    await pass(clock, 1_000);
    assert.equal((await waits).node, null);

    const refused = refusal(placement.place(wanted(), [lost.id]));
    await pass(clock, 11_000);
    assert.deepEqual(await refused, ['err_node_unreachable', 2]);
  });

  it('asks again after an old response, because the process may have been stopped', async () => {
    let asked = 0;
    nodes.onStatement = (kind) => {
      if (kind === 'place') clock.advance(1_500);
      if (kind === 'holds') asked++;
      return Promise.resolve();
    };
    await placement.place(wanted());
    assert.equal(asked, 1);
    nodes.onStatement = (kind) => {
      if (kind === 'place') clock.advance(1_500);
      if (kind === 'holds') nodes.places.clear();
      return Promise.resolve();
    };
    assert.deepEqual(await refusal(placement.place(wanted())), ['err_busy', 7]);
    // A check that the place is still held is no reason to wait either.
    const id = 'aaaaaa00-0000-4000-8000-000000000000';
    const times = [2_000, 0];
    let questions = 0;
    nodes.book(nodes.nodes.get('aaaaaa')!, { sessionId: id, tag: null, apiKey: 'k', tenant: null, cost: 1 });
    nodes.onStatement = () => {
      questions++;
      clock.advance(times.shift() ?? 0);
      return Promise.resolve();
    };
    assert.equal(await placement.holds(id), true);
    assert.equal(questions, 2);
  });

  it('releases the place of a session that never starts, unless it is just arriving', async () => {
    const { id } = await placement.place(wanted());
    void placement.missing(id);
    await pass(clock, 1_000);
    void placement.missing(id);
    await pass(clock, 400);
    assert.equal(nodes.places.has(id), true);
    let answer = () => {};
    nodes.onStatement = () => new Promise<void>((resolve) => (answer = resolve));
    const holds = placement.holds(id);
    await pass(clock, 200);
    void placement.missing(id);
    answer();
    assert.equal(await holds, true);
    nodes.onStatement = () => Promise.resolve();
    void placement.missing(id);
    await pass(clock, 1_600);
    assert.equal(nodes.places.has(id), true, 'it was there meanwhile');
    void placement.missing(id);
    assert.equal(await placement.holds(id), false, 'it is being given back');
    await pass(clock, 100);
    assert.equal(nodes.places.has(id), false);
  });

  it('ignores places of a newer process with the same name', async () => {
    const epoch = { value: 1 };
    const older = make({}, () => ({ code: 'aaaaaa', epoch: epoch.value }));
    await older.place(wanted({ tag: 't' }));
    epoch.value = 0;
    assert.deepEqual(await refusal(older.place(wanted({ tag: 't' }))), ['err_unavailable', 2]);
    assert.deepEqual(await refusal(older.place(wanted())), ['err_unavailable', 2]);
    await pass(clock, 100);
    assert.equal(nodes.places.size, 1);
  });

  it('stores no key, tag or tenant in the placements', async () => {
    await placement.place(wanted({ tag: 'secret-tag', apiKey: 'secret-key', tenantId: 'secret-tenant' }));
    assert.doesNotMatch(JSON.stringify([...nodes.places.values()]), /secret/);
  });

  it('is refused with the matching error code', async () => {
    const refused = (limits: Partial<PlacementLimits>, changes: Partial<PlacementRequest> = {}) =>
      refusal(make(limits).place(wanted({ tenantId: 'tenant', ...changes })));
    await placement.place(wanted({ tag: 't', tenantId: 'tenant' }));
    assert.deepEqual(await refused({ maxPerKey: 1 }), ['err_exceeded_vm_limit', undefined]);
    assert.deepEqual(await refused({ maxPerTenant: 1 }), ['err_exceeded_vm_limit', undefined]);
    assert.deepEqual(await refused({}, { regions: ['AS'] }), ['err_region_unavailable', undefined]);
    const slow = make({ createsPerMinute: 1 });
    await slow.place(wanted());
    assert.deepEqual(await refusal(slow.place(wanted())), ['err_too_many_requests', 60]);
    clock.advance(1_800_001);
    const [code, seconds] = await refused({}, { tag: 't' });
    assert.equal(code, 'err_tag_busy');
    assert.ok((seconds ?? 0) >= 1);
  });

  it('waits for room, and succeeds soon after a session has ended', async () => {
    const [first] = await fill();
    const third = placement.place(wanted());
    await settle();
    assert.equal(placement.waiting, 1);
    placement.release(first.id);
    await pass(clock, 500);
    assert.equal((await third).kind, 'begin');
    assert.equal(placement.waiting, 0);
    await placement.close();
    assert.equal(clock.pending, 0);
  });

  it('is refused after ten seconds, or at once in a full queue, with a time to retry', async () => {
    await fill();
    const waiting = Array.from({ length: 10 }, () => refusal(placement.place(wanted())));
    await settle();
    assert.equal(placement.waiting, 10);
    assert.deepEqual(await refusal(placement.place(wanted())), ['err_busy', 7]);
    waiting.push(refusal(placement.place(wanted({ apiKey: 'other' }))));
    await pass(clock, 11_000);
    for (const one of waiting) assert.deepEqual(await one, ['err_busy', 7]);
    assert.equal(placement.waiting, 0);
  });

  it('names the database as the reason if this node cannot renew its lease', async () => {
    await fill();
    const waiting = refusal(placement.place(wanted()));
    await settle();
    cannotRenew = true;
    await pass(clock, 1_000);
    assert.equal(placement.waiting, 0);
    assert.deepEqual(await waiting, ['err_database', 3]);
  });

  it('is refused at once if this node cannot renew its lease', async () => {
    await fill();
    cannotRenew = true;
    assert.deepEqual(await refusal(placement.place(wanted())), ['err_database', 3]);
  });

  it('serves keys in turn, so that many creates of one key do not delay another', async () => {
    const held = await fill();
    const served: string[] = [];
    const ask = (apiKey: string) =>
      placement.place(wanted({ apiKey })).then(
        () => served.push(apiKey),
        () => undefined,
      );
    const all = ['a', 'a', 'a', 'a', 'b'].map(ask);
    await settle();
    for (const { id } of held) placement.release(id);
    await pass(clock, 1_000);
    assert.deepEqual(served.sort(), ['a', 'b']);
    await pass(clock, 11_000);
    await Promise.all(all);
  });

  it('responds 503 in time if the database hangs, and releases a late place', async () => {
    let answer: () => void = () => undefined;
    nodes.onStatement = (name) =>
      name === 'place' ? new Promise((resolve) => (answer = resolve)) : undefined;
    const refused = refusal(placement.place(wanted()));
    await pass(clock, 3_000);
    assert.deepEqual(await refused, ['err_database', 3]);
    answer();
    await settle();
    assert.equal(nodes.places.size, 1);
    await pass(clock, 100);
    assert.equal(nodes.places.size, 0);
  });

  it('reports an unreachable database once, and again after it has answered', async () => {
    let lines = 0;
    const reported = make(
      {},
      life,
      createLog('warn', () => (lines += 1)),
    );
    for (let outage = 1; outage <= 2; outage++) {
      nodes.onStatement = () => Promise.reject(new Error('gone'));
      for (let tries = 0; tries < 3; tries++)
        assert.equal((await refusal(reported.place(wanted())))[0], 'err_database');
      assert.equal(lines, outage);
      nodes.onStatement = () => undefined;
      await reported.place(wanted());
    }
  });

  it('responds 503 to waiting creates if the database fails', async () => {
    await fill();
    const waiting = refusal(placement.place(wanted()));
    await settle();
    nodes.onStatement = () => Promise.reject(new Error('gone'));
    await pass(clock, 1_000);
    assert.equal((await waiting)[0], 'err_database');
  });

  it('retries a release until the database confirms it', async () => {
    const { id } = await placement.place(wanted({ tag: 't' }));
    nodes.onStatement = () => Promise.reject(new Error('gone'));
    placement.release(id);
    await pass(clock, 20_000);
    assert.equal(nodes.places.size, 1);
    nodes.onStatement = never;
    await pass(clock, 20_000);
    nodes.onStatement = () => undefined;
    await pass(clock, 20_000);
    assert.equal(nodes.places.size, 0);
    assert.equal(clock.pending, 0);
  });

  it('releases many places with few statements, and the last ones on close', async () => {
    await nodes.join(joining('a', ''), offer({ sessionRoom: 500, costRoom: 10_000 }), 600_000);
    placement = make({}, () => ({ code: 'aaaaaa', epoch: 2 }));
    const placed = await Promise.all(Array.from({ length: 300 }, () => placement.place(wanted())));
    let statements = 0;
    nodes.onStatement = (name) => void (statements += name === 'release' ? 1 : 0);
    for (const { id } of placed) placement.release(id);
    await placement.close();
    assert.equal(statements, 1);
    assert.equal(nodes.places.size, 0);
  });
});
