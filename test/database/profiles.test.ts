import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import type { Database } from '../../server/src/database/database.js';
import { DatabaseError } from '../../server/src/database/database-error.js';
import { systemClock } from '../../server/src/platform/time/clock.js';
import { FileProfileStore } from '../../server/src/profiles/file-profile-store.js';
import { PostgresProfileStore } from '../../server/src/profiles/postgres-profile-store.js';
import {
  inProfile,
  KEY,
  MAX_BYTES,
  placeWith,
  profileStoreContract,
  removePlaces,
} from '../support/contracts/profile-store-contract.js';
import { until, within } from '../walk/deadline.js';
import { databaseFixture, quiet } from './support/fixture.js';

const fixture = databaseFixture();
const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const directories: string[] = [];
after(removePlaces);
after(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));

async function stateDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-profiles-'));
  directories.push(directory);
  return directory;
}

const usual = { maxBytes: MAX_BYTES, clock: systemClock, log: quiet };
const storeOn = async (database: Database, key: Buffer = KEY) =>
  PostgresProfileStore.open({ ...usual, database, key, stateDir: await stateDirectory() });
const CHUNKS = {
  name: 'chunks',
  text: 'select count(distinct version) as versions, count(*) as chunks from profile_chunks',
};

profileStoreContract('files', async () => {
  const stateDir = await stateDirectory();
  return (key = KEY) => FileProfileStore.open({ ...usual, stateDir, key });
});

profileStoreContract('PostgreSQL', async () => {
  const url = await fixture.postgres.createDatabase();
  return async (key = KEY) => storeOn(await fixture.openWithTables({ url }), key);
});

describe('profiles in a database', () => {
  it('leave no files on the disk, and keep old chunks only for current readers', async () => {
    const database = await fixture.openWithTables();
    const stateDir = await stateDirectory();
    const store = await PostgresProfileStore.open({ ...usual, database, key: KEY, stateDir });
    const files = { large: randomBytes(2 ** 21) };
    for (let time = 0; time < 2; time++) await store.save(ID, await placeWith(files));
    await store.load(ID, await placeWith());
    assert.deepEqual(await database.rows(CHUNKS), [{ versions: 2, chunks: 6 }]);
    await database.rows({
      name: 'age',
      text: `update profile_chunks set stored_at = stored_at - interval '2 hours'`,
    });
    await store.save(ID, await placeWith(files));
    // Another node may be reading the version that was just replaced.
    const isDropped = async () => (await database.rows<{ versions: number }>(CHUNKS))[0]?.versions === 2;
    await until('the oldest version is deleted', 20_000, isDropped);
    assert.deepEqual(await database.rows(CHUNKS), [{ versions: 2, chunks: 6 }]);
    assert.deepEqual(
      (await readdir(stateDir, { recursive: true })).sort(),
      ['passing-profiles', 'passing-profiles/profiles'].sort(),
    );
  });

  it('are saved before the database has deleted old chunks', async () => {
    const database = await fixture.openWithTables();
    const slow: Pick<Database, 'rows'> = {
      rows: (...args) =>
        args[0].name === 'profile_drop_stale' ? new Promise(() => undefined) : database.rows<never>(...args),
    };
    const stateDir = await stateDirectory();
    const store = await PostgresProfileStore.open({ ...usual, database: slow, key: KEY, stateDir });
    await within('the profile is saved', 20_000, store.save(ID, await placeWith({ Cookies: 'new' })));
    const place = await placeWith();
    await store.load(ID, place);
    assert.equal((await inProfile(place, 'Cookies')).toString(), 'new');
  });

  it('are complete if the database performs a save only after its caller has given up', async () => {
    const database = await fixture.openWithTables();
    const calls: Promise<unknown>[] = [];
    let perform: () => Promise<object[]> = () => Promise.resolve([]);
    const lossy: Pick<Database, 'rows'> = {
      rows: (...args) => {
        const [{ name }] = args;
        if (name === 'profile_replace') {
          perform = () => database.rows(...args);
          return Promise.reject(new DatabaseError('unreachable', 'The database has not answered.'));
        }
        const call = database.rows<never>(...args);
        calls.push(call);
        return call;
      },
    };
    const stateDir = await stateDirectory();
    const store = await PostgresProfileStore.open({ ...usual, database: lossy, key: KEY, stateDir });
    const save = store.save(ID, await placeWith({ Cookies: 'new' }));
    await assert.rejects(save, { code: 'err_database' });
    for (let known = 0; known < calls.length;) {
      known = calls.length;
      await Promise.all(calls);
      await turn();
    }
    assert.equal((await perform()).length, 1);
    const place = await placeWith();
    await store.load(ID, place);
    assert.equal((await inProfile(place, 'Cookies')).toString(), 'new');
  });

  it('stay unchanged when the database is lost during a save', async () => {
    const url = await fixture.postgres.createDatabase();
    const database = await fixture.openWithTables({ url });
    const store = await storeOn(database);
    await store.save(ID, await placeWith({ Cookies: 'old' }));
    await fixture.postgres.sql(
      `create function break() returns trigger language plpgsql as $$ begin
         if new.number = 1 then perform pg_terminate_backend(pg_backend_pid()); end if; return new; end $$;
       create trigger break before insert on profile_chunks for each row execute function break()`,
      url,
    );
    const save = store.save(ID, await placeWith({ Cookies: 'new', large: randomBytes(2 ** 21) }));
    await assert.rejects(save, { code: 'err_database' });
    const again = await fixture.openWithTables({ url });
    const place = await placeWith();
    await (await storeOn(again)).load(ID, place);
    assert.equal((await inProfile(place, 'Cookies')).toString(), 'old');
  });
});
