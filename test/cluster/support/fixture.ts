import { after, before } from 'node:test';
import { TestPostgres } from '../../database/support/postgres.js';
import { Nodes } from './nodes.js';
import type { ReverseProxy } from './proxies.js';

/** Parts of the cluster that the tests of a suite use. */
export interface ClusterFixture {
  readonly postgres: TestPostgres;
  readonly nodes: Nodes;
}

/** Starts nodes with a PostgreSQL of their own for the tests of this suite. `environment`: of all nodes. */
export function clusterFixture(count: number, environment: Record<string, string> = {}): ClusterFixture {
  let postgres: TestPostgres | undefined;
  let nodes: Nodes | undefined;
  before(async () => {
    postgres = await TestPostgres.start();
    nodes = await Nodes.start(count, await postgres.createDatabase(), environment);
  });
  after(async () => {
    await nodes?.stop();
    await postgres?.stop();
  });
  return {
    get postgres() {
      return there(postgres);
    },
    get nodes() {
      return there(nodes);
    },
  };
}

/** Starts a reverse proxy in front of the nodes. */
export function proxyFixture(start: () => Promise<ReverseProxy>): { readonly url: string } {
  let proxy: ReverseProxy | undefined;
  before(async () => void (proxy = await start()));
  after(() => proxy?.stop());
  return {
    get url() {
      return there(proxy).url;
    },
  };
}

function there<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('It is there during tests.');
  return thing;
}
