import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestService } from '../../fakes/test-service.js';

describe('the demo', () => {
  it('is the page at / and may not be framed', async () => {
    const service = await createTestService();
    const response = await service.app.inject('/');
    assert.equal(response.statusCode, 200);
    assert.match(response.body, /<title>demo/);
    assert.match(String(response.headers['content-security-policy']), /frame-ancestors 'none'/);
    assert.equal((await service.app.inject('/demo/assets/app-1234.js')).statusCode, 200);
    await service.close();
  });

  it('has a page for phones at /mobile', async () => {
    const service = await createTestService();
    const response = await service.app.inject('/mobile');
    assert.equal(response.statusCode, 200);
    assert.match(response.body, /<title>demo on phones/);
    assert.match(String(response.headers['content-security-policy']), /frame-ancestors 'none'/);
    await service.close();
  });

  it('has a page for admins at /admin, which may show the icons of tabs', async () => {
    const service = await createTestService();
    const policyOf = async (path: string) => {
      const { headers } = await service.app.inject(path);
      return String(headers['content-security-policy']);
    };
    assert.match((await service.app.inject('/admin')).body, /<title>demo for admins/);
    assert.match(await policyOf('/admin'), /img-src 'self' data: blob: https:;.*frame-ancestors 'none'/);
    assert.match(await policyOf('/'), /img-src 'self' data: blob:;/);
    await service.close();
  });

  it('gets the key that was made for this run, when asked on this machine', async () => {
    const service = await createTestService({ generatedKey: 'made' });
    for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'LOCALHOST']) {
      const response = await service.app.inject({ url: '/demo/config', headers: { host } });
      assert.deepEqual(response.json(), { api_key: 'made' }, host);
      assert.equal(response.headers['access-control-allow-origin'], undefined);
    }
    await service.close();
  });

  it('gets no key under a name that only resolves to this machine, or through a proxy', async () => {
    const service = await createTestService({ generatedKey: 'made' });
    const host = 'localhost';
    const strangers = [
      { host: 'evil.example' },
      { host: '127.0.0.1.evil.example' },
      { host: 'localhost@evil.example' },
      { host, 'x-forwarded-for': '203.0.113.1' },
      { host, forwarded: 'for=203.0.113.1' },
      { host, via: '1.1 proxy' },
    ];
    for (const headers of strangers) {
      const response = await service.app.inject({ url: '/demo/config', headers });
      assert.deepEqual(response.json(), { api_key: null }, JSON.stringify(headers));
    }
    await service.close();
  });

  it('never gets a key that the operator set', async () => {
    const service = await createTestService();
    const response = await service.app.inject({ url: '/demo/config', headers: { host: 'localhost' } });
    assert.deepEqual(response.json(), { api_key: null });
    await service.close();
  });
});
