import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Database } from '../../server/src/database/database.js';
import type { Transaction } from '../../server/src/database/statement.js';
import { PostgresProfileClaims } from '../../server/src/profiles/postgres-profile-claims.js';
import {
  ProfileReservations,
  type SaveResult,
} from '../../server/src/sessions/profiles/profile-reservations.js';
import type { ProfileWorkingCopy, LostProfile } from '../../server/src/sessions/profiles/profile-claims.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { FakeProfileStore } from '../fakes/service-parts.js';
import { NOWHERE } from '../fakes/fake-host-pool.js';
import { change, databaseFixture, quiet } from './support/fixture.js';

const fixture = databaseFixture();
const setNode = {
  name: 'set_node',
  text: `insert into nodes (code, name, epoch, state) values ($1::text, $1::text, $2, $3)
    on conflict (code) do update set epoch = excluded.epoch, state = excluded.state`,
};

function nodeOn(database: Database, node: string, epoch = 1) {
  const clock = new ManualClock();
  const claims = new PostgresProfileClaims({ database, node, epoch: () => epoch, clock, log: quiet });
  const store = new FakeProfileStore();
  const results: SaveResult[] = [];
  const onSave = async (result: SaveResult) => void results.push(result);
  return { claims, store, results, book: new ProfileReservations(store, { onSave }, claims) };
}

async function cluster() {
  const database = await fixture.openWithTables({ deadline: 1_000 });
  for (const node of ['aaaaaa', 'bbbbbb']) await database.rows(setNode, [node, 1, 'alive']);
  return { database, a: nodeOn(database, 'aaaaaa'), b: nodeOn(database, 'bbbbbb') };
}

const webhook = { url: 'https://customer.example/hook', bearer: 'b' };
const owner = (sessionId: string) => ({ sessionId, webhook });
const writes = (save: string) => ({ load: null, save });
const loads = (load: string) => ({ load, save: null });
const inUse = { code: 'err_profile_in_use' };

describe('a profile', () => {
  it('is written by one session at a time across all nodes', async () => {
    const { a, b } = await cluster();
    await a.book.reserve(owner('s1'), writes('p'));
    await assert.rejects(b.book.reserve(owner('s2'), writes('p')), inUse);
    // The stored version can be loaded meanwhile.
    await b.book.reserve(owner('s3'), loads('p'));
    a.book.release('s1', writes('p'));
    await a.claims.flush();
    await b.book.reserve(owner('s2'), writes('p'));
    await assert.rejects(a.book.reserve(owner('s1'), writes('p')), inUse);
  });

  it('is given to one of two nodes that request it at once', async () => {
    const { database } = await cluster();
    const tries = Array.from({ length: 12 }, (_, nth) =>
      nodeOn(database, nth % 2 === 0 ? 'aaaaaa' : 'bbbbbb').claims.claim('p', owner(`s${nth}`)),
    );
    const got = (await Promise.all(tries)).flatMap((has, nth) => (has === 'none' ? [nth % 2] : []));
    assert.equal(new Set(got).size, 1);
  });

  it('cannot be loaded elsewhere before its first save', async () => {
    const { a, b } = await cluster();
    await a.book.reserve(owner('s1'), writes('s1'));
    await assert.rejects(b.book.reserve(owner('s2'), loads('s1')), inUse);
  });

  it('is released later if the database is unreachable at the end of its session', async () => {
    const { database, a, b } = await cluster();
    await a.book.reserve(owner('s1'), writes('p'));
    await fixture.postgres.freeze();
    const gone = change(database);
    a.book.release('s1', writes('p'));
    await gone;
    const back = change(database);
    await fixture.postgres.thaw();
    await back;
    await a.claims.flush();
    await b.book.reserve(owner('s2'), writes('p'));
  });
});

const HOLD_CLAIM = {
  name: 'hold_claim',
  text: 'select from profile_writers where profile = $1 for update',
};

it('the end of the service releases each profile, also if another one cannot be released', async () => {
  const { database, a, b } = await cluster();
  await a.book.reserve(owner('s1'), writes('p'));
  await a.book.reserve(owner('s2'), writes('q'));
  const hold = async (queries: Transaction) => {
    await queries.rows(HOLD_CLAIM, ['p']);
    a.book.release('s1', writes('p'));
    a.book.release('s2', writes('q'));
    await a.claims.close();
  };
  await database.transaction(hold, { deadline: 20_000 });
  await b.book.reserve(owner('s3'), writes('q'));
});

