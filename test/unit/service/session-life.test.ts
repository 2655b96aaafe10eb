import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { beforeEach, describe, it } from 'node:test';
import type { ServiceError } from '../../../server/src/service-error.js';
import { Session, START_LIMIT } from '../../../server/src/sessions/session.js';
import { SessionService } from '../../../server/src/sessions/session-service.js';
import { DEFAULT_SETTINGS } from '../../../server/src/sessions/session-settings.js';
import { FakeHostPool } from '../../fakes/fake-host-pool.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryRegistry } from '../../fakes/memory-registry.js';
import { quiet } from '../../fakes/test-service.js';

let clock: ManualClock;
let pool: FakeHostPool;
let registry: MemoryRegistry;
let sessions: SessionService;
beforeEach(() => {
  clock = new ManualClock();
  pool = new FakeHostPool();
  registry = new MemoryRegistry();
  sessions = new SessionService({ pool, registry, clock, log: quiet, maxSessions: 2 });
});

describe('a session', () => {
  it('is running once its page is shown', async () => {
    const { record, state } = await sessions.create({});
    assert.equal(state, 'starting');
    pool.last.listener.onStarted({});
    assert.equal((await sessions.find(record.id))?.state, 'running');
    assert.equal(clock.pending, 0);
  });

  it('is given up when it never shows a page', async () => {
    const { record } = await sessions.create({});
    clock.advance(START_LIMIT);
    const status = await sessions.find(record.id);
    assert.equal(status?.record.ended?.reason, 'crashed');
  });

  it('ends once, with the reason that came first', async () => {
    const { record } = await sessions.create({});
    pool.last.listener.onEnded('crashed', 'The display is gone.');
    pool.last.listener.onEnded('request', 'Again.');
    await sessions.end(record.id, 'request');
    assert.equal(registry.records.get(record.id)?.ended?.reason, 'crashed');
  });

  it('counts against the limit from the moment it is asked for', async () => {
    let open: () => void = () => undefined;
    pool.gate = new Promise((resolve) => (open = resolve));
    const creates = [sessions.create({}), sessions.create({}), sessions.create({})];
    const settled = Promise.allSettled(creates);
    open();
    const refused = (await settled).filter((result) => result.status === 'rejected');
    assert.equal(refused.length, 1);
    assert.equal((refused[0]?.reason as ServiceError).code, 'err_exceeded_vm_limit');
  });
});

describe('a viewer who comes while the session is still starting', () => {
  const viewer = { userId: 'u', request: { method: 'GET', url: '/', headers: {} }, head: '' };
  const record = {
    id: 'x',
    generation: 1,
    settings: DEFAULT_SETTINGS,
    createdAt: '2030-01-01T00:00:00.000Z',
  };

  it('is held until a host can take him', async () => {
    let open: () => void = () => undefined;
    pool.gate = new Promise((resolve) => (open = resolve));
    const session = new Session(record, clock, sessions);
    const started = session.start(pool);
    const attached = session.attach(viewer, new Socket());
    assert.equal(pool.hosts.length, 0);
    open();
    await Promise.all([started, attached]);
    assert.deepEqual(pool.last.viewers[0]?.viewer, viewer);
  });

  it('is let go when no host does', async () => {
    pool.failure = new Error('no display');
    const session = new Session(record, clock, sessions);
    const started = session.start(pool);
    const socket = new Socket();
    const attached = session.attach(viewer, socket);
    await assert.rejects(started);
    await attached;
    assert.ok(socket.destroyed);
  });
});

describe('closing the service', () => {
  it('ends every session, one that is still starting too, and takes no more', async () => {
    await sessions.create({});
    let open: () => void = () => undefined;
    pool.gate = new Promise((resolve) => (open = resolve));
    const starting = sessions.create({});
    const closing = sessions.close();
    open();
    await Promise.all([starting, closing]);
    assert.deepEqual(
      pool.hosts.map((host) => host.stopReason),
      ['ended', 'ended'],
    );
    assert.equal((await registry.unfinished()).length, 0);
    await assert.rejects(sessions.create({}), { code: 'err_unavailable' });
  });
});
