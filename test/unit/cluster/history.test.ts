import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkHistory, type LifeOfSession, type Operation } from '../../support/history.js';
import { seeded } from '../../support/seeded.js';
import { SimulatedCluster } from '../../support/simulated-cluster.js';
import type { SimulatedNode } from '../../support/simulated-node.js';

const SEEDS = 20;
const CREATES = 400;
const TAGS = ['t1', 't2', 't3', 't4', 't5'];
const isAlive = ({ alive }: SimulatedNode) => alive;
const codes = new Set(['err_tag_busy', 'err_busy', 'err_database']);

/** 400 creates with 5 tags from 3 nodes. One node is killed midway, and users end some sessions. */
async function run(seed: number): Promise<{ operations: Operation[]; lives: LifeOfSession[] }> {
  const chance = seeded(seed);
  const cluster = new SimulatedCluster(chance);
  const { clock } = cluster;
  const any = <Item>(items: readonly Item[]): Item => items[Math.floor(chance() * items.length)]!;
  const nodes: SimulatedNode[] = [];
  for (const name of ['a', 'b', 'c']) nodes.push(await cluster.start(name, { costRoom: 10_000 }));
  await cluster.pass(61_000);
  const victim = any(nodes);
  const operations: Operation[] = [];
  const asked = new Set<string>();
  const running = Array.from({ length: CREATES }, async (_, index) => {
    await new Promise<void>((resolve) => void clock.setTimeout(resolve, chance() * 1_500));
    if (index === CREATES / 2) victim.kill();
    if (chance() < 0.05) {
      const live = [...cluster.lives.values()].filter((life) => life.until === Infinity);
      const ended = live.length > 0 ? any(live) : undefined;
      if (ended) asked.add(ended.id);
      ended?.node.over(ended.id);
    }
    const node = any(nodes);
    if (!node.alive) return;
    const operation: Operation = { tag: any(TAGS), from: clock.now(), until: Infinity, outcome: 'unknown' };
    operations.push(operation);
    try {
      const wanted = { tag: operation.tag, apiKey: 'key', tenantId: null, regions: [], cost: 1 };
      operation.id = await node.create(wanted);
      operation.outcome = isAlive(node) ? 'ok' : 'unknown';
    } catch (error) {
      const { code = '' } = error as { code?: string };
      operation.outcome = codes.has(code) ? 'fail' : 'unknown';
    }
    operation.until = clock.now();
  });
  void Promise.allSettled(running);
  await cluster.pass(4_000, 1);
  const lives = [...cluster.lives.values()].map((life) => {
    return { ...life, explained: asked.has(life.id) || life.node === victim };
  });
  cluster.close();
  return { operations, lives };
}

describe('creates with tags on three nodes, one of which is killed', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    it(`start at most one session per tag, and lose none that was confirmed (seed ${seed})`, async () => {
      const { operations, lives } = await run(seed);
      assert.deepEqual(checkHistory(operations, lives), []);
      const answered = operations.filter(({ outcome }) => outcome === 'ok').length;
      assert.ok(answered > 100, `${answered} of ${operations.length} were answered`);
    });
  }
});

describe('the history checker', () => {
  const life = { id: 'x', tag: 't', from: 10, until: 20, explained: true };
  const operation: Operation = { tag: 't', from: 5, until: 12, outcome: 'ok', id: 'x' };

  it('accepts a valid history', () => {
    assert.deepEqual(checkHistory([operation], [life, { ...life, id: 'y', from: 20, until: 30 }]), []);
  });

  it('finds two sessions of one tag', () => {
    assert.equal(checkHistory([], [life, { ...life, id: 'y', from: 19, until: 30 }]).length, 1);
  });

  it('finds a wrong response and a lost one', () => {
    assert.equal(checkHistory([{ ...operation, until: 9 }], [life]).length, 1);
    assert.equal(checkHistory([{ ...operation, id: 'y' }], [life]).length, 1);
    assert.equal(checkHistory([operation], [{ ...life, explained: false }]).length, 1);
  });
});
