import { PostgresNodeStore } from '../../server/src/cluster/nodes/postgres-node-store.js';
import { PostgresPlacementStore } from '../../server/src/cluster/placement/postgres-placement-store.js';
import { describeClusterStores } from '../support/cluster-contract.js';
import { databaseFixture } from './support/fixture.js';

const fixture = databaseFixture();

describeClusterStores('PostgreSQL', async () => {
  const url = await fixture.postgres.createDatabase();
  const database = await fixture.openWithTables({ url });
  return {
    nodes: new PostgresNodeStore(database),
    places: new PostgresPlacementStore(database),
    // Makes stored times older, which has the same effect as a later moment.
    pass: async (time) => {
      const earlier = `- interval '${time} milliseconds'`;
      await fixture.postgres.sql(
        `update nodes set seen_at = seen_at ${earlier}, over_at = over_at ${earlier}, former_until = former_until ${earlier};
         update placements set placed_at = placed_at ${earlier};
         update create_rates set filled_at = filled_at ${earlier}`,
        url,
      );
    },
  };
});
