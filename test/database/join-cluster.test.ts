import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadConfig } from '../../server/src/config/load-config.js';
import { Cluster } from '../../server/src/cluster/cluster.js';
import type { Database } from '../../server/src/database/database.js';
import { systemClock } from '../../server/src/platform/time/clock.js';
import { joinCluster } from '../../server/src/startup/join-cluster.js';
import type { Statement } from '../../server/src/database/statement.js';
import { databaseFixture, quiet } from './support/fixture.js';

const fixture = databaseFixture();
const STATES: Statement = { name: 'test_states', text: 'select name, state from nodes' };

describe('a node that cannot open its files after it has joined', () => {
  it('leaves the cluster', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-join-'));
    const stateDir = join(directory, 'state');
    // A file instead of the directory.
    await writeFile(stateDir, '');
    const url = await fixture.postgres.createDatabase();
    const config = loadConfig({
      ...{ DATABASE_URL: url, CLUSTER_SECRET: 's'.repeat(40), NODE_NAME: 'one', STATE_DIR: stateDir },
      ...{ API_KEYS: 'k', PORT: '12345', NODE_URL: 'http://127.0.0.1:12345' },
    });
    assert.ok(config.cluster);
    const process = {
      ...{ run: 'run', home: 'home', log: quiet },
      onSuperseded: () => undefined,
      startsSessions: () => true,
    };
    await assert.rejects(joinCluster(config, config.cluster, process), { code: 'ENOTDIR' });
    await rm(directory, { recursive: true });
    const database = await fixture.open({ url });
    assert.deepEqual(await database.rows(STATES), [{ name: 'one', state: 'left' }]);
  });
});

describe('a node that cannot read the other nodes after it has joined', () => {
  it('leaves the cluster', async () => {
    const database = await fixture.openWithTables();
    const failing = {
      rows: (statement: Statement, values: readonly unknown[]) =>
        statement.name === 'node-list'
          ? Promise.reject(new Error('no list'))
          : database.rows(statement, values),
    } as unknown as Database;
    const joining = Cluster.join({
      ...{ database: failing, secret: Buffer.alloc(32), name: 'one', home: 'home', run: 'run' },
      ...{ url: 'http://one', publicUrl: 'http://one', mode: 'direct', regions: ['NA'] },
      ...{
        sessionRoom: 1,
        costRoom: 1,
        limits: { createsPerMinute: 1, maxPerKey: null, maxPerTenant: null },
      },
      ...{ headroom: () => true, clock: systemClock, log: quiet, onSuperseded: () => undefined },
    });
    await assert.rejects(joining, /no list/);
    assert.deepEqual(await database.rows(STATES), [{ name: 'one', state: 'left' }]);
  });
});
