import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KnownNodes } from '../../../server/src/cluster/nodes/known-nodes.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryNodes } from '../../fakes/memory-nodes.js';
import { quiet } from '../../fakes/test-service.js';
import { joining, offer } from '../../support/cluster-contract.js';

/** Nodes `a`, `b`, … of a cluster, and the cache of one of them. */
async function cluster(...codes: string[]) {
  const clock = new ManualClock();
  const store = new MemoryNodes(clock);
  for (const code of codes) await store.join(joining(code.slice(0, 1), code), offer(), 2_000);
  const known = new KnownNodes(store, clock, quiet);
  await known.refresh();
  return { store, known };
}

describe('the list of other nodes', () => {
  it('includes late nodes, but not nodes that left or the node itself', async () => {
    const { store, known } = await cluster('aaaaaa', 'bbbbbb', 'cccccc', 'dddddd');
    await store.leave({ code: 'bbbbbb', epoch: 1 });
    store.nodes.get('cccccc')!.seenAt -= 10_000;
    await known.refresh();
    assert.deepEqual(
      known.peersOf('aaaaaa').map(({ code }) => code),
      ['cccccc', 'dddddd'],
    );
    assert.equal(known.alive, 2);
  });

  it('is the same before and after a single lookup, and includes new nodes', async () => {
    const { store, known } = await cluster('aaaaaa', 'bbbbbb');
    const seen = () => [known.alive, known.peersOf('aaaaaa').length, known.all.length];
    const before = seen();
    assert.equal(known.get('bbbbbb')?.name, 'b');
    assert.deepEqual(seen(), before);
    await store.join(joining('c', 'cccccc'), offer(), 2_000);
    await known.find('cccccc');
    await known.find('ffffff');
    assert.deepEqual(seen(), [3, 2, 3]);
    await known.refresh();
    assert.deepEqual(seen(), [3, 2, 3]);
  });
});
