import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { ApiCaller, type Access } from '../../../fakes/api-caller.js';
import { nobody } from '../../../fakes/service-parts.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

let service: TestService;
let api: ApiCaller;
afterEach(() => service.close());

async function open(options: Parameters<typeof createTestService>[0] = {}): Promise<void> {
  service = await createTestService({ maxSessions: 200, ...options });
  api = new ApiCaller(service);
}

/** Lets hosts accept only when the function returned is called. */
function holdHosts(): () => void {
  let release: () => void = () => undefined;
  service.pool.gate = new Promise((resolve) => (release = resolve));
  return release;
}

describe('a session whose client leaves before the answer', () => {
  const createAndLeave = async (request: { tag?: string }) => {
    const release = holdHosts();
    const leaving = new AbortController();
    const created = service.sessions.create(request, { ...nobody, leaving: leaving.signal });
    // The session has its place, and waits for its host.
    await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    release();
    return created;
  };

  it('ends, because nobody knows its id', async () => {
    await open();
    await assert.rejects(createAndLeave({}), { code: 'err_session_terminated' });
    const { sessionId } = service.pool.last.session;
    assert.equal((await service.sessions.find(sessionId))?.record.ended?.reason, 'request');
  });

  it('stays if it has a tag, with which the client finds it', async () => {
    await open();
    const { record } = await createAndLeave({ tag: 'a' });
    assert.equal((await api.begin({ tag: 'a' })).session_id, record.id);
  });
});

describe('a tag', () => {
  // Proves: tag
  it('returns exactly 5 sessions for 200 concurrent creates with 5 tags', async () => {
    await open();
    const release = holdHosts();
    const creates = Array.from({ length: 200 }, (_, index) => api.begin({ tag: `tag-${index % 5}` }));
    setImmediate(release);
    const answers = await Promise.all(creates);
    assert.equal(service.pool.hosts.length, 5);
    assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 5);
    for (const answer of answers) assert.ok(answer.admin_token && answer.embed_url && answer.session_id);
  });

  it('is free again when its session has ended or is ending', async () => {
    await open();
    const first = await api.begin({ tag: 'a' });
    assert.equal((await api.begin({ tag: 'a' })).session_id, first.session_id);
    const ending = api.send('DELETE', `/v0/vm/${first.session_id}`);
    const second = await api.begin({ tag: 'a' });
    await ending;
    assert.notEqual(second.session_id, first.session_id);
    service.pool.last.listener.onEnded('crashed', 'Gone.');
    assert.notEqual((await api.begin({ tag: 'a' })).session_id, second.session_id);
  });

  it('whose first session cannot start goes to the next create', async () => {
    await open();
    const release = holdHosts();
    service.pool.failure = new Error('no display');
    const creates = Array.from({ length: 3 }, () => api.create({ tag: 'a' }));
    await new Promise((resolve) => setImmediate(resolve));
    release();
    const statuses = (await Promise.all(creates)).map(({ statusCode }) => statusCode);
    assert.deepEqual(statuses, [500, 500, 500]);
    service.pool.failure = undefined;
    assert.equal((await api.create({ tag: 'a' })).statusCode, 200);
  });
});

describe('an API key', () => {
  // Proves: limits per key and in number; status 429
  it('that creates too fast receives a time to retry', async () => {
    await open({ createsPerMinute: 2 });
    await api.begin({ tag: 'a' });
    await api.begin();
    const refused = await api.create();
    assert.equal(refused.statusCode, 429);
    assert.equal(refused.headers['retry-after'], '30');
    assert.equal(refused.json<{ code: string }>().code, 'err_too_many_requests');
    assert.equal((await api.create({ tag: 'a' })).statusCode, 200, 'a session that exists costs nothing');
    service.clock.advance(30_000);
    await api.begin();
  });

  it('does not slow down another key', async () => {
    await open({ createsPerMinute: 1 });
    await api.begin();
    const headers = { authorization: 'second-key' };
    assert.equal((await service.app.inject({ method: 'POST', url: '/v0/vm', headers })).statusCode, 200);
  });
});

describe('the list of sessions', () => {
  interface Page {
    results: { id: string; creation_date: string }[];
    next: string | null;
  }

  // Proves: GET /v0/vm; GET /v0/vm/{session_id}; answer next
  it('has pages of 100 that stay consistent when sessions end', async () => {
    await open();
    const all: Access[] = [];
    for (let count = 0; count < 150; count++) {
      all.push(await api.begin());
      service.clock.advance(1);
    }
    const first = (await api.send('GET', '/v0/vm')).json<Page>();
    assert.deepEqual(
      first.results.map(({ id }) => id),
      all.slice(0, 100).map(({ session_id: id }) => id),
    );
    assert.equal(first.next, all[99]?.session_id);
    await api.send('DELETE', `/v0/vm/${first.next}`);
    const second = (await api.send('GET', `/v0/vm?after_id=${first.next}`)).json<Page>();
    assert.equal(second.results[0]?.id, all[100]?.session_id);
    assert.deepEqual([second.results.length, second.next], [50, all.at(-1)?.session_id]);
    // A caller can continue until there is no next page, or until a page is empty.
    const third = (await api.send('GET', `/v0/vm?after_id=${second.next}`)).json<Page>();
    assert.deepEqual([third.results.length, third.next], [0, null]);
    assert.match(second.results[0]?.creation_date ?? '', /^2030-01-01T/);
  });

  it('refuses an invalid cursor', async () => {
    await open();
    const response = await api.send('GET', '/v0/vm?after_id=x');
    assert.equal(response.statusCode, 400);
    assert.match(response.body, /after_id must be/);
  });
});

describe('usage', () => {
  const usage = async (query = '') =>
    (await api.send('GET', `/v0/vm/usage${query}`)).json<{ usage: { date: string; seconds: number }[] }>()
      .usage;

  // Proves: GET /v0/vm/usage; tenant_id
  it('is counted by tenant and month, including running sessions', async () => {
    await open();
    service.pool.showsAtOnce = true;
    const month = 31 * 86_400;
    const forever = { offline: null };
    const one = await api.begin({ tenant_id: 'a', timeout: forever });
    await api.begin({ tenant_id: 'b', timeout: forever });
    service.clock.advance((month - 60) * 1000);
    await api.begin({ tenant_id: 'a', timeout: forever });
    service.clock.advance(90_000);
    await api.send('DELETE', `/v0/vm/${one.session_id}`);
    assert.deepEqual(await usage('?tenant_id=a'), [
      { date: '2030-02-01T00:00:00Z', seconds: 60 },
      { date: '2030-01-01T00:00:00Z', seconds: month + 60 },
    ]);
    assert.deepEqual(await usage('?tenant_id=nobody'), []);
    assert.equal((await usage())[0]?.seconds, 90);
  });

  it('is refused for a misspelled tenant, because it would contain all tenants', async () => {
    await open();
    const response = await api.send('GET', '/v0/vm/usage?tenant=a');
    assert.equal(response.statusCode, 400);
    assert.deepEqual(response.json(), {
      code: 'err_invalid_parameter',
      message: 'The parameter tenant must be tenant_id.',
    });
  });
});
