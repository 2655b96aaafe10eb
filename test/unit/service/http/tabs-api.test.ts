import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { HostCallError } from '../../../../server/src/sessions/host-call-error.js';
import { ApiCaller, type Access } from '../../../fakes/api-caller.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

let service: TestService;
let api: ApiCaller;
let session: Access;
beforeEach(async () => {
  service = await createTestService();
  service.pool.showsAtOnce = true;
  api = new ApiCaller(service);
  session = await api.begin();
});
afterEach(() => service.close());

describe('POST {session}/tabs.<method>', () => {
  // Proves: POST {session}/dialogs.<method>, reported dialogs
  it('passes the arguments to the session and returns its result', async () => {
    service.pool.last.perform = () => [{ id: 7 }];
    const response = await api.control(session, 'tabs.query', [{ active: true }]);
    assert.equal(response.statusCode, 200);
    assert.match(String(response.headers['content-type']), /^application\/json/);
    assert.deepEqual(response.json(), [{ id: 7 }]);
    assert.deepEqual(service.pool.last.calls, [{ method: 'tabs.query', args: [{ active: true }] }]);
  });

  it('treats an empty body as no arguments', async () => {
    await api.control(session, 'tabs.goBack');
    assert.deepEqual(service.pool.last.calls, [{ method: 'tabs.goBack', args: [] }]);
  });

  for (const [result, body] of [
    [undefined, 'null'],
    ['en', '"en"'],
    [1.5, '1.5'],
  ] as const) {
    it(`returns ${String(result)} as ${body}`, async () => {
      service.pool.last.perform = () => result;
      assert.equal((await api.control(session, 'tabs.getZoom', [1])).body, body);
    });
  }

  it("returns Chrome's own error messages", async () => {
    service.pool.last.perform = () => {
      throw new HostCallError('err_chrome', 'No tab with id: 99.');
    };
    const response = await api.control(session, 'tabs.get', [99]);
    assert.equal(response.statusCode, 400);
    assert.deepEqual(response.json(), { code: 'err_chrome', message: 'No tab with id: 99.' });
  });

  for (const [code, status] of [
    ['err_browser_unavailable', 503],
    ['err_too_many_calls', 429],
    ['err_too_many_agents', 429],
  ] as const) {
    it(`says when to repeat a call that is refused with ${code}`, async () => {
      service.pool.last.perform = () => {
        throw new HostCallError(code, 'Try again in a moment.');
      };
      const { statusCode, headers } = await api.control(session, 'tabs.get', [99]);
      assert.deepEqual([statusCode, headers['retry-after']], [status, '2']);
      // Pages of other origins can read only the headers of this list.
      assert.match(String(headers['access-control-expose-headers']), /retry-after/);
    });
  }

  it('needs the admin token', async () => {
    const response = await api.control(session, 'tabs.query', [{}], 'wrong');
    assert.equal(response.statusCode, 401);
    assert.deepEqual(service.pool.last.calls, []);
  });

  it('refuses a method that chrome.tabs does not have, and a body that is not an array', async () => {
    const unknown = await api.control(session, 'tabs.sendMessage', [1]);
    assert.equal(unknown.statusCode, 400);
    assert.match(unknown.json<{ message: string }>().message, /^method must be one of create, /);
    const object = await api.control(session, 'tabs.query', { active: true });
    assert.equal(object.statusCode, 400);
    assert.match(object.json<{ message: string }>().message, /must be a JSON array of at most 16 arguments/);
    assert.deepEqual(service.pool.last.calls, []);
  });

  it('can be called from any page', async () => {
    const url = `${new URL(session.embed_url).pathname}/tabs.query`;
    const response = await service.app.inject({ method: 'OPTIONS', url });
    assert.equal(response.statusCode, 204);
    assert.equal(response.headers['access-control-allow-origin'], '*');
    assert.equal((await service.app.inject({ method: 'GET', url })).statusCode, 405);
  });
});

describe('POST {session}/dialogs.<method>', () => {
  it('passes the arguments to the session and returns its result', async () => {
    const dialog = { tabId: 1, type: 'alert', message: 'Hello', defaultPrompt: '', url: 'about:blank' };
    service.pool.last.perform = (method) => (method === 'dialogs.list' ? [dialog] : undefined);
    assert.deepEqual((await api.control(session, 'dialogs.list')).json(), [dialog]);
    const answered = await api.control(session, 'dialogs.answer', [1, { accept: true }]);
    assert.deepEqual([answered.statusCode, answered.body], [200, 'null']);
    assert.deepEqual(service.pool.last.calls, [
      { method: 'dialogs.list', args: [] },
      { method: 'dialogs.answer', args: [1, { accept: true }] },
    ]);
  });

  it('requires the admin token and an existing method', async () => {
    assert.equal((await api.control(session, 'dialogs.list', [], 'wrong')).statusCode, 401);
    assert.equal((await api.control(session, 'dialogs.close', [1])).statusCode, 400);
    assert.deepEqual(service.pool.last.calls, []);
  });
});

describe('an obstacle in a tab', () => {
  for (const code of ['err_dialog_open', 'err_page_unresponsive'] as const) {
    it(`is reported as ${code} with status 409`, async () => {
      service.pool.last.perform = () => {
        throw new HostCallError(code, 'No.');
      };
      const response = await api.control(session, 'tabs.reload');
      assert.equal(response.statusCode, 409);
      assert.deepEqual(response.json(), { code, message: 'No.' });
    });
  }
});
