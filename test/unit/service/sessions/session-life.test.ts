import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ServiceError } from '../../../../server/src/service-error.js';
import type { CreateRequest } from '../../../../server/src/create-fields/create-request.js';
import { createLog } from '../../../../server/src/platform/log.js';
import { Session, START_TIMEOUT_MS, type SessionObserver } from '../../../../server/src/sessions/session.js';
import { SessionService } from '../../../../server/src/sessions/session-service.js';
import { DEFAULT_SETTINGS } from '../../../../server/src/sessions/settings/default-settings.js';
import { NO_SECRETS } from '../../../../server/src/sessions/settings/session-settings.js';
import type { FakeHostPool } from '../../../fakes/fake-host-pool.js';
import type { ManualClock } from '../../../fakes/manual-clock.js';
import type { MemoryRegistry } from '../../../fakes/memory-registry.js';
import { fakeServiceParts, nobody } from '../../../fakes/service-parts.js';

let clock: ManualClock;
let pool: FakeHostPool;
let registry: MemoryRegistry;
let sessions: SessionService;
beforeEach(() => {
  const parts = fakeServiceParts({ maxSessions: 2 });
  ({ clock, pool, registry } = parts);
  sessions = new SessionService(parts);
});

/** Lets no host accept a session until the returned function is called. */
function closeGate(): () => void {
  let open: () => void = () => undefined;
  pool.gate = new Promise((resolve) => (open = resolve));
  return open;
}

/** Resolves after this number of promises, one after the other, within one turn of the event loop. */
async function later(promises: number): Promise<void> {
  for (let count = 0; count < promises; count++) await Promise.resolve();
}

describe('a session', () => {
  it('is running once its page is visible', async () => {
    const { record, state } = await sessions.create({}, nobody);
    assert.equal(state, 'starting');
    pool.last.listener.onStarted({});
    assert.equal((await sessions.find(record.id))?.state, 'running');
    clock.advance(START_TIMEOUT_MS);
    assert.equal((await sessions.find(record.id))?.state, 'running');
  });

  it('fails if it never shows a page', async () => {
    const { record } = await sessions.create({}, nobody);
    clock.advance(START_TIMEOUT_MS);
    for (let turns = 0; turns < 3; turns++) await setImmediate();
    const status = await sessions.find(record.id);
    assert.equal(status?.record.ended?.reason, 'crashed');
  });

  it('continues if its page was shown while the service was stopped for a minute', async () => {
    const { record } = await sessions.create({}, nobody);
    // After the pause, the event loop runs timers before it reads the messages of hosts.
    clock.advance(START_TIMEOUT_MS);
    pool.last.listener.onStarted({});
    for (let turns = 0; turns < 3; turns++) await setImmediate();
    assert.equal((await sessions.find(record.id))?.state, 'running');
  });

  it('ends once, with the first reason', async () => {
    const { record } = await sessions.create({}, nobody);
    pool.last.listener.onEnded('crashed', 'The display is gone.');
    pool.last.listener.onEnded('request', 'Again.');
    await sessions.end(record.id, 'request');
    assert.equal(registry.records.get(record.id)?.ended?.reason, 'crashed');
  });

  it('fails its create request or gets an end in its record, whenever it dies', async () => {
    const save = registry.save.bind(registry);
    for (let turns = 0; turns < 12; turns++) {
      registry.save = async (record) => {
        await save(record);
        if (!record.ended) void later(turns).then(() => pool.last.listener.onEnded('crashed', 'Gone.'));
      };
      const status = await sessions.create({}, nobody).catch(() => undefined);
      await setImmediate();
      assert.deepEqual((await sessions.list(undefined)).results, [], `after ${turns} turns`);
      for (const { ended } of registry.records.values()) assert.equal(ended?.reason, 'crashed');
      if (status) assert.equal((await sessions.find(status.record.id))?.state, 'ended');
    }
  });

  it('counts against the limit from the request on', async () => {
    const open = closeGate();
    const creates = [sessions.create({}, nobody), sessions.create({}, nobody), sessions.create({}, nobody)];
    const settled = Promise.allSettled(creates);
    open();
    const refused = (await settled).filter((result) => result.status === 'rejected');
    assert.equal(refused.length, 1);
    assert.equal((refused[0]?.reason as ServiceError).code, 'err_exceeded_vm_limit');
  });
});

