import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DemoKey } from '../../../../server/src/auth/demo-key.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

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

  it('has a page for admins at /admin, which loads no image from another site', async () => {
    const service = await createTestService();
    const policyOf = async (path: string) => {
      const { headers } = await service.app.inject(path);
      return String(headers['content-security-policy']);
    };
    assert.match((await service.app.inject('/admin')).body, /<title>demo for admins/);
    assert.match(await policyOf('/admin'), /img-src 'self' data: blob:;.*frame-ancestors 'none'/);
    assert.match(await policyOf('/'), /img-src 'self' data: blob:;/);
    await service.close();
  });

  it('has a page for operators at /operator, which loads only its own files and may not be framed', async () => {
    const service = await createTestService();
    const { body, headers } = await service.app.inject('/operator');
    assert.match(body, /<title>demo for operators/);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /default-src 'self'; img-src 'self' data: blob:;.*frame-ancestors 'none'/);
    assert.equal(headers['cache-control'], 'no-store');
    await service.close();
  });
});

describe('the generated API key', () => {
  const LOCAL = { host: 'localhost:8080' };
  let spent: string[];
  let demoKey: DemoKey;
  let service: TestService;
  beforeEach(async () => {
    spent = [];
    demoKey = new DemoKey('made', (next) => spent.push(next));
    service = await createTestService({ demoKey });
  });
  afterEach(() => service.close());

  const buy = (secret: string, headers: Record<string, string> = LOCAL, { app } = service) =>
    app.inject({ method: 'POST', url: '/demo/key', headers, payload: { secret } });

  function refused(response: { statusCode: number; json: () => { code: string; message: string } }) {
    assert.equal(response.statusCode, 403);
    assert.equal(response.json().code, 'err_start_address');
    assert.match(response.json().message, /Open the newest address in the terminal of the service/);
  }

  it('is issued for the secret of a start address, under every name of this machine', async () => {
    for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'LOCALHOST']) {
      assert.equal(Buffer.from(demoKey.secret, 'base64url').length, 32);
      const response = await buy(demoKey.secret, { host });
      assert.deepEqual(response.json(), { api_key: 'made' }, host);
      assert.equal(response.headers['cache-control'], 'no-store');
      assert.equal(response.headers['access-control-allow-origin'], undefined);
    }
  });

  it('is issued once per secret, and the next secret is logged', async () => {
    const secret = demoKey.secret;
    assert.equal((await buy(secret)).statusCode, 200);
    assert.deepEqual(spent, [demoKey.secret]);
    refused(await buy(secret));
    assert.equal((await buy(demoKey.secret)).statusCode, 200);
  });

  it('is not issued under a name that only resolves to this machine, or through a proxy', async () => {
    const host = 'localhost';
    const strangers = [
      { host: 'evil.example' },
      { host: '127.0.0.1.evil.example' },
      { host: 'localhost@evil.example' },
      { host, 'x-forwarded-for': '203.0.113.1' },
      { host, forwarded: 'for=203.0.113.1' },
      { host, via: '1.1 proxy' },
    ];
    for (const headers of strangers) refused(await buy(demoKey.secret, headers));
    assert.deepEqual(spent, []);
  });

  it('is not issued after a dozen wrong secrets', async () => {
    for (let tries = 0; tries < 11; tries++) refused(await buy('a guess'));
    assert.equal((await buy(demoKey.secret)).statusCode, 200);
    refused(await buy('a guess'));
    refused(await buy(demoKey.secret));
  });

  it('is not shown at any address', async () => {
    assert.equal((await service.app.inject({ url: '/demo/config', headers: LOCAL })).statusCode, 404);
    assert.equal((await service.app.inject({ url: '/demo/key', headers: LOCAL })).statusCode, 405);
  });

  it('is never one that the operator configured', async () => {
    const other = await createTestService();
    refused(await buy('a guess', LOCAL, other));
    await other.close();
  });
});
