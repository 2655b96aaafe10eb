import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DerivedTokens } from '../../../../server/src/auth/tokens.js';
import type { SessionRecord } from '../../../../server/src/sessions/records/session-record.js';
import { SessionAccess } from '../../../../server/src/sessions/tokens/session-access.js';
import { EmbedAccess } from '../../../../server/src/sessions/viewers/embed-access.js';
import { SupersededError } from '../../../../server/src/sessions/creation/superseded-error.js';
import { SessionService } from '../../../../server/src/sessions/session-service.js';
import { ApiCaller } from '../../../fakes/api-caller.js';
import { fakeServiceParts } from '../../../fakes/service-parts.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

const timeout = { webhook: { url: 'https://customer.example/hook', bearer: 'b' } };
let service: TestService;
let api: ApiCaller;
beforeEach(async () => {
  service = await createTestService();
  service.pool.showsAtOnce = true;
  api = new ApiCaller(service);
});
afterEach(() => service.close());

const reasonOf = async (id: string) =>
  (await api.send('GET', `/v0/vm/${id}`)).json<{ termination_reason: string }>().termination_reason;
/** Returns the answer to a viewer who joins a session that has ended. */
async function refusal(
  { session_id: id, embed_url }: { session_id: string; embed_url: string },
  sessions = service.sessions,
) {
  const tokens = new DerivedTokens(Buffer.alloc(32, 7));
  const access = new EmbedAccess(sessions, new SessionAccess(sessions, tokens));
  const decision = await access.decide(id, new URL(embed_url).searchParams.get('token') ?? '');
  assert.ok(!decision.admitted);
  return decision;
}
const types = () => service.events.events.map(({ body }) => (body as { type: string }).type);

describe('a session that the cluster ends', () => {
  for (const reason of ['superseded', 'cut_off'] as const)
    it(`has the reason ${reason} in its record and its event, and ends for its viewers`, async () => {
      const session = await api.begin({ timeout });
      const host = service.pool.last;
      await service.sessions.end(session.session_id, reason);
      assert.equal(await reasonOf(session.session_id), reason);
      assert.deepEqual(types(), [reason]);
      assert.equal(host.stopReason, 'ended');
      const { reason: told, message } = await refusal(session);
      assert.equal(told, 'ended');
      assert.match(message, /newer session has replaced it|lost contact/);
    });

  it('keeps its first reason', async () => {
    const { session_id: id } = await api.begin({ timeout });
    const first = service.sessions.end(id, 'request');
    await Promise.all([first, service.sessions.end(id, 'cut_off')]);
    assert.equal(await reasonOf(id), 'request');
    assert.deepEqual(types(), []);
  });

  it('is reported as taken over, not as shut down', async () => {
    const { session_id: id } = await api.begin({ timeout });
    await service.sessions.close(0, 'taken_over');
    assert.equal(await reasonOf(id), 'taken_over');
    assert.deepEqual(types(), ['taken_over']);
  });

  it('has this reason in its record even though another process is its node', async () => {
    await api.begin({ timeout });
    const corrected: SessionRecord[] = [];
    service.registry.failure = new SupersededError('of a test');
    Object.assign(service.registry, {
      saveTakenOver: async (record: SessionRecord) => void corrected.push(record),
    });
    await service.sessions.close(0, 'taken_over');
    assert.deepEqual(
      corrected.map(({ ended }) => ended?.reason),
      ['taken_over'],
    );
  });
});

describe('a session that ends with its service', () => {
  it('tells later viewers that the service was stopped', async () => {
    const session = await api.begin({});
    await service.sessions.close(0);
    const { reason, message } = await refusal(session);
    assert.deepEqual([reason, message], ['ended', 'This session ended because the service was stopped.']);
  });

  it('tells later viewers that the service was killed', async () => {
    const session = await api.begin({});
    const next = new SessionService(fakeServiceParts({ registry: service.registry }));
    await next.recover();
    const { reason, message } = await refusal(session, next);
    await next.close();
    assert.deepEqual([reason, message], ['crashed', 'This session ended because its service was killed.']);
  });
});
