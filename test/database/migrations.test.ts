import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { migrate } from '../../server/src/database/migrate.js';
import { MIGRATIONS } from '../../server/src/database/migrations.js';
import { databaseFixture, quiet } from './support/fixture.js';

const fixture = databaseFixture();
const first = { name: '0001-first', sql: 'create table first (n int); insert into first values (1)' };
const second = { name: '0002-second', sql: 'alter table first add m int; update first set m = 2' };
const broken = { name: '0002-broken', sql: 'create table more (n int); select 1/0' };
const FIRST = { name: 'first', text: 'select n from first' };

describe('database migrations', () => {
  it('are numbered in order', () => {
    const names = MIGRATIONS.map(({ name }) => name);
    for (const name of names) assert.match(name, /^\d{4}-[a-z-]+$/);
    assert.deepEqual(names, [...new Set(names)].sort());
  });

  it('run once, missing ones later', async () => {
    const database = await fixture.open();
    await migrate(database, quiet, { migrations: [first] });
    await migrate(database, quiet, { migrations: [first] });
    await migrate(database, quiet, { migrations: [first, second] });
    const rows = await database.rows({ name: 'both', text: 'select n, m from first' });
    assert.deepEqual(rows, [{ n: 1, m: 2 }]);
  });

  it('run once when machines start together', async () => {
    const url = await fixture.postgres.createDatabase();
    const machines = await Promise.all(Array.from({ length: 6 }, () => fixture.open({ url })));
    await Promise.all(machines.map((database) => migrate(database, quiet, { migrations: [first, second] })));
    assert.deepEqual(await machines[0]!.rows(FIRST), [{ n: 1 }]);
  });

  it('run completely or not at all', async () => {
    const database = await fixture.open();
    await assert.rejects(migrate(database, quiet, { migrations: [first, broken] }), { code: 'err_start' });
    await migrate(database, quiet, { migrations: [first, second] });
    assert.deepEqual(await database.rows(FIRST), [{ n: 1 }]);
  });

  it('of a newer version prevent an older version from starting', async () => {
    const database = await fixture.open();
    await migrate(database, quiet, { migrations: [first, second] });
    await assert.rejects(migrate(database, quiet, { migrations: [first] }), /Another version .*0002-second/);
    await assert.rejects(migrate(database, quiet, { migrations: [first, broken] }), /0002-second/);
  });

  it('stop waiting for a machine that hangs during a migration', async () => {
    const url = await fixture.postgres.createDatabase();
    const [one, other] = await Promise.all([fixture.open({ url }), fixture.open({ url })]);
    const slow = { name: '0001-slow', sql: 'select pg_sleep(60)' };
    const hanging = migrate(one, quiet, { migrations: [slow], deadline: 3_000 });
    const locked = { name: 'locks', text: `select 1 from pg_locks where locktype = 'advisory' and granted` };
    while ((await other.rows(locked)).length === 0) continue;
    const waiting = migrate(other, quiet, { migrations: [first], lockTimeout: 100 });
    await assert.rejects(waiting, /Another process is changing the tables/);
    await assert.rejects(hanging, { code: 'err_start' });
  });

  it('report a user who may not create tables', async () => {
    const url = await fixture.postgres.createDatabase();
    await fixture.postgres.sql(
      `create user guest password 'guest'; revoke create on schema public from public`,
      url,
    );
    const name = new URL(url).pathname.slice(1);
    const database = await fixture.open({
      url: fixture.postgres.url(name, { user: 'guest', password: 'guest' }),
    });
    await assert.rejects(migrate(database, quiet, { migrations: [first] }), /may not create tables/);
  });

  it('of this version have all run', async () => {
    await fixture.openWithTables();
  });
});
