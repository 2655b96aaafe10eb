import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { HostCallError } from '../../../../server/src/sessions/host-call-error.js';
import { ApiCaller, codeOf, type Access } from '../../../fakes/api-caller.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

let service: TestService;
let api: ApiCaller;
beforeEach(async () => {
  service = await createTestService();
  service.pool.showsAtOnce = true;
  api = new ApiCaller(service);
});
afterEach(() => service.close());

/** Advances time. Resolves when everything pending has reached the host. */
async function pass(milliseconds: number): Promise<void> {
  service.clock.advance(milliseconds);
  await turn();
}
const hook = { url: 'https://example.com/events', bearer: 'b' };

describe('a time limit', () => {
  it('ends the session with its own reason, and sends a webhook event', async () => {
    const { session_id: id } = await api.begin({ timeout: { inactive: 100, webhook: hook } });
    await pass(40_000);
    assert.deepEqual(service.pool.last.warnings, [{ kind: 'inactive', delay: 60_000 }]);
    await pass(60_000);
    assert.equal(service.pool.last.stopReason, 'inactive');
    assert.deepEqual(service.events.events, [
      { sessionId: id, ...hook, body: { session_id: id, type: 'inactive' } },
    ]);
    const view = (await api.send('GET', `/v0/vm/${id}`)).json<Record<string, unknown>>();
    assert.equal(view['termination_reason'], 'inactive');
  });

  // Proves: timeout.webhook
  it('sends warnings to the webhook only if requested', async () => {
    const webhook = { ...hook, warnings: true };
    const { session_id: id } = await api.begin({ timeout: { absolute: 100, webhook } });
    service.clock.advance(40_000);
    const warning = { session_id: id, type: 'warning', timeout: 'absolute', delay: 60 };
    assert.deepEqual(service.events.events[0]?.body, warning);
  });

  // Proves: offline_timeout
  it('is an hour without viewers by default, also in its old form', async () => {
    await api.begin();
    await pass(3_600_000);
    assert.equal(service.pool.last.stopReason, 'offline');
    await api.begin({ offline_timeout: 10 });
    await pass(10_000);
    assert.equal(service.pool.last.stopReason, 'offline');
    await api.begin({ offline_timeout: null });
    await pass(86_400_000);
    assert.equal(service.pool.last.stopReason, undefined);
  });

  it('does not end the session while a user is connected or active', async () => {
    await api.begin({ timeout: { offline: 10, inactive: 20 } });
    const { listener } = service.pool.last;
    listener.onViewers(1);
    for (let time = 0; time < 60; time += 15) {
      service.clock.advance(15_000);
      listener.onActivity();
    }
    assert.equal(service.pool.last.stopReason, undefined);
  });
});

describe('POST {session}/timeout', () => {
  it('changes limits and returns all of them', async () => {
    const session = await api.begin({ timeout: { absolute: 50 } });
    service.clock.advance(40_000);
    const response = await api.control(session, 'timeout', { absolute: 30, inactive: 500, offline: null });
    assert.equal(response.statusCode, 200);
    assert.deepEqual(response.json(), { absolute: 30, inactive: 500, offline: null, warning: 60 });
    await pass(29_000);
    assert.equal(service.pool.last.stopReason, undefined);
    await pass(1_000);
    assert.equal(service.pool.last.stopReason, 'absolute');
  });

  it('explains invalid values', async () => {
    const session = await api.begin();
    const response = await api.control(session, 'timeout', { inactive: 'soon' });
    assert.equal(response.statusCode, 400);
    assert.match(response.body, /inactive must be a number of seconds/);
  });
});

describe('POST {session}/ping', () => {
  it('restarts the inactive limit', async () => {
    const session = await api.begin({ timeout: { inactive: 10, warning: 5 } });
    service.clock.advance(9_000);
    const response = await api.control(session, 'ping');
    assert.deepEqual([response.statusCode, response.json()], [200, { status: 'ok' }]);
    assert.equal(service.pool.last.warnings.at(-1)?.delay, null);
    await pass(9_000);
    assert.equal(service.pool.last.stopReason, undefined);
  });
});

describe('a number above the valid range', () => {
  it('is refused as a time limit, both as a number and as a string', async () => {
    const session = await api.begin();
    for (const field of ['absolute', 'inactive', 'offline', 'warning'])
      for (const number of ['1e400', '-1e400', '"1e400"', '[1e400]']) {
        const response = await api.control(session, 'timeout', `{"${field}": ${number}}`);
        assert.deepEqual(codeOf(response), [400, 'err_invalid_parameter'], `${field} ${number}`);
        assert.match(response.json<{ message: string }>().message, new RegExp(field));
      }
    const bodies = ['{"timeout": {"absolute": 1e400}}', '{"width": 1e400}', '{"offline_timeout": "1e400"}'];
    for (const body of bodies)
      assert.deepEqual(codeOf(await api.send('POST', '/v0/vm', body)), [400, 'err_invalid_parameter'], body);
  });
});

