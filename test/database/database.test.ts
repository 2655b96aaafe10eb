import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { Database } from '../../server/src/database/database.js';
import type { DatabaseError } from '../../server/src/database/database-error.js';
import type { Statement } from '../../server/src/database/statement.js';
import { systemClock } from '../../server/src/platform/time/clock.js';
import { createLog } from '../../server/src/platform/log.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { change, databaseFixture, quiet } from './support/fixture.js';

const fixture = databaseFixture();
const ONE: Statement = { name: 'one', text: 'select 1::bigint as one' };
const SLEEP: Statement = { name: 'sleep', text: 'select pg_sleep(60)' };
const NAP: Statement = { name: 'short_nap', text: 'select pg_sleep(1.5)' };
const PID: Statement = { name: 'pid', text: 'select pg_backend_pid() as pid' };
const TIMEOUT: Statement = {
  name: 'timeout',
  text: `select current_setting('statement_timeout') as timeout`,
};
/** Ends like a conflict with another transaction, after some time. */
const CONFLICT = `do $$ begin perform pg_sleep(1.5); raise exception using errcode = '40001'; end $$`;
const usual = { connections: 5, clock: systemClock, log: quiet };

/** Returns the error of a failed call. */
const problemOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error: unknown) => (error as DatabaseError).problem,
  );

/** Begins a transaction that runs its last statement when `finish` is called. */
async function begun(database: Database) {
  let finish = (): void => undefined;
  let begin = (): void => undefined;
  const finishing = new Promise<void>((resolve) => (finish = resolve));
  const beginning = new Promise<void>((resolve) => (begin = resolve));
  const transaction = database.transaction(
    async (queries) => {
      await queries.rows(ONE);
      begin();
      await finishing;
      return queries.rows(ONE);
    },
    { deadline: 20_000 },
  );
  await beginning;
  return { transaction, finish };
}

describe('a database', () => {
  it('runs statements and returns numbers as numbers', async () => {
    const database = await fixture.open();
    assert.deepEqual(await database.rows(ONE), [{ one: 1 }]);
  });

  it('reports why it refused a statement', async () => {
    const database = await fixture.open();
    await assert.rejects(database.rows({ name: 'bad', text: 'select 1/0' }), {
      code: 'err_database',
      problem: 'refused',
      sqlState: '22012',
    });
    assert.equal(database.available, true);
  });

  it('queues more statements than it has connections', async () => {
    const database = await fixture.open({ connections: 2 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => database.rows(ONE)));
    assert.equal(answers.length, 50);
  });

  it('cancels a slow statement and stays usable', async () => {
    const database = await fixture.open({ deadline: 1_500 });
    assert.equal(await problemOf(database.rows(SLEEP)), 'slow');
    assert.equal(database.available, true);
    assert.deepEqual(await database.rows(ONE), [{ one: 1 }]);
  });

  it('rejects callers that wait past the deadline for a connection', async () => {
    const database = await fixture.open({ connections: 1, deadline: 1_500 });
    const long = database.transaction((queries) => queries.rows(SLEEP), { deadline: 6_000 });
    assert.equal(await problemOf(database.rows(ONE)), 'slow');
    assert.equal(database.available, true);
    assert.equal(await problemOf(long), 'slow');
  });

  it('cancels a slow statement that had to wait for a connection, and stays usable', async () => {
    const database = await fixture.open({ connections: 1, deadline: 3_000 });
    const nap = database.rows(NAP);
    assert.equal(await problemOf(database.rows(SLEEP)), 'slow');
    assert.equal(database.available, true);
    await nap;
  });

  it('changes the timeout of a statement only if the usual one would come too late', async () => {
    const clock = new ManualClock();
    const database = await fixture.open({ connections: 1, deadline: 1_500, clock });
    const timeoutAfter = async (wait: number): Promise<unknown> => {
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const holding = database.transaction(() => released);
      const waiting = database.rows(TIMEOUT);
      clock.advance(wait);
      release();
      await holding;
      return waiting;
    };
    assert.deepEqual(await timeoutAfter(140), [{ timeout: '1250ms' }]);
    assert.deepEqual(await timeoutAfter(300), [{ timeout: '950ms' }]);
  });

  it('allows a longer timeout for single calls', async () => {
    const database = await fixture.open({ deadline: 1_500 });
    const nap: Statement = { name: 'nap', text: 'select pg_sleep(2)' };
    assert.equal((await database.rows(nap, [], { deadline: 20_000 })).length, 1);
  });
});

