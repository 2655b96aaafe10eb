import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '../../../../server/src/service-error.js';
import { ProfileTooLargeError } from '../../../../server/src/sessions/profiles/profile-save.js';
import { SessionService } from '../../../../server/src/sessions/session-service.js';
import { SupersededError } from '../../../../server/src/sessions/creation/superseded-error.js';
import { ApiCaller, codeOf } from '../../../fakes/api-caller.js';
import type { ManualClock } from '../../../fakes/manual-clock.js';
import { NOWHERE } from '../../../fakes/fake-host-pool.js';
import { fakeServiceParts, nobody } from '../../../fakes/service-parts.js';
import { createTestService, quiet, type TestService } from '../../../fakes/test-service.js';

const FULL = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
/** Longer than the delay before the service retries a write. */
const A_MINUTE = 60_000;
/** Interval of the removal of old records. */
const AN_HOUR = 3_600_000;
/** Longest delay of pending writes after the storage is back. Milliseconds. */
const SOON_MS = 5_000;

let service: TestService;
let api: ApiCaller;
beforeEach(async () => {
  service = await createTestService();
  api = new ApiCaller(service);
  await service.sessions.recover();
});
afterEach(async () => {
  await service.sessions.close();
  await service.close();
});

const webhook = { url: 'https://example.com/events', bearer: 'b', warnings: false };
const readiness = async () => codeOf(await service.app.inject({ url: '/readyz' }));
/** Advances time, and runs everything that is due then. */
async function pass(milliseconds: number, { clock }: { clock: ManualClock } = service): Promise<void> {
  clock.advance(milliseconds);
  for (let round = 0; round < 10; round++) await turn();
}

/** Starts another service. Returns the list of the errors that it logs. */
async function loggedService(): Promise<string[]> {
  const told: string[] = [];
  await service.close();
  service = await createTestService({ log: { ...quiet, error: (message) => void told.push(message) } });
  api = new ApiCaller(service);
  return told;
}

describe('a profile that cannot be saved', () => {
  // Proves: profiles that cannot be saved are reported, kept and tried again
  it('is reported by the end of its session, by an event and by /readyz, until it is saved', async () => {
    const session = await api.begin({ profile: true, timeout: { webhook } });
    service.profiles.failure = FULL;
    const url = `/v0/vm/${session.session_id}`;
    assert.deepEqual(codeOf(await api.send('DELETE', url)), [507, 'err_profile_not_saved']);
    const { session_id: id } = session;
    const failed = {
      session_id: id,
      type: 'profile_save_failed',
      profile: id,
      final: false,
      cause: 'failed',
    };
    const events = service.events.events.map(({ body }) => body);
    assert.deepEqual(events, [failed]);
    assert.deepEqual(await readiness(), [503, 'err_storage']);
    assert.deepEqual(codeOf(await api.send('DELETE', url)), [507, 'err_profile_not_saved']);
    const load = await api.create({ profile: { load: session.session_id } });
    assert.deepEqual(codeOf(load), [409, 'err_profile_in_use']);

    service.profiles.failure = undefined;
    await service.pool.last.profile.save?.run(NOWHERE);
    assert.deepEqual(await readiness(), [200, undefined]);
    assert.equal((await api.send('DELETE', url)).statusCode, 200);
    assert.equal((await api.create({ profile: { load: session.session_id } })).statusCode, 200);
  });

  it('because of its size is reported, and blocks nothing else', async () => {
    const session = await api.begin({ profile: true, timeout: { webhook } });
    service.profiles.failure = new ProfileTooLargeError(1);
    const ended = await api.send('DELETE', `/v0/vm/${session.session_id}`);
    assert.deepEqual(codeOf(ended), [507, 'err_profile_not_saved']);
    const { final, cause } = service.events.events[0]?.body as { final?: boolean; cause?: string };
    assert.deepEqual([final, cause], [true, 'too_large']);
    assert.deepEqual(await readiness(), [200, undefined]);
    service.profiles.failure = undefined;
    assert.equal((await api.create({ profile: { save: session.session_id } })).statusCode, 200);
  });
});

