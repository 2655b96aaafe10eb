import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  NO_OTHER_CLAIMS,
  type ClaimHolder,
  type ProfileClaims,
} from '../../../../server/src/sessions/profiles/profile-claims.js';
import { SessionService } from '../../../../server/src/sessions/session-service.js';
import { fakeServiceParts, nobody, type FakeServiceParts } from '../../../fakes/service-parts.js';

const webhook = { url: 'https://example.com/events', bearer: 'b', warnings: true };

let parts: FakeServiceParts;
let sessions: SessionService;
beforeEach(() => {
  parts = fakeServiceParts();
  sessions = new SessionService(parts);
});

/** A session with viewers. */
async function watched(viewers = 1) {
  const { record } = await sessions.create({ profile: true, timeout: { webhook } }, nobody);
  const host = parts.pool.last;
  host.listener.onStarted({});
  host.listener.onViewers(viewers);
  return { id: record.id, host };
}

/** Begins to close. `done` becomes true when the close is complete. */
function closing() {
  const state = { done: false, closed: sessions.close().then(() => void (state.done = true)) };
  return state;
}

describe('a service that shuts down', () => {
  // Proves: the end of the service: warnings, DRAIN_SECONDS
  it('warns viewers, notifies the customer, and ends sessions when the time is up', async () => {
    const { id, host } = await watched();
    const end = closing();
    await turn();
    assert.throws(() => sessions.requireReady(), { code: 'err_unavailable' });
    await assert.rejects(sessions.create({}, nobody), { code: 'err_unavailable' });
    assert.deepEqual(host.warnings, [{ kind: 'shutdown', delay: 60_000 }]);
    parts.clock.advance(59_999);
    await turn();
    assert.deepEqual([host.stopReason, end.done], [undefined, false]);
    parts.clock.advance(1);
    await end.closed;
    assert.equal(host.stopReason, 'ended');
    assert.deepEqual(parts.profiles.saves, [id]);
    assert.deepEqual(
      parts.events.events.map(({ body }) => body),
      [
        { session_id: id, type: 'warning', timeout: 'shutdown', delay: 60 },
        { session_id: id, type: 'shutdown' },
      ],
    );
  });

  it('waits only while users are connected', async () => {
    const { host } = await watched(2);
    const end = closing();
    host.listener.onViewers(1);
    await turn();
    assert.equal(host.stopReason, undefined);
    host.listener.onViewers(0);
    await end.closed;
    assert.equal(host.stopReason, 'ended');
  });

  it('ends sessions without viewers at once, without a warning', async () => {
    const { host } = await watched(0);
    await closing().closed;
    assert.deepEqual([host.stopReason, host.warnings], ['ended', []]);
  });

  it('reports sessions that end for another reason as usual', async () => {
    const { host } = await watched();
    const end = closing();
    host.listener.onEnded('crashed', 'It crashed.');
    await end.closed;
    assert.deepEqual(
      parts.events.events.map(({ body }) => (body as { type: string }).type),
      ['warning'],
    );
  });

  it('reports sessions that exceeded their limits', async () => {
    const { host } = await watched();
    host.listener.onEnded('resource_limit', 'It used too much.');
    await turn();
    assert.deepEqual(
      parts.events.events.map(({ body }) => (body as { type: string }).type),
      ['resource_limit'],
    );
    await closing().closed;
  });

  it('does not wait if it is configured so', async () => {
    parts = fakeServiceParts({ drainSeconds: 0 });
    sessions = new SessionService(parts);
    const { host } = await watched();
    await closing().closed;
    assert.deepEqual([host.stopReason, host.warnings], ['ended', []]);
  });

  it('refuses a session whose profile is claimed meanwhile, and releases the profile', async () => {
    const claim: { confirm?: (holder: ClaimHolder) => void } = {};
    let released = 0;
    const profileClaims: ProfileClaims = {
      ...NO_OTHER_CLAIMS,
      claim: () => new Promise((resolve) => (claim.confirm = resolve)),
      release: () => {
        released++;
      },
    };
    parts = fakeServiceParts({ profileClaims });
    sessions = new SessionService(parts);
    const refused = assert.rejects(sessions.create({ profile: true }, nobody), {
      code: 'err_unavailable',
    });
    await turn();
    await closing().closed;
    claim.confirm?.('none');
    await refused;
    assert.deepEqual([parts.pool.hosts.length, released], [0, 1]);
  });
});