describe('a transaction', () => {
  it('commits all of its statements together', async () => {
    const database = await fixture.open();
    await database.transaction((queries) => queries.script('create table numbers (n int primary key)'));
    const add = { name: 'add', text: 'insert into numbers values ($1)' };
    const both = (first: number, second: number) =>
      database.transaction(async (queries) => {
        await queries.rows(add, [first]);
        await queries.rows(add, [second]);
      });
    await both(1, 2);
    await assert.rejects(both(3, 2), { problem: 'refused', sqlState: '23505', constraint: 'numbers_pkey' });
    await assert.rejects(
      database.transaction(async (queries) => {
        await queries.rows(add, [4]);
        throw new Error('changed its mind');
      }),
      /changed its mind/,
    );
    const count: Statement = { name: 'count', text: 'select count(*) as count from numbers' };
    assert.deepEqual(await database.rows(count), [{ count: 2 }]);
  });

  it('fails if one of its statements failed and the error was ignored', async () => {
    const database = await fixture.open();
    const careless = database.transaction((queries) =>
      queries.rows({ name: 'bad', text: 'select 1/0' }).catch(() => []),
    );
    await assert.rejects(careless, { problem: 'refused' });
  });

  it('is cancelled and stays usable if its second statement is slow', async () => {
    const database = await fixture.open({ deadline: 3_000 });
    const slow = database.transaction(async (queries) => {
      await queries.rows(NAP);
      await queries.rows(SLEEP);
    });
    assert.equal(await problemOf(slow), 'slow');
    assert.equal(database.available, true);
  });

  it('is cancelled and stays usable if its retry is slow', async () => {
    const database = await fixture.open({ deadline: 3_000 });
    let tries = 0;
    const slow = database.transaction(async (queries) => {
      if (tries++ > 0) return queries.rows(SLEEP);
      return queries.script(CONFLICT);
    });
    assert.equal(await problemOf(slow), 'slow');
    assert.deepEqual([tries, database.available], [2, true]);
  });

  it('ends when its callback ends', async () => {
    const database = await fixture.open();
    const queries = await database.transaction((inside) => Promise.resolve(inside));
    await assert.rejects(queries.rows(ONE), /has ended/);
  });

  it('is retried after a conflict with another transaction', async () => {
    const database = await fixture.open();
    await database.transaction((queries) =>
      queries.script('create table pair (id int primary key, n int); insert into pair values (1, 0), (2, 0)'),
    );
    const raise: Statement = { name: 'raise', text: 'update pair set n = n + 1 where id = $1' };
    const met: (() => void)[] = [];
    const inOrder = (first: number, second: number) =>
      database.transaction(
        async (queries) => {
          await queries.rows(raise, [first]);
          // Both transactions hold their first row before either requests the other's row.
          if (met.length < 2) {
            await new Promise<void>((resolve) => {
              met.push(resolve);
              if (met.length === 2) for (const go of met) go();
            });
          }
          await queries.rows(raise, [second]);
        },
        { deadline: 20_000 },
      );
    await Promise.all([inOrder(1, 2), inOrder(2, 1)]);
    const rows = await database.rows({ name: 'pairs', text: 'select n from pair' });
    assert.deepEqual(rows, [{ n: 2 }, { n: 2 }]);
  });
});

