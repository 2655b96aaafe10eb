import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { SEARCH_ENGINES } from '../../../../server/src/create-fields/values/search-engines.js';
import { codeOf } from '../../../fakes/api-caller.js';
import { API_KEY, createTestService, PUBLIC_URL, type TestService } from '../../../fakes/test-service.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let service: TestService;
beforeEach(async () => (service = await createTestService()));
afterEach(() => service.close());

function create(payload?: unknown, headers: Record<string, string> = {}) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return service.app.inject({
    ...{ method: 'POST', url: '/v0/vm', ...(payload !== undefined && { payload: text }) },
    headers: { authorization: `Bearer ${API_KEY}`, ...headers },
  });
}

function call(method: 'GET' | 'DELETE', id: string) {
  return service.app.inject({ method, url: `/v0/vm/${id}`, headers: { authorization: `Bearer ${API_KEY}` } });
}

describe('POST /v0/vm', () => {
  // Proves: answer session_id; answer embed_url; answer admin_token; status 200
  it('returns the three fields that open a session', async () => {
    const response = await create({ start_url: 'https://example.com/' });
    assert.equal(response.statusCode, 200);
    const body = response.json<Record<string, string>>();
    assert.deepEqual(Object.keys(body).sort(), ['admin_token', 'embed_url', 'session_id']);
    assert.match(body['session_id'] ?? '', UUID);
    const url = new URL(body['embed_url'] ?? '');
    assert.equal(url.origin, PUBLIC_URL);
    const bytes = Buffer.from(url.pathname.slice(1), 'base64url');
    assert.equal(bytes.toString('hex'), body['session_id']?.replaceAll('-', ''));
    assert.equal(Buffer.from(url.searchParams.get('token') ?? '', 'base64url').length, 32);
    assert.notEqual(url.searchParams.get('token'), body['admin_token']);
  });

  it('sends complete settings to the host for an empty request', async () => {
    for (const [payload, headers] of [
      [undefined, {}],
      ['', { 'content-type': 'application/json' }],
      ['  ', { 'content-type': 'text/plain' }],
    ] as const) {
      const response = await create(payload, headers);
      assert.equal(response.statusCode, 200);
      const { sessionId, adminTokenHash, ...settings } = service.pool.last.session;
      assert.match(adminTokenHash, /^[\w-]{43}$/);
      assert.equal(sessionId, response.json<{ session_id: string }>().session_id);
      assert.deepEqual(settings, {
        startUrl: 'about:blank',
        width: 1280,
        height: 720,
        maxArea: 921_600,
        pixelRatio: 1,
        privacyTimeout: 600,
        fps: 24,
        kiosk: false,
        hideCursor: false,
        touchGestures: { swipe: false, pinch: false },
        fieldMasking: [],
        followsRatio: false,
        adblock: false,
        automation: null,
        ring: null,
        draw: false,
        webgl: false,
        dark: false,
        standby: false,
        searchEngine: SEARCH_ENGINES.duckduckgo,
        userAgent: 'desktop',
        quality: 'smooth',
        locale: { languages: [], country: null },
        httpProxy: null,
        extension: null,
        restoreTabs: false,
        keepProfile: false,
      });
    }
  });

  // Proves: a field that is not listed
  it('passes on the requested settings, and ignores unknown fields', async () => {
    const response = await create({ fps: 60, kiosk: true, tomorrow: { a: 1 } });
    assert.equal(response.statusCode, 200);
    const { session } = service.pool.last;
    assert.deepEqual([session.fps, session.kiosk], [60, true]);
  });

  // Proves: bodies under any content type, or empty
  it('parses JSON with any content type', async () => {
    const forms = ['application/x-www-form-urlencoded', 'application/json; charset=utf-8'];
    for (const type of [...forms, 'text/plain', 'nonsense']) {
      const response = await create({ fps: 30 }, { 'content-type': type });
      assert.equal(response.statusCode, 200, type);
      assert.equal(service.pool.last.session.fps, 30);
      await call('DELETE', response.json<{ session_id: string }>().session_id);
    }
  });

  // Proves: Authorization
  it('accepts each of its keys, with and without "Bearer"', async () => {
    for (const authorization of [API_KEY, `Bearer ${API_KEY}`, 'bearer second-key']) {
      assert.equal((await create(undefined, { authorization })).statusCode, 200);
    }
  });

  it('refuses a missing or wrong key before it reads the body', async () => {
    for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${API_KEY}`]) {
      const response = await create('{', { authorization });
      assert.deepEqual(codeOf(response), [401, 'err_unauthenticated']);
    }
  });

  // Proves: width; height; fps; status 400 err_invalid_parameter
  it('names the invalid field and its allowed values', async () => {
    const cases: [unknown, RegExp][] = [
      [{ fps: 61 }, /^fps must be an integer from 24 to 60\.$/],
      [{ fps: '23' }, /^fps must be an integer from 24 to 60\.$/],
      [{ width: -100, height: 720 }, /^width must be a number of pixels above 0\.$/],
      [{ width: 1280 }, /^height must be given as well when width is\.$/],
      [{ height: 720 }, /^width must be given/],
      [{ width: 1920, height: 1081 }, /^width x height must be at most 2073600 pixels/],
      [{ kiosk: 'yes' }, /^kiosk must be true or false\.$/],
      [{ hide_cursor: 2 }, /^hide_cursor must be true or false\.$/],
      [{ start_url: 7 }, /^start_url must be a text/],
      [{ start_url: ' ' }, /^start_url must be an http, https or about: address/],
      [{ start_url: 'javascript:alert(1)' }, /^start_url must be an http, https or about: address/],
      [{ start_url: 'file:///etc/passwd' }, /^start_url must be/],
      [[1, 2], /^The body must be a JSON object\.$/],
      ['"text"', /^The body must be a JSON object\.$/],
    ];
    for (const [payload, message] of cases) {
      const response = await create(payload);
      assert.equal(response.statusCode, 400, JSON.stringify(payload));
      const body = response.json<{ code: string; message: string }>();
      assert.equal(body.code, 'err_invalid_parameter');
      assert.match(body.message, message);
    }
    assert.equal(service.pool.hosts.length, 0);
  });

  // Proves: limits per key and in number
  it('refuses a session above the maximum, and accepts it after another one has ended', async () => {
    const first = (await create()).json<{ session_id: string }>().session_id;
    await create();
    await create();
    const refused = await create();
    assert.deepEqual(codeOf(refused), [400, 'err_exceeded_vm_limit']);
    await call('DELETE', first);
    assert.equal((await create()).statusCode, 200);
  });

  it('keeps no data of a session whose host failed', async () => {
    service.pool.failure = new Error('no display');
    const response = await create();
    assert.equal(response.statusCode, 500);
    assert.deepEqual(Object.keys(response.json<object>()), ['code', 'message']);
    assert.doesNotMatch(response.body, /display/);
    assert.equal(service.registry.records.size, 0);
    service.pool.failure = undefined;
    for (let count = 0; count < 3; count++) assert.equal((await create()).statusCode, 200);
  });
});

describe('GET and DELETE /v0/vm/{session_id}', () => {
  // Proves: DELETE /v0/vm/{session_id}; GET /v0/vm/{session_id}; answer creation_date
  // Proves: answer termination_date
  it('return a session while it runs and after its end', async () => {
    const access = (await create()).json<{ session_id: string; embed_url: string }>();
    const view = async () => (await call('GET', access.session_id)).json<Record<string, unknown>>();
    const active = await view();
    assert.deepEqual(active, {
      ...access,
      creation_date: '2030-01-01T00:00:00.000Z',
      termination_date: null,
      termination_reason: null,
      state: 'starting',
      viewers: 0,
      last_input_date: null,
      standby: false,
    });

    const { listener } = service.pool.last;
    listener.onStarted({ paint: 500 });
    listener.onViewers(2);
    service.clock.advance(5_000);
    listener.onActivity();
    const used = await view();
    assert.deepEqual([used['state'], used['viewers']], ['running', 2]);
    assert.equal(used['last_input_date'], '2030-01-01T00:00:05.000Z');

    listener.onStandby(true);
    const frozen = await view();
    assert.deepEqual([frozen['state'], frozen['standby']], ['running', true]);

    const ended = await call('DELETE', access.session_id);
    assert.equal(ended.statusCode, 200);
    assert.deepEqual(ended.json(), { session_id: access.session_id });
    assert.equal(service.pool.last.stopReason, 'request');

    const after = await view();
    assert.equal(after['termination_date'], '2030-01-01T00:00:05.000Z');
    assert.deepEqual([after['state'], after['termination_reason']], ['ended', 'request']);
    assert.equal(after['embed_url'], access.embed_url);
    assert.equal((await call('DELETE', access.session_id)).statusCode, 200);
  });

  it('return no unknown session', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x', '..%2f..%2fetc']) {
      for (const method of ['GET', 'DELETE'] as const) {
        const response = await call(method, id);
        assert.deepEqual(codeOf(response), [404, 'err_not_found']);
      }
    }
  });
});
