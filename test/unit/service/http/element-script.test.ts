import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createTestService, PUBLIC_URL, type TestService } from '../../../fakes/test-service.js';

let service: TestService;
beforeEach(async () => (service = await createTestService()));
afterEach(() => service.close());

const get = (url: string, headers: Record<string, string> = {}) => service.app.inject({ url, headers });

describe("the element's script", () => {
  it('is a module for pages of any origin, also for cross-origin isolated ones', async () => {
    const response = await get('/element.js', { 'accept-encoding': 'gzip' });
    assert.equal(response.statusCode, 200);
    assert.match(String(response.headers['content-type']), /^text\/javascript/);
    assert.equal(response.headers['access-control-allow-origin'], '*');
    assert.equal(response.headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(response.headers['x-content-type-options'], 'nosniff');
    assert.match(gunzipSync(response.rawPayload).toString(), /class CloudBrowserElement/);
  });

  it('is sent again only after it has changed', async () => {
    const { headers } = await get('/element.js');
    assert.equal(headers['cache-control'], 'no-cache');
    const again = await get('/element.js', { 'if-none-match': String(headers.etag) });
    assert.deepEqual([again.statusCode, again.body], [304, '']);
    assert.equal((await get('/element.js', { 'if-none-match': '"other"' })).statusCode, 200);
  });

  it('never changes below the path of its version, which other versions do not have', async () => {
    const response = await get('/element@1.2.3.js');
    assert.equal(response.statusCode, 200);
    assert.match(String(response.headers['cache-control']), /immutable/);
    const other = await get('/element@1.2.4.js');
    assert.equal(other.statusCode, 404);
    assert.equal(other.json<{ message: string }>().message, 'There is no element 1.2.4: this is 1.2.3.');
    assert.equal(other.headers['access-control-allow-origin'], '*');
  });

  it('can be verified by pages with its published hash', async () => {
    const { body } = await get('/element@1.2.3.js');
    const integrity = `sha384-${createHash('sha384').update(body).digest('base64')}`;
    assert.deepEqual((await get('/element.json')).json(), {
      version: '1.2.3',
      src: `${PUBLIC_URL}/element@1.2.3.js`,
      integrity,
    });
  });

  it('has chunks that never change, for pages of any origin', async () => {
    const response = await get('/element-parts/0123456789abcdef/file-transfers.js', {
      'accept-encoding': 'gzip',
    });
    assert.equal(response.statusCode, 200);
    assert.match(String(response.headers['content-type']), /^text\/javascript/);
    assert.match(String(response.headers['cache-control']), /immutable/);
    assert.equal(response.headers['access-control-allow-origin'], '*');
    assert.equal(response.headers['cross-origin-resource-policy'], 'cross-origin');
    assert.match(gunzipSync(response.rawPayload).toString(), /class FileTransfers/);
  });

  it('includes the chunks of the embed module', async () => {
    const response = await get('/embed-parts/0123456789abcdef/controls.js');
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers['access-control-allow-origin'], '*');
    assert.match(response.body, /class Controls/);
  });

  it('has no other chunks', async () => {
    const folder = '/element-parts/0123456789abcdef';
    for (const path of [
      `${folder}/other.js`,
      '/element-parts/fedcba9876543210/file-transfers.js',
      `${folder}/..%2f..%2felement.js`,
      `${folder}/%00.js`,
      folder,
      '/element-parts/',
    ]) {
      const { statusCode, headers } = await get(path);
      assert.equal(statusCode, 404, path);
      assert.ok(!String(headers['cache-control']).includes('immutable'), path);
    }
  });

  it('includes the licences of its libraries', async () => {
    assert.equal((await get('/element.licenses.md')).body, '# Licenses');
  });
});