describe('POST {session}/bookmarks', () => {
  const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
    <TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
    <DL><p>
      <DT><H3 ADD_DATE="1">News &amp; more</H3>
      <DL><p>
        <DT><A HREF="https://example.com/?a=1&amp;b=2" ADD_DATE="1">An <i>example</i></A>
        <DT><A HREF="javascript:alert(1)">Not this</A>
      </DL><p>
      <DT><A HREF="https://example.org/">&#x1F642; Org</A>
    </DL><p>`;

  it('parses a bookmark file and appends its bookmarks', async () => {
    const session = await api.begin();
    const response = await api.control(session, 'bookmarks', file);
    assert.deepEqual([response.statusCode, response.json()], [200, { bookmarks: 2 }]);
    assert.deepEqual(service.pool.last.bookmarks, [
      { title: 'News & more', children: [{ title: 'An', url: 'https://example.com/?a=1&b=2' }] },
      { title: '🙂 Org', url: 'https://example.org/' },
    ]);
  });

  it('keeps unknown character references as they are', async () => {
    const session = await api.begin();
    const title = '&unknown; &constructor; &toString;';
    await api.control(session, 'bookmarks', `<DL><DT><A HREF="https://example.com/">${title}</A></DL>`);
    assert.deepEqual(service.pool.last.bookmarks, [{ title, url: 'https://example.com/' }]);
  });

  it('accepts the new tab page by each of its names, and no other internal address', async () => {
    const session = await api.begin();
    const names = ['chrome://newtab', 'about:newtab', 'chrome://new-tab-page/'];
    const links = [...names, 'chrome://settings', 'file:///etc'];
    const list = links.map((link) => `<DT><A HREF="${link}">One</A>`).join('');
    const response = await api.control(session, 'bookmarks', `<DL>${list}</DL>`);
    assert.deepEqual([response.statusCode, response.json()], [200, { bookmarks: 3 }]);
    const page = { title: 'One', url: 'chrome://newtab/' };
    assert.deepEqual(service.pool.last.bookmarks, [page, page, page]);
  });

  it('is not blocked by unclosed tags', async () => {
    const session = await api.begin();
    for (const tag of ['<a ', '<h3 ', '<dl ']) {
      const response = await api.control(session, 'bookmarks', `<dl>${tag.repeat(400_000)}`);
      assert.deepEqual([response.statusCode, response.json()], [200, { bookmarks: 0 }]);
    }
  });

  it('refuses other files', async () => {
    const session = await api.begin();
    for (const body of ['', '{}', 'hello']) {
      const response = await api.control(session, 'bookmarks', body);
      assert.deepEqual(codeOf(response), [400, 'err_bad_request']);
    }
  });
});

describe('the endpoints of a session', () => {
  const paths = ['timeout', 'ping', 'bookmarks'];

  // Proves: Authorization
  it("require the session's admin token, in either form", async () => {
    const session = await api.begin();
    const other = await api.begin();
    const embedToken = new URL(session.embed_url).searchParams.get('token') ?? '';
    const unknown: Access = { ...session, embed_url: `https://x.example/${'A'.repeat(22)}` };
    for (const path of paths) {
      for (const token of ['', 'x', embedToken, other.admin_token, 'test-key']) {
        const response = await api.control(session, path, {}, token);
        assert.equal(response.statusCode, 401, path);
        assert.equal(response.headers['access-control-allow-origin'], '*');
        assert.equal((await api.control(unknown, path, {})).body, response.body);
      }
    }
    const url = `${new URL(session.embed_url).pathname}/ping`;
    const headers = { authorization: session.admin_token };
    const bare = await service.app.inject({ method: 'POST', url, headers });
    assert.equal(bare.statusCode, 200);
  });

  it('report to its admin that the session has ended', async () => {
    const session = await api.begin();
    await api.send('DELETE', `/v0/vm/${session.session_id}`);
    for (const path of paths) {
      const response = await api.control(session, path, {});
      assert.deepEqual(codeOf(response), [400, 'err_session_terminated']);
    }
  });

  // Proves: GET {session}/ok
  it('respond to reachability checks of any client', async () => {
    const session = await api.begin();
    const { pathname } = new URL(session.embed_url);
    assert.equal((await service.app.inject(`${pathname}/ok`)).statusCode, 200);
    const preflight = await service.app.inject({ method: 'OPTIONS', url: `${pathname}/timeout` });
    assert.equal(preflight.statusCode, 204);
    const wrong = await service.app.inject(`${pathname}/timeout`);
    assert.deepEqual([wrong.statusCode, wrong.headers['allow']], [405, 'POST, OPTIONS']);
  });
});

describe('POST {session}/pinSize', () => {
  // Proves: POST {session}/pinSize
  it('pins or unpins the size of the session for clients with the admin token', async () => {
    const session = await api.begin();
    for (const body of [[], [true], [false]]) {
      const response = await api.control(session, 'pinSize', body);
      assert.deepEqual([response.statusCode, response.json()], [200, { status: 'ok' }]);
      assert.deepEqual(service.pool.last.calls.at(-1), { method: 'pinSize', args: body });
    }
    const { calls } = service.pool.last;
    const { length } = calls;
    const other = await api.begin();
    for (const token of ['', 'x', other.admin_token])
      assert.equal((await api.control(session, 'pinSize', [], token)).statusCode, 401);
    assert.equal(calls.length, length);
  });

  it('is refused without an array, and passes on errors of the session', async () => {
    const session = await api.begin();
    const response = await api.control(session, 'pinSize', { pinned: true });
    const code = 'err_invalid_parameter';
    const noArray = { code, message: 'The body must be a JSON array: [pinned].' };
    assert.deepEqual([response.statusCode, response.json()], [400, noArray]);
    const message = 'pinned must be true or false.';
    service.pool.last.perform = () => {
      throw new HostCallError(code, message);
    };
    const refused = await api.control(session, 'pinSize', ['yes']);
    assert.deepEqual([refused.statusCode, refused.json()], [400, { code, message }]);
  });
});
