/** Reason for tests that open the demo with the key of a run. */
const KEY_OF_A_RUN = 'no node of several makes a key of its own';
/** Reason for tests that read `/metrics` of their service. */
const FIGURES = 'each node has figures of its own, and the test asks any';
/** Tests that start a service in a machine of its own, or count the parts of one service. */
const ONE_SERVICE = 'looks at the processes of one service, of which a cluster has three';

/** Test files that do not apply to a cluster, with the reason. `npm run test:cluster-e2e` runs all others. */
export const NOT_OF_CLUSTERS: Record<string, string> = {
  demo: KEY_OF_A_RUN,
  'admin-demo': KEY_OF_A_RUN,
  'mobile-demo': KEY_OF_A_RUN,
  accessibility: KEY_OF_A_RUN,
  'egress-ways': FIGURES,
  'warm-browsers': FIGURES,
  isolation: ONE_SERVICE,
  sandbox: ONE_SERVICE,
  'sandbox-proof': ONE_SERVICE,
  'waiting-display': ONE_SERVICE,
  operator: 'counts the nodes of a service: one',
  'database-outage': 'has a database of its own for its one service',
  cluster: 'starts clusters of its own',
};
