import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ApiError, CloudBrowserApi } from '../../../src/api/index.js';
import { API_KEY, createTestService, type TestService } from '../../fakes/test-service.js';
import { MANIFEST, zip } from '../../fakes/zip.js';

let service: TestService;
let api: CloudBrowserApi;
let base: string;
beforeEach(async () => {
  service = await createTestService({ maxSessions: 200, createsPerMinute: 150 });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  api = new CloudBrowserApi({ baseUrl: `${base}/`, apiKey: API_KEY });
});
afterEach(() => service.close());

describe('the client for backends', () => {
  // Proves: cloud-browser/api
  it('creates, reads, updates and ends a session', async () => {
    const access = await api.createSession({ start_url: 'https://example.com', tenant_id: 'a', fps: 30 });
    assert.equal(service.pool.last.session.fps, 30);
    const view = await api.getSession(access.session_id);
    assert.deepEqual([view.state, view.embed_url], ['starting', access.embed_url]);
    // The embed URL of a test service names a host that is not there.
    const here = {
      ...access,
      embed_url: base + new URL(access.embed_url).pathname + new URL(access.embed_url).search,
    };
    const session = api.session(here);
    assert.deepEqual(await session.updateTimeout({ inactive: 50, offline: null }), {
      absolute: null,
      inactive: 50,
      offline: null,
      warning: 60,
    });
    assert.deepEqual(await session.ping(), { status: 'ok' });
    const issued = await session.issueToken({ scope: 'view', ttl: 60, name: 'Ada' });
    const { token, url, ...listed } = issued;
    assert.equal(new URL(url ?? '').searchParams.get('token'), token);
    const [known] = await session.tokens();
    assert.deepEqual({ ...known, created: '' }, { ...listed, name: 'Ada', created: '' });
    assert.deepEqual(await session.revokeToken(issued.token_id), { token_id: issued.token_id });
    assert.deepEqual(await session.tokens(), []);
    assert.deepEqual(await session.addBookmarks('<DL><A HREF="https://example.com">x</A></DL>'), {
      bookmarks: 1,
    });
    service.pool.last.perform = (method) => (method === 'users.list' ? [] : null);
    assert.deepEqual(await session.users(), []);
    await session.setPermissions('user-1', { priority: 1 });
    await session.addRoles(['user-1'], ['cursor_data']);
    await session.removeRoles(['user-1'], ['control'], true);
    assert.deepEqual(await session.kick('user-1'), { user_id: 'user-1' });
    assert.deepEqual(await session.pinSize(), { status: 'ok' });
    assert.deepEqual(service.pool.last.calls, [
      { method: 'users.list', args: [] },
      { method: 'setPermissions', args: ['user-1', { priority: 1 }] },
      { method: 'addRoles', args: [['user-1'], ['cursor_data'], false] },
      { method: 'removeRoles', args: [['user-1'], ['control'], true] },
      { method: 'kick', args: ['user-1'] },
      { method: 'pinSize', args: [true] },
    ]);
    assert.equal(await session.tabs('update', null, { active: true }), null);
    const asked = { method: 'tabs.update', args: [null, { active: true }] };
    assert.deepEqual(service.pool.last.calls.at(-1), asked);
    service.pool.last.perform = (method) => (method === 'dialogs.list' ? [] : null);
    assert.deepEqual(await session.dialogs(), []);
    await session.answerDialog(7, { accept: true });
    const answered = { method: 'dialogs.answer', args: [7, { accept: true }] };
    assert.deepEqual(service.pool.last.calls.at(-1), answered);
    service.clock.advance(10_000);
    assert.deepEqual(await api.endSession(access.session_id), { session_id: access.session_id });
    assert.deepEqual(await api.usage('a'), [{ date: '2030-01-01T00:00:00Z', seconds: 10 }]);
  });

  it('uploads an extension', async () => {
    await api.createSession({ kiosk: true }, { archive: zip([MANIFEST]) });
    assert.deepEqual(Object.keys(service.pool.last.session.extension ?? {}), ['manifest.json']);
    assert.equal(service.pool.last.session.kiosk, true);
  });

  it('rejects an upload where the runtime has no FormData', async () => {
    const { FormData: standard } = globalThis;
    Reflect.deleteProperty(globalThis, 'FormData');
    try {
      const created = api.createSession({}, { archive: zip([MANIFEST]) });
      await assert.rejects(created, { name: 'TypeError', message: /has no FormData/ });
    } finally {
      globalThis.FormData = standard;
    }
  });

  it('iterates over all pages of sessions', async () => {
    for (let count = 0; count < 101; count++) await api.createSession();
    const ids = new Set<string>();
    for await (const { id } of api.sessions()) ids.add(id);
    assert.equal(ids.size, 101);
  });

  it('waits for the end of a session that takes longer than a request', async () => {
    const answers = [
      { status: 202, body: { session_id: 'one', state: 'ending' } },
      { status: 202, body: { session_id: 'one', state: 'ending' } },
      { status: 200, body: { session_id: 'one' } },
    ];
    const slow = new CloudBrowserApi({
      baseUrl: base,
      apiKey: 'k',
      fetch: async () => {
        const { status = 500, body } = answers.shift() ?? {};
        return { ok: true, status, headers: { get: () => null }, text: async () => JSON.stringify(body) };
      },
    });
    assert.deepEqual(await slow.endSession('one'), { session_id: 'one' });
    assert.equal(answers.length, 0);
    for (let more = 0; more < 11; more++)
      answers.push({ status: 202, body: { session_id: 'one', state: 'ending' } });
    await assert.rejects(slow.endSession('one'), { code: 'err_session_ending', status: 202 });
    assert.equal(answers.length, 1);
  });

  it('rejects with the error of the service', async () => {
    await assert.rejects(api.createSession({ fps: 1 }), (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.code, error.status], ['err_invalid_parameter', 400]);
      assert.match(error.message, /^fps must be an integer from 24 to 60/);
      return true;
    });
    for (let count = 0; count < 150; count++) await api.createSession().catch(() => undefined);
    await assert.rejects(api.createSession(), { code: 'err_too_many_requests', retryAfter: 1 });
    const stranger = new CloudBrowserApi({ baseUrl: base, apiKey: 'wrong' });
    await assert.rejects(stranger.listSessions(), { code: 'err_unauthenticated', status: 401 });
  });

  it('rejects with one error class if the service does not answer', async () => {
    const nowhere = new CloudBrowserApi({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k' });
    await assert.rejects(nowhere.listSessions(), { code: 'err_unreachable', status: 0 });
    const noScheme = new CloudBrowserApi({ baseUrl: 'browser.example.com', apiKey: 'k' });
    await assert.rejects(noScheme.listSessions(), {
      code: 'err_unreachable',
      message: 'The address "browser.example.com/v0/vm" does not start with "https://" or "http://".',
    });
    for (const apiKey of ['a\nb', '\u20ac'])
      await assert.rejects(new CloudBrowserApi({ baseUrl: base, apiKey }).listSessions(), {
        code: 'err_unreachable',
        message: 'The API key or token contains a character that a header cannot have, such as a line break.',
      });
    const answers: [status: number, text: string][] = [
      [502, '<html>'],
      [503, '{"code":"upstream_unavailable","message":"no healthy upstream"}'],
      [504, 'null'],
      [200, '<html>'],
    ];
    for (const [status, text] of answers) {
      const proxy = async () => ({
        ...{ ok: status === 200, status, headers: { get: () => null } },
        text: async () => text,
      });
      const behind = new CloudBrowserApi({ baseUrl: base, apiKey: 'k', fetch: proxy });
      await assert.rejects(behind.listSessions(), { code: 'err_unreachable', status });
    }
  });
});
