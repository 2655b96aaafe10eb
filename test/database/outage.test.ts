import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { PostgresRegistry } from '../../server/src/registry/postgres-registry.js';
import { ApiCaller } from '../fakes/api-caller.js';
import { createTestService } from '../fakes/test-service.js';
import { change, databaseFixture } from './support/fixture.js';

const fixture = databaseFixture();
/**
 * Longer than the interval in which the service checks its records, and shorter than the wait of sessions for
 * viewers.
 */
const A_WHILE = 31_000;
const RUNNING = { name: 'running', text: 'select count(*) as count from sessions where ended_at is null' };

const OUTAGES = {
  frozen: { begin: () => fixture.postgres.freeze(), end: () => fixture.postgres.thaw() },
  killed: { begin: () => fixture.postgres.kill(), end: () => fixture.postgres.launch() },
};

describe('a service whose database', () => {
  for (const [name, outage] of Object.entries(OUTAGES)) {
    it(`is ${name} keeps running, refuses creates, and has exact records afterwards`, async () => {
      const database = await fixture.openWithTables({ deadline: 1_500 });
      const registry = new PostgresRegistry({
        database,
        node: 'aaaaaa',
        epoch: () => 1,
        isOver: () => false,
      });
      const service = await createTestService({ maxSessions: 10, instead: { registry } });
      const { clock, sessions } = service;
      await sessions.recover();
      const api = new ApiCaller(service);
      const ids: string[] = [];
      for (let nth = 0; nth < 3; nth++) {
        ids.push((await api.begin({ tenant_id: 'a' })).session_id);
        clock.advance(1_000);
      }
      const [first = '', second = ''] = ids;

      await outage.begin();
      const refused = await api.create({});
      assert.equal(refused.statusCode, 503);
      assert.equal(refused.json<{ code: string }>().code, 'err_database');
      assert.ok(Number(refused.headers['retry-after']) > 0);
      assert.equal(database.available, false);
      // Running sessions can be read and ended without the database.
      assert.equal((await api.send('GET', `/v0/vm/${second}`)).statusCode, 200);
      clock.advance(10_000);
      assert.ok((await api.send('DELETE', `/v0/vm/${first}`)).statusCode < 300);
      assert.equal((await registry.get(first))?.ended?.seconds, 13);

      const back = change(database);
      await outage.end();
      assert.equal(await back, true);
      clock.advance(A_WHILE);
      // A create that was answered with 503 may have a record. It has ended without usage.
      const running = async () => {
        const [row] = await database.rows<{ count: number }>(RUNNING);
        return row?.count;
      };
      while ((await running()) !== 2) await turn();
      for (const id of ids.slice(1)) await sessions.end(id, 'request');
      await api.begin({ tenant_id: 'a' });
      await sessions.close();
      const [usage] = await registry.usage('a').then((months) => [...months.values()]);
      assert.equal(usage, 13 + (12 + 31) + (11 + 31));
      await service.close();
    });
  }
});