describe('a database that is unreachable or hangs', () => {
  it('fails calls first at the deadline, then at once', async () => {
    const database = await fixture.open({ connections: 3, deadline: 1_500 });
    await Promise.all([database.rows(ONE), database.rows(ONE)]);
    await fixture.postgres.freeze();
    const gone = change(database);
    const calls = Array.from({ length: 8 }, () => problemOf(database.rows(ONE)));
    assert.equal(await gone, false);
    assert.equal(await problemOf(database.rows(ONE)), 'unreachable');
    const problems = await Promise.all(calls);
    assert.ok(problems.every((problem) => problem !== 'none'));
    const back = change(database);
    await fixture.postgres.thaw();
    assert.equal(await back, true);
    assert.deepEqual(await database.rows(ONE), [{ one: 1 }]);
  });

  it('does not block the event loop', async () => {
    const database = await fixture.open({ deadline: 1_000 });
    await fixture.postgres.freeze();
    let settled = false;
    const call = problemOf(database.rows(ONE)).finally(() => (settled = true));
    for (let turn = 0; turn < 1_000; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(settled, false);
    assert.equal(await call, 'unreachable');
  });

  it('reconnects by itself after a crash and logs it', async () => {
    const lines: string[] = [];
    const database = await fixture.open({ log: createLog('info', (line) => lines.push(line)) });
    await database.rows(ONE);
    await fixture.postgres.kill();
    assert.equal(await problemOf(database.rows(ONE)), 'unreachable');
    assert.equal(database.available, false);
    const back = change(database);
    await fixture.postgres.launch();
    assert.equal(await back, true);
    assert.deepEqual(await database.rows(ONE), [{ one: 1 }]);
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { message: string }).message),
      ['the database cannot be reached; running sessions continue', 'the database answers again'],
    );
  });

  it('notices a single lost connection', async () => {
    const database = await fixture.open({ connections: 1 });
    const [{ pid }] = (await database.rows<{ pid: number }>(PID)) as [{ pid: number }];
    const call = problemOf(database.rows(SLEEP));
    await fixture.postgres.sql(`select pg_terminate_backend(${pid})`);
    assert.equal(await call, 'unreachable');
    if (!database.available) await change(database);
    assert.deepEqual(await database.rows(ONE), [{ one: 1 }]);
  });

  it('stays unavailable while it is read-only', async () => {
    const url = await fixture.postgres.createDatabase();
    const database = await fixture.open({ url });
    const { pathname } = new URL(url);
    await fixture.postgres.sql(`alter database ${pathname.slice(1)} set default_transaction_read_only = on`);
    const [{ pid }] = (await database.rows<{ pid: number }>(PID)) as [{ pid: number }];
    await fixture.postgres.sql(`select pg_terminate_backend(${pid})`);
    const write: Statement = { name: 'write', text: 'create table t (n int)' };
    while ((await problemOf(database.rows(write))) !== 'unreachable') continue;
    assert.equal(database.available, false);
    const back = change(database);
    await fixture.postgres.sql(`alter database ${pathname.slice(1)} reset default_transaction_read_only`);
    assert.equal(await back, true);
  });

  it('stays unavailable if only a connection from before the failure answers', async () => {
    const url = await fixture.postgres.createDatabase();
    const database = await fixture.open({ url });
    const name = new URL(url).pathname.slice(1);
    const { transaction, finish } = await begun(database);
    const [{ pid }] = (await database.rows<{ pid: number }>(PID)) as [{ pid: number }];
    await fixture.postgres.sql(`alter database ${name} with allow_connections false`);
    const call = problemOf(database.rows(SLEEP));
    await fixture.postgres.sql(`select pg_terminate_backend(${pid})`);
    assert.equal(await call, 'unreachable');
    assert.equal(database.available, false);
    finish();
    assert.deepEqual(await transaction, [{ one: 1 }]);
    assert.equal(database.available, false);
    const back = change(database);
    await fixture.postgres.sql(`alter database ${name} with allow_connections true`);
    assert.equal(await back, true);
  });

  it('does not delay the end of the service', async () => {
    const database = await fixture.open({ deadline: 1_500 });
    await database.rows(ONE);
    await fixture.postgres.freeze();
    const call = problemOf(database.rows(ONE));
    await database.close();
    assert.equal(await call, 'unreachable');
    assert.equal(await problemOf(database.rows(ONE)), 'unreachable');
  });
});

describe('opening a database', () => {
  const start = (url: string) => Database.open({ ...usual, url, deadline: 1_500 });

  it('reports a refused connection', async () => {
    await assert.rejects(start('postgres://a:secret@127.0.0.1:1/b'), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'err_start');
      assert.match(error.message, /127\.0\.0\.1:1 cannot be used\. Start it, or correct DATABASE_URL/);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
  });

  it('reports a server that does not answer', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    await assert.rejects(start(`postgres://a:b@127.0.0.1:${port}/c`), /cannot be used/);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it('reports a wrong password', async () => {
    const url = fixture.postgres.url('postgres', { password: 'wrong-secret' });
    await assert.rejects(start(url), (error: Error) => {
      assert.match(error.message, /rejects the user "tester"/);
      assert.doesNotMatch(error.message, /wrong-secret/);
      return true;
    });
  });

  it('reports a missing database', async () => {
    await assert.rejects(start(fixture.postgres.url('absent')), /There is no database "absent"/);
  });

  it('reports a read-only database', async () => {
    const url = await fixture.postgres.createDatabase();
    const name = new URL(url).pathname.slice(1);
    await fixture.postgres.sql(`alter database ${name} set default_transaction_read_only = on`);
    await assert.rejects(start(url), /read-only/);
  });

  it('reports an encoding that cannot store all text', async () => {
    const url = await fixture.postgres.createDatabase(`encoding 'LATIN1' locale 'C' template template0`);
    await assert.rejects(start(url), /has the encoding LATIN1/);
  });

  it('reports an invalid address', async () => {
    await assert.rejects(start('postgres://us er:%zz@[/'), { code: 'err_start' });
  });
});
