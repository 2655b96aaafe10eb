import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { claimsOf, unsavedOn } from '../../../fakes/memory-claims.js';
import { API_KEY, createTestService, OPERATOR_KEY, type TestService } from '../../../fakes/test-service.js';

const PATH = '/v0/profiles/unsaved';
let service: TestService;
beforeEach(async () => {
  const profileClaims = claimsOf(
    unsavedOn('aaaaaa', 'p'),
    unsavedOn('aaaaaa', 'q'),
    unsavedOn('bbbbbb', 'r'),
  );
  service = await createTestService({ instead: { profileClaims } });
  await service.sessions.recover();
});
afterEach(() => service.close());

async function ask(method: 'GET' | 'DELETE', url: string, key = OPERATOR_KEY) {
  const answer = await service.app.inject({ method, url, headers: { authorization: `Bearer ${key}` } });
  return { status: answer.statusCode, body: answer.json<{ profiles: unknown[]; code?: string }>() };
}

const left = async () =>
  ((await ask('GET', PATH)).body.profiles as { profile: string }[]).map(({ profile }) => profile);

describe('profiles whose newest data is on unreachable nodes', () => {
  it('can be listed and given up only by operators', async () => {
    assert.equal((await ask('GET', PATH, API_KEY)).status, 401);
    assert.equal((await ask('DELETE', `${PATH}/p`, API_KEY)).status, 401);
    assert.equal((await ask('DELETE', `${PATH}?node=aaaaaa`, API_KEY)).status, 401);
    assert.deepEqual(await left(), ['p', 'q', 'r']);
  });

  it('are listed with their sessions and nodes', async () => {
    const [first] = (await ask('GET', PATH)).body.profiles;
    assert.deepEqual(first, {
      ...{ profile: 'p', session_id: 'session-of-p', node: 'aaaaaa', node_name: 'name-of-aaaaaa' },
      session_date: '1970-01-01T00:00:00.000Z',
    });
  });

  it('can be given up one by one, each with an event', async () => {
    assert.deepEqual(await ask('DELETE', `${PATH}/p`), { status: 200, body: { profiles: ['p'] } });
    const again = await ask('DELETE', `${PATH}/p`);
    assert.deepEqual([again.status, again.body.code], [404, 'err_not_found']);
    assert.deepEqual(
      service.events.events.map(({ body }) => body),
      [
        {
          ...{ session_id: 'session-of-p', type: 'profile_save_failed', profile: 'p' },
          ...{ final: true, cause: 'given_up' },
        },
      ],
    );
    assert.deepEqual(await left(), ['q', 'r']);
  });

  it('can be given up for a complete node', async () => {
    const { status, body } = await ask('DELETE', `${PATH}?node=aaaaaa`);
    assert.deepEqual([status, body.profiles], [200, ['p', 'q']]);
    assert.deepEqual(await left(), ['r']);
    assert.equal((await ask('DELETE', PATH)).status, 400, 'all machines at once');
  });
});