const addSession = {
  name: 'add_session',
  text: `insert into sessions (id, node, epoch, version, created_at, tenant, used_months, used_microseconds, record)
    values ($1, $2, 1, 1, now(), '', '{}', '{}', '')`,
};
const CLAIMS = {
  name: 'claims',
  text: 'select profile, node::text as node from profile_writers order by profile',
};
const S1 = 'aaaaaa00-0000-4000-8000-000000000001';
const left = (profile: string, sessionId = S1): ProfileWorkingCopy => ({
  ...{ profile, owner: owner(sessionId), claimed: true },
});
const isAway = { code: 'err_profile_in_use', message: /unreachable machine has newer data.*operator/ };

describe('a profile whose node ends before the profile is saved', () => {
  /** A node on which a session of a killed service wrote profile `p`. */
  async function killed() {
    const { database, a, b } = await cluster();
    await a.book.reserve(owner(S1), writes('p'));
    await database.rows(addSession, [S1, 'aaaaaa']);
    const lost: LostProfile[] = [];
    const onLost = async (loss: LostProfile) => void lost.push(loss);
    return { database, b, lost, onLost };
  }

  for (const [state, epoch] of [
    ['lost', 1],
    ['left', 1],
    ['alive', 2],
  ] as const)
    it(`cannot be written or loaded elsewhere while its node is ${state} in epoch ${epoch}`, async () => {
      const { database, b } = await killed();
      await database.rows(setNode, ['aaaaaa', epoch, state]);
      await assert.rejects(b.book.reserve(owner('s2'), writes('p')), isAway);
      await assert.rejects(b.book.reserve(owner('s2'), loads('p')), isAway);
      assert.deepEqual(await database.rows(CLAIMS), [{ profile: 'p', node: 'aaaaaa' }]);
    });

  it("is saved by the node's next process and then released", async () => {
    const { database, b, lost, onLost } = await killed();
    await database.rows(setNode, ['aaaaaa', 2, 'alive']);
    const next = nodeOn(database, 'aaaaaa', 2);
    const save = next.book.recover(left('p'));
    await next.claims.start(onLost);
    await assert.rejects(b.book.reserve(owner('s2'), writes('p')), inUse);
    await save.run(NOWHERE);
    await next.claims.flush();
    assert.deepEqual([next.store.saves, next.results, lost], [['p'], ['saved'], []]);
    await b.book.reserve(owner('s2'), writes('p'));
  });

  it('cannot be loaded elsewhere while the next process tries to save it', async () => {
    const { database, b } = await killed();
    await database.rows(setNode, ['aaaaaa', 2, 'alive']);
    const next = nodeOn(database, 'aaaaaa', 2);
    next.store.failure = new Error('no space');
    await assert.rejects(next.book.recover(left('p')).run(NOWHERE));
    await assert.rejects(b.book.reserve(owner('s2'), loads('p')), inUse);
    await assert.rejects(b.book.reserve(owner('s2'), writes('p')), inUse);
  });

  it('is saved by a process with another name on the same disk', async () => {
    const { database, b } = await killed();
    await database.rows(setNode, ['aaaaaa', 1, 'lost']);
    await database.rows(setNode, ['cccccc', 1, 'alive']);
    const renamed = nodeOn(database, 'cccccc');
    await renamed.book.recover(left('p')).run(NOWHERE);
    await renamed.claims.flush();
    assert.deepEqual(renamed.results, ['saved']);
    await b.book.reserve(owner('s2'), writes('p'));
  });

  it('is lost, with an event, when the node returns with an empty disk', async () => {
    const { database, b, lost, onLost } = await killed();
    await database.rows(setNode, ['aaaaaa', 2, 'alive']);
    await nodeOn(database, 'aaaaaa', 2).claims.start(onLost);
    assert.deepEqual(lost, [{ profile: 'p', owner: owner(S1), cause: 'lost' }]);
    await b.book.reserve(owner('s2'), writes('p'));
  });

  it('stays claimed until the event about its loss is stored', async () => {
    const { database, b, lost, onLost } = await killed();
    await database.rows(setNode, ['aaaaaa', 2, 'alive']);
    const next = nodeOn(database, 'aaaaaa', 2);
    await next.claims.start(() => Promise.reject(new Error('no space')));
    await assert.rejects(b.book.reserve(owner('s2'), writes('p')), inUse);
    await nodeOn(database, 'aaaaaa', 2).claims.start(onLost);
    assert.equal(lost.length, 1);
  });

  it('is released without an event if its session never began', async () => {
    const { database, a, b } = await cluster();
    await a.book.reserve(owner('never'), writes('p'));
    await database.rows(setNode, ['aaaaaa', 2, 'alive']);
    const lost: LostProfile[] = [];
    await nodeOn(database, 'aaaaaa', 2).claims.start(async (loss) => void lost.push(loss));
    assert.deepEqual(lost, []);
    await b.book.reserve(owner('s2'), writes('p'));
  });

  it("is not reported lost while an earlier process with the node's name may still run", async () => {
    const { database, lost, onLost } = await killed();
    await database.rows(setNode, ['aaaaaa', 2, 'alive']);
    const until = (moment: string) =>
      database.rows({
        name: `until ${moment}`,
        text: `update nodes set former_until = now() + interval '${moment}'`,
      });
    await until('1 minute');
    const next = nodeOn(database, 'aaaaaa', 2);
    await next.claims.start(onLost);
    assert.deepEqual(lost, []);
    await until('-1 second');
    await next.claims.reconcile();
    assert.equal(lost.length, 1);
  });

  it('can be given up once by an operator, with an event, and is not saved afterwards', async () => {
    const { database, b, lost, onLost } = await killed();
    await b.claims.start(onLost);
    assert.equal(await b.claims.giveUp('p'), false, 'its session runs');
    await database.rows(setNode, ['aaaaaa', 1, 'lost']);
    const [unsaved, ...more] = await b.claims.unsaved();
    assert.deepEqual([unsaved?.profile, unsaved?.sessionId, unsaved?.node, more], ['p', S1, 'aaaaaa', []]);
    assert.equal(await b.claims.giveUp('p'), true);
    assert.equal(await b.claims.giveUp('p'), false);
    assert.deepEqual(lost, [{ profile: 'p', owner: owner(S1), cause: 'given_up' }]);
    await b.book.reserve(owner('s2'), writes('p'));

    await database.rows(setNode, ['aaaaaa', 2, 'alive']);
    const next = nodeOn(database, 'aaaaaa', 2);
    const save = next.book.recover(left('p'));
    await next.claims.start(onLost);
    const failure: unknown = await save.run(NOWHERE).catch((error: unknown) => error);
    assert.equal(save.failed(failure), 'never');
    assert.deepEqual([next.store.saves, next.results, lost.length], [[], ['gone'], 1]);
    await assert.rejects(next.book.reserve(owner('s3'), writes('p')), inUse);
  });

  it('that an operator gave up is reported by another node if the first one is killed', async () => {
    const { database, b, lost, onLost } = await killed();
    await database.rows(setNode, ['aaaaaa', 1, 'lost']);
    await database.rows({
      name: 'mark',
      text: `update profile_writers set given_up_at = now() - interval '1 minute'`,
    });
    await assert.rejects(b.book.reserve(owner('s2'), writes('p')), inUse);
    await b.claims.start(onLost);
    assert.deepEqual(
      lost.map(({ cause }) => cause),
      ['given_up'],
    );
    await b.book.reserve(owner('s2'), writes('p'));
  });

  it('stays claimed by its running session if its node was only cut off', async () => {
    const { database, a, b } = await cluster();
    const { save } = await a.book.reserve(owner(S1), writes('p'));
    await database.rows(addSession, [S1, 'aaaaaa']);
    const lost: LostProfile[] = [];
    let epoch = 1;
    const clock = new ManualClock();
    const claims = new PostgresProfileClaims({
      database,
      node: 'aaaaaa',
      epoch: () => epoch,
      clock,
      log: quiet,
    });
    claims.keep(left('p'));
    await claims.start(async (loss) => void lost.push(loss));
    await database.rows(setNode, ['aaaaaa', 2, 'alive']);
    // This reconciliation begins before the node knows that it has returned.
    void claims.reconcile();
    epoch = 2;
    await claims.reconcile();
    assert.deepEqual([lost, await claims.unsaved()], [[], []]);
    await assert.rejects(b.book.reserve(owner('s2'), writes('p')), inUse);
    await save?.run(NOWHERE);
    assert.deepEqual(a.results, ['saved']);
    await claims.close();
    assert.equal(clock.pending, 0);
  });

  it('is given to one of two writers that wait for it', async () => {
    const { database, b, onLost } = await killed();
    await database.rows(setNode, ['aaaaaa', 2, 'alive']);
    await nodeOn(database, 'aaaaaa', 2).claims.start(onLost);
    const other = nodeOn(database, 'aaaaaa', 2);
    const tries = await Promise.allSettled([
      b.book.reserve(owner('s2'), writes('p')),
      other.book.reserve(owner('s3'), writes('p')),
    ]);
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
  });
});
