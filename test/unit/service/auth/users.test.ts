import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { HostCallError, type HostCallCode } from '../../../../server/src/sessions/host-call-error.js';
import { ApiCaller, codeOf, type Access } from '../../../fakes/api-caller.js';
import { API_KEY, createTestService, type TestService } from '../../../fakes/test-service.js';

let service: TestService;
let api: ApiCaller;
let session: Access;
let path: string;
beforeEach(async () => {
  service = await createTestService();
  api = new ApiCaller(service);
  session = await api.begin();
  path = new URL(session.embed_url).pathname;
});
afterEach(() => service.close());

const USER = {
  id: 'user-1',
  kind: 'agent',
  name: 'Helper',
  color: '#b3261e',
  roles: ['control'],
  permissions: { priority: 0, idle_timeout: 0, control_disabled: false },
  connectedAt: '2030-01-01T00:00:00.000Z',
  controlling: true,
};

describe('the users of a session over HTTP', () => {
  it('can be listed as the session has them', async () => {
    service.pool.last.perform = () => [USER];
    const response = await api.send('GET', `${path}/users`);
    assert.deepEqual([response.statusCode, response.json()], [200, { users: [USER] }]);
    assert.deepEqual(service.pool.last.calls, [{ method: 'users.list', args: [] }]);
  });

  // Proves: users, permissions, roles, kick, with either credential; POST {session}/setPermissions
  // Proves: POST {session}/addRoles; POST {session}/removeRoles; DELETE {session}/users/{user_id}
  it('can be changed with arrays of arguments, with an admin token or an API key', async () => {
    const changes: [string, unknown[]][] = [
      ['setPermissions', ['user-1', { priority: 1, idle_timeout: 500 }]],
      ['addRoles', [['user-1'], ['cursor_data']]],
      ['removeRoles', [[], ['control'], true]],
    ];
    for (const token of [session.admin_token, API_KEY]) {
      for (const [method, args] of changes) {
        const response = await api.control(session, method, args, token);
        assert.deepEqual([response.statusCode, response.json()], [200, true]);
        assert.deepEqual(service.pool.last.calls.at(-1), { method, args });
      }
    }
  });

  it('can be removed by their id', async () => {
    const response = await api.send('DELETE', `${path}/users/user-1`);
    assert.deepEqual([response.statusCode, response.json()], [200, { user_id: 'user-1' }]);
    assert.deepEqual(service.pool.last.calls, [{ method: 'kick', args: ['user-1'] }]);
  });

  it('are hidden from other clients', async () => {
    const other = await api.begin();
    const embedToken = new URL(session.embed_url).searchParams.get('token') ?? '';
    for (const token of ['', 'x', embedToken, other.admin_token]) {
      const response = await api.control(session, 'setPermissions', ['user-1', {}], token);
      assert.equal(response.statusCode, 401);
      assert.equal(response.headers['access-control-allow-origin'], '*');
    }
    assert.deepEqual(service.pool.last.calls, []);
  });

  it('are refused with the code and the message of the session', async () => {
    const refusals: [HostCallCode, number][] = [
      ['err_user_not_found', 404],
      ['err_invalid_parameter', 400],
      ['err_call_timeout', 504],
    ];
    for (const [code, status] of refusals) {
      service.pool.last.perform = () => {
        throw new HostCallError(code, 'Not so.');
      };
      const response = await api.control(session, 'addRoles', [['nobody'], []]);
      assert.deepEqual([response.statusCode, response.json()], [status, { code, message: 'Not so.' }]);
    }
  });

  it('require an array, and a running session', async () => {
    const response = await api.control(session, 'setPermissions', { user_id: 'user-1' });
    assert.deepEqual(response.json(), {
      code: 'err_invalid_parameter',
      message: 'The body must be a JSON array: [user_id, {priority, idle_timeout, control_disabled}].',
    });
    assert.equal((await api.send('GET', `/${'A'.repeat(22)}/users`)).statusCode, 404);
    await api.send('DELETE', `/v0/vm/${session.session_id}`);
    const ended = await api.send('GET', `${path}/users`);
    assert.deepEqual(codeOf(ended), [400, 'err_session_terminated']);
  });
});