describe('a create whose session ends while it starts', () => {
  /** Begins a create. `open` lets the host accept the session. */
  async function begin(request: CreateRequest) {
    const open = closeGate();
    const creating = sessions.create(request, nobody);
    // The session has its place.
    await setImmediate();
    const [id = ''] = sessions.held.keys();
    return { creating, open, id };
  }

  it('is refused with the time limit that has run out', async () => {
    const { creating, open, id } = await begin({ timeout: { absolute: 5 } });
    clock.advance(5_000);
    open();
    const message = /: the limit "absolute" ended it while it started\. Create a new one\.$/;
    await assert.rejects(creating, { code: 'err_session_terminated', message });
    assert.equal(registry.records.get(id)?.ended?.reason, 'absolute');
    assert.equal(sessions.held.size, 0);
  });

  it('is refused if a request has ended the session', async () => {
    const { creating, open, id } = await begin({});
    const ended = sessions.end(id, 'request');
    open();
    const message = /: a request ended it while it started\./;
    await assert.rejects(creating, { code: 'err_session_terminated', message });
    await ended;
    assert.equal(registry.records.get(id)?.ended?.reason, 'request');
  });

  it('is in the audit log before the end of the session', async () => {
    const lines: string[] = [];
    const parts = fakeServiceParts({ log: createLog('info', (line) => lines.push(line)) });
    ({ pool } = parts);
    sessions = new SessionService(parts);
    const { creating, open, id } = await begin({});
    const ended = sessions.end(id, 'request');
    open();
    await assert.rejects(creating, { code: 'err_session_terminated' });
    await ended;
    const audit = lines.map((line) => JSON.parse(line) as { audit?: string; session?: string });
    const events = audit.filter(({ session }) => session === id).map(({ audit: event }) => event);
    assert.deepEqual(events, ['created', 'ended']);
  });
});

/** Ignores all events of a session, and admits no user. */
const NO_OBSERVER: SessionObserver = {
  ...{ onStarted: () => undefined, onTimeout: () => undefined, onCloseWarning: () => undefined },
  ...{ onHandoff: () => undefined, onAgentUse: () => undefined, onEnded: () => undefined },
  onAuthorize: () => Promise.resolve({ granted: false, message: '' }),
};

describe('a viewer who joins while the session still starts', () => {
  const request = { method: 'GET', url: '/', headers: {} };
  const viewer = { userId: 'u', request, head: '', ip: '192.0.2.1' };
  const createdAt = '2030-01-01T00:00:00.000Z';
  const record = { id: 'x', generation: 1, settings: DEFAULT_SETTINGS, createdAt };

  /** Starts a session, and lets a viewer join. */
  function join(socket: Socket) {
    const session = new Session(record, NO_SECRETS, clock, NO_OBSERVER);
    const started = session.start(pool, { load: null, save: null }, 'admin-token');
    return { started, attached: session.attach(viewer, socket, { scope: 'control' }) };
  }

  it('waits until a host can accept it', async () => {
    const open = closeGate();
    const { started, attached } = join(new Socket());
    assert.equal(pool.hosts.length, 0);
    open();
    await Promise.all([started, attached]);
    const roles = ['chrome_apis', 'resize', 'control', 'privacy'];
    const rights = { auth: 'granted', controlDisabled: false, roles, tiedRoles: [] };
    assert.deepEqual(pool.last.viewers[0]?.viewer, { ...viewer, ...rights });
  });

  it('is disconnected if no host does', async () => {
    pool.failure = new Error('no display');
    const socket = new Socket();
    const { started, attached } = join(socket);
    await assert.rejects(started);
    await attached;
    assert.ok(socket.destroyed);
  });
});

describe('closing the service', () => {
  it('ends every session, also starting ones, and accepts no new ones', async () => {
    await sessions.create({}, nobody);
    const open = closeGate();
    const starting = sessions.create({}, nobody);
    // The session has its place.
    await setImmediate();
    const closing = sessions.close();
    open();
    await assert.rejects(starting, { code: 'err_unavailable' });
    await closing;
    const reasons = pool.hosts.map((host) => host.stopReason);
    assert.deepEqual(reasons, ['ended', 'ended']);
    assert.equal((await registry.unfinished()).length, 0);
    await assert.rejects(sessions.create({}, nobody), { code: 'err_unavailable' });
  });
});