describe('a profile of a killed service', () => {
  it('cannot be loaded or written before it is saved', async () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    service.profiles.known.add(id);
    service.pool.left = [id];
    await service.sessions.recover();
    for (const profile of [{ load: id }, { save: id }])
      assert.deepEqual(codeOf(await api.create({ profile })), [409, 'err_profile_in_use']);
    await service.pool.takenUp[0]?.run(NOWHERE);
    assert.equal((await api.create({ profile: id })).statusCode, 200);
  });

  it('that is too large is reported to the endpoint of its session', async () => {
    const save = service.sessions.profiles.recover({
      ...{ profile: 'p', owner: { sessionId: 'killed', webhook }, claimed: false },
    });
    assert.equal(save.failed(new ProfileTooLargeError(1)), 'never');
    const [event] = service.events.events;
    assert.deepEqual(event?.body, {
      ...{ session_id: 'killed', type: 'profile_save_failed', profile: 'p', final: true, cause: 'too_large' },
    });
  });
});

describe('a database that is unreachable', () => {
  it('is explained to clients that read a session', async () => {
    service.registry.get = () => Promise.reject(Object.assign(new Error('gone'), { code: 'err_database' }));
    const answer = await api.send('GET', '/v0/vm/0f8fad5b-d9cb-469f-a165-70867728950e');
    assert.deepEqual(codeOf(answer), [503, 'err_database']);
    assert.match(answer.json<{ message: string }>().message, /, so this request cannot be answered\./);
  });
});

describe('a database that refuses a place', () => {
  it('is checked at once, so that the service is not ready', async () => {
    const place = () => Promise.reject(new ServiceError('err_database', 2));
    const parts = fakeServiceParts({ database: { available: true } });
    Object.assign(parts.placement, { place });
    const sessions = new SessionService(parts);
    await sessions.recover();
    await pass(0, parts);
    sessions.requireReady();
    parts.registry.failure = new Error('The disk quota is exceeded.');
    await assert.rejects(sessions.create({}, nobody), { code: 'err_database' });
    await pass(0, parts);
    assert.throws(() => sessions.requireReady(), { code: 'err_database' });
    await sessions.close();
  });
});

