import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DerivedTokens } from '../../../../server/src/auth/tokens.js';
import type { SessionRecord } from '../../../../server/src/sessions/records/session-record.js';
import { SessionAccess } from '../../../../server/src/sessions/tokens/session-access.js';
import { EmbedAccess } from '../../../../server/src/sessions/viewers/embed-access.js';
import { SupersededError } from '../../../../server/src/sessions/creation/superseded-error.js';
import { ApiCaller } from '../../../fakes/api-caller.js';
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
      const access = new EmbedAccess(
        service.sessions,
        new SessionAccess(service.sessions, new DerivedTokens(Buffer.alloc(32, 7))),
      );
      const token = new URL(session.embed_url).searchParams.get('token') ?? '';
      const decision = await access.decide(session.session_id, token);
      assert.ok(!decision.admitted);
      assert.equal(decision.reason, 'ended');
      assert.match(decision.message, /newer session has replaced it|lost contact/);
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
