import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { codeOf } from '../../../fakes/api-caller.js';
import { API_KEY, createTestService, type TestService } from '../../../fakes/test-service.js';

let service: TestService;
let path: string;
beforeEach(async () => {
  service = await createTestService();
  const headers = { authorization: API_KEY };
  const response = await service.app.inject({ method: 'POST', url: '/v0/vm', headers });
  const url = new URL(response.json<{ embed_url: string }>().embed_url);
  path = url.pathname + url.search;
});
afterEach(() => service.close());

const navigate = (url: string) =>
  service.app.inject({ url, headers: { 'sec-fetch-dest': 'iframe', accept: '*/*' } });
const program = (url: string) => service.app.inject({ url, headers: { accept: '*/*' } });

describe('the embed URL', () => {
  // Proves: GET of the embed URL
  it('opens a page that any site may frame and that leaks no address', async () => {
    for (const headers of [{ 'sec-fetch-dest': 'iframe' }, { accept: 'text/html,*/*;q=0.8' }]) {
      const response = await service.app.inject({ url: path, headers });
      assert.equal(response.statusCode, 200);
      assert.match(response.body, /<title>embed/);
      assert.match(String(response.headers['content-type']), /^text\/html/);
      assert.equal(response.headers['x-frame-options'], undefined);
      assert.doesNotMatch(String(response.headers['content-security-policy']), /frame-ancestors/);
      assert.equal(response.headers['referrer-policy'], 'no-referrer');
      assert.equal(response.headers['x-content-type-options'], 'nosniff');
      assert.equal(response.headers['cache-control'], 'no-store');
    }
  });

  it('shows the page also for refused tokens, so that the page can explain it', async () => {
    const wrong = await navigate(path.replace(/token=.*/, 'token=x'));
    assert.equal(wrong.statusCode, 401);
    assert.match(wrong.body, /<title>embed/);
    service.pool.last.listener.onEnded('request', 'Done.');
    const ended = await navigate(path);
    assert.equal(ended.statusCode, 400);
    assert.match(ended.body, /<title>embed/);
  });

  // Proves: GET of the embed URL
  it('returns the module that shows the session to a program', async () => {
    for (const headers of [{ accept: '*/*' }, { accept: '*/*', 'sec-fetch-dest': 'empty' }]) {
      const response = await service.app.inject({ url: `${path}&no_cbor=1`, headers });
      assert.equal(response.statusCode, 200);
      assert.match(String(response.headers['content-type']), /^text\/javascript/);
      assert.equal(response.headers['access-control-allow-origin'], '*');
      assert.equal(response.headers['cache-control'], 'no-store');
      assert.match(response.body, /^export default/);
    }
  });

  it('compresses the module for clients that support it', async () => {
    const response = await service.app.inject({ url: path, headers: { 'accept-encoding': 'gzip, br' } });
    assert.equal(response.headers['content-encoding'], 'gzip');
    assert.match(gunzipSync(response.rawPayload).toString(), /^export default/);
  });

  // Proves: status 400 of the address of a session that has ended
  it('returns errors to a program as JSON', async () => {
    const wrong = await program(path.replace(/token=.*/, 'token=x'));
    assert.deepEqual(codeOf(wrong), [401, 'err_unauthorized_viewer']);
    service.pool.last.listener.onEnded('request', 'Done.');
    const ended = await program(path);
    assert.deepEqual(codeOf(ended), [400, 'err_session_terminated']);
  });

  it('responds to pages of any origin, including errors and preflights', async () => {
    const preflight = await service.app.inject({ method: 'OPTIONS', url: path });
    assert.equal(preflight.statusCode, 204);
    const wrongMethod = await service.app.inject({ method: 'PUT', url: path });
    assert.equal(wrongMethod.statusCode, 405);
    for (const response of [preflight, wrongMethod, await navigate(path), await program(`${path}x`)]) {
      assert.equal(response.headers['access-control-allow-origin'], '*');
    }
  });

  it('has assets that never expire, because their names change with their content', async () => {
    const response = await program('/embed/assets/app-1234.js');
    assert.equal(response.statusCode, 200);
    assert.match(String(response.headers['cache-control']), /immutable/);
    assert.equal(response.headers['access-control-allow-origin'], '*');
    const missing = await program('/embed/assets/missing.js');
    assert.deepEqual(codeOf(missing), [404, 'err_not_found']);
  });

  it('serves no files outside its assets', async () => {
    for (const url of [
      '/embed/assets/../index.html',
      '/embed/assets/..%2findex.html',
      '/embed/assets/%2e%2e/%2e%2e/x',
    ]) {
      const response = await program(url);
      assert.ok([400, 403, 404].includes(response.statusCode), `${url}: ${response.statusCode}`);
      assert.equal(typeof response.json<{ code: string }>().code, 'string');
    }
  });
});