describe('a disk that is full', () => {
  it('refuses a new session with advice, notifies the operator, and keeps no data of the session', async () => {
    const told = await loggedService();
    service.registry.failure = FULL;
    assert.deepEqual(codeOf(await api.create({})), [503, 'err_storage']);
    assert.equal(service.pool.last.stopReason, 'crashed');
    assert.deepEqual(told, ['a session could not begin']);
    service.registry.failure = undefined;
    assert.equal((await api.create({})).statusCode, 200);
  });

  it('is explained to clients whose request needs it, and to the operator', async () => {
    const told = await loggedService();
    service.registry.get = () => Promise.reject(FULL);
    const answer = await api.send('GET', '/v0/vm/0f8fad5b-d9cb-469f-a165-70867728950e');
    assert.deepEqual(codeOf(answer), [503, 'err_storage']);
    assert.deepEqual(told, ['a request failed']);
  });

  it('leaves the profile of the refused session in use until its data is saved', async () => {
    const profile = { save: '0f8fad5b-d9cb-469f-a165-70867728950e' };
    let saved: () => void = () => undefined;
    const saving = new Promise<void>((resolve) => (saved = resolve));
    const stopped = new Promise<void>((resolve) => {
      service.profiles.save = () => {
        resolve();
        return saving;
      };
    });
    service.registry.failure = FULL;
    const refused = api.create({ profile });
    await stopped;
    service.registry.failure = undefined;
    const early = await api.create({ profile });
    saved();
    assert.deepEqual(codeOf(early), [409, 'err_profile_in_use']);
    assert.deepEqual(codeOf(await refused), [503, 'err_storage']);
    assert.equal((await api.create({ profile })).statusCode, 200);
  });

  it('and has room again before the service ends gets the records that were not written', async () => {
    const { session_id: id } = await api.begin({});
    service.registry.failure = FULL;
    await api.send('DELETE', `/v0/vm/${id}`);
    assert.equal(service.registry.records.get(id)?.ended, undefined);
    service.registry.failure = undefined;
    await service.sessions.close();
    assert.equal(service.registry.records.get(id)?.ended?.reason, 'request');
  });

  it('and has room again keeps a token that is issued before an older write is repeated', async () => {
    const session = await api.begin({});
    const path = new URL(session.embed_url).pathname;
    const issue = async () =>
      (await api.control(session, 'tokens', { scope: 'view' })).json<{ token_id: string }>().token_id;
    const revoked = await issue();
    service.registry.failure = FULL;
    await api.send('DELETE', `${path}/tokens/${revoked}`);
    service.registry.failure = undefined;
    const issued = await issue();
    await pass(SOON_MS);
    const { tokens = [] } = service.registry.records.get(session.session_id) ?? {};
    const ids = tokens.map(({ id }) => id);
    assert.deepEqual(ids, [issued]);
  });

  it("causes a new session to be placed elsewhere if another process has this node's name", async () => {
    service.registry.failure = new SupersededError('of a test');
    assert.deepEqual(codeOf(await api.create({})), [503, 'err_unavailable']);
    assert.equal(service.pool.last.stopReason, 'crashed');
  });

  it('is reported by /readyz until it is writable', async () => {
    service.registry.failure = FULL;
    await pass(A_MINUTE);
    assert.deepEqual(await readiness(), [503, 'err_storage']);
    service.registry.failure = undefined;
    await pass(A_MINUTE);
    assert.deepEqual(await readiness(), [200, undefined]);
  });

  it('is reported to the operator once, and again after it was writable', async () => {
    const told = await loggedService();
    await service.sessions.recover();
    for (let outage = 1; outage <= 2; outage++) {
      service.registry.failure = FULL;
      await pass(A_MINUTE);
      for (let retry = 0; retry < 3; retry++) await pass(SOON_MS);
      assert.deepEqual(told, Array(outage).fill('could not update the registry'));
      service.registry.failure = undefined;
      await pass(A_MINUTE);
    }
  });

  it('is reported again if it fails for another reason', async () => {
    const told = await loggedService();
    await service.sessions.recover();
    const readOnly = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
    for (const [index, failure] of [FULL, readOnly].entries()) {
      service.registry.failure = failure;
      await pass(A_MINUTE);
      for (let retry = 0; retry < 3; retry++) await pass(SOON_MS);
      assert.equal(told.length, index + 1);
    }
  });

  it('is reported by /readyz after it has refused a new session, until it is writable', async () => {
    service.registry.failure = FULL;
    assert.deepEqual(codeOf(await api.create({})), [503, 'err_storage']);
    await pass(0);
    assert.deepEqual(await readiness(), [503, 'err_storage']);
    service.registry.failure = undefined;
    await pass(SOON_MS);
    assert.deepEqual(await readiness(), [200, undefined]);
  });

  it('causes no removal of old records before it is due', async () => {
    const { registry } = service;
    registry.failure = FULL;
    let removals = 0;
    registry.retire = async () => {
      removals += 1;
      throw FULL;
    };
    await pass(AN_HOUR);
    for (let retry = 0; retry < 3; retry++) await pass(SOON_MS);
    assert.equal(removals, 1);
    await pass(AN_HOUR);
    assert.equal(removals, 2);
  });

  it('is reported by /readyz as the database if one is used, at once, with a time to retry', async () => {
    const database = { available: true };
    const sessions = new SessionService(fakeServiceParts({ database, registry: service.registry }));
    await sessions.recover();
    sessions.requireReady();
    database.available = false;
    const away = { code: 'err_database', retryAfter: 2 };
    assert.throws(() => sessions.requireReady(), away);
    database.available = true;
    sessions.requireReady();
    await sessions.close();
  });

  it('is reported by /readyz as the database while a write there has failed', async () => {
    const parts = fakeServiceParts({ database: { available: true }, registry: service.registry });
    const sessions = new SessionService(parts);
    await sessions.recover();
    service.registry.failure = FULL;
    await pass(A_MINUTE, parts);
    assert.throws(() => sessions.requireReady(), { code: 'err_database' });
    service.registry.failure = undefined;
    await pass(A_MINUTE, parts);
    sessions.requireReady();
    await sessions.close();
  });

  it('does not lose the reason why a session ended', async () => {
    const { session_id: id } = await api.begin({});
    service.registry.failure = FULL;
    assert.equal((await api.send('DELETE', `/v0/vm/${id}`)).statusCode, 200);
    assert.equal(service.registry.records.get(id)?.ended, undefined);
    assert.deepEqual(await readiness(), [503, 'err_storage']);
    service.registry.failure = undefined;
    await pass(SOON_MS);
    assert.equal(service.registry.records.get(id)?.ended?.reason, 'request');
    assert.deepEqual(await readiness(), [200, undefined]);
  });
});
