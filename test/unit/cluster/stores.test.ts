import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryNodes } from '../../fakes/memory-nodes.js';
import { MemoryPlacements } from '../../fakes/memory-placements.js';
import { describeClusterStores } from '../../support/cluster-contract.js';

describeClusterStores('memory', async () => {
  const clock = new ManualClock();
  const nodes = new MemoryNodes(clock);
  return { nodes, places: new MemoryPlacements(nodes), pass: async (time) => clock.advance(time) };
});
