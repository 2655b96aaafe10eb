import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Database } from '../../server/src/database/database.js';
import { PostgresProfileClaims } from '../../server/src/profiles/postgres-profile-claims.js';
import { ProfileBook } from '../../server/src/sessions/profile-book.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { FakeProfileStore } from '../fakes/service-parts.js';
import { NOWHERE } from '../fakes/fake-host-pool.js';
import { change, databaseFixture } from './support/fixture.js';

const fixture = databaseFixture();
const setNode = {
  name: 'set_node',
  text: `insert into nodes (code, name, epoch, state) values ($1::text, $1::text, $2, $3)
    on conflict (code) do update set epoch = excluded.epoch, state = excluded.state`,
};

function nodeOn(database: Database, node: string, epoch = 1) {
  const claims = new PostgresProfileClaims({ database, node, epoch: () => epoch, clock: new ManualClock() });
  const store = new FakeProfileStore();
  return { claims, store, book: new ProfileBook(store, { onSave: () => undefined }, claims) };
}

async function cluster() {
  const database = await fixture.openWithTables({ deadline: 1_000 });
  for (const node of ['aaaaaa', 'bbbbbb']) await database.rows(setNode, [node, 1, 'alive']);
  return { database, a: nodeOn(database, 'aaaaaa'), b: nodeOn(database, 'bbbbbb') };
}

const writes = (save: string) => ({ load: null, save });
const loads = (load: string) => ({ load, save: null });
const inUse = { code: 'err_profile_in_use' };

describe('a profile', () => {
  it('is written by one session at a time, on all nodes', async () => {
    const { a, b } = await cluster();
    await a.book.reserve('s1', writes('p'));
    await assert.rejects(b.book.reserve('s2', writes('p')), inUse);
    // What is kept of it may be loaded meanwhile.
    await b.book.reserve('s3', loads('p'));
    a.book.release('s1', writes('p'));
    await a.claims.flush();
    await b.book.reserve('s2', writes('p'));
    await assert.rejects(a.book.reserve('s1', writes('p')), inUse);
  });

  it('is one of two nodes that ask at once', async () => {
    const { database } = await cluster();
    const tries = Array.from({ length: 12 }, (_, nth) =>
      nodeOn(database, nth % 2 === 0 ? 'aaaaaa' : 'bbbbbb').claims.claim('p', `s${nth}`),
    );
    const got = (await Promise.all(tries)).flatMap((has, nth) => (has ? [nth % 2] : []));
    assert.equal(new Set(got).size, 1);
  });

  it('cannot be loaded elsewhere before it was saved for the first time', async () => {
    const { a, b } = await cluster();
    await a.book.reserve('s1', writes('s1'));
    await assert.rejects(b.book.reserve('s2', loads('s1')), inUse);
  });

  it('is free when its node is lost, or lives anew', async () => {
    const { database, a, b } = await cluster();
    await a.book.reserve('s1', writes('p'));
    await a.book.reserve('s2', writes('q'));
    await database.rows(setNode, ['aaaaaa', 1, 'lost']);
    await b.book.reserve('s3', writes('p'));
    await database.rows(setNode, ['aaaaaa', 2, 'alive']);
    await b.book.reserve('s4', writes('q'));
  });

  it('is not overwritten by a node that was lost meanwhile', async () => {
    const { database, a, b } = await cluster();
    const { save } = await a.book.reserve('s1', writes('p'));
    await database.rows(setNode, ['aaaaaa', 1, 'lost']);
    await b.book.reserve('s2', writes('p'));
    const failure: unknown = await save?.run(NOWHERE).catch((error: unknown) => error);
    assert.equal(save?.failed(failure), 'never');
    assert.deepEqual(a.store.saves, []);
  });

  it('is given back later when the database is away at the end of its session', async () => {
    const { database, a, b } = await cluster();
    await a.book.reserve('s1', writes('p'));
    await fixture.postgres.freeze();
    const gone = change(database);
    a.book.release('s1', writes('p'));
    await gone;
    const back = change(database);
    await fixture.postgres.thaw();
    await back;
    await a.claims.flush();
    await b.book.reserve('s2', writes('p'));
  });
});
