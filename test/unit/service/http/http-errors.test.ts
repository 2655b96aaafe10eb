import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { codeOf } from '../../../fakes/api-caller.js';
import { sendLongBody } from '../../../fakes/long-body.js';
import { API_KEY, createTestService, type TestService } from '../../../fakes/test-service.js';

const authorization = `Bearer ${API_KEY}`;

let service: TestService;
beforeEach(async () => (service = await createTestService()));
afterEach(() => service.close());

describe('every refusal is JSON with a code and a message', () => {
  const cases = [
    { name: 'an unknown address', method: 'GET', url: '/nothing', status: 404, code: 'err_not_found' },
    { name: 'a wrong method', method: 'PUT', url: '/v0/vm', status: 405, code: 'err_method_not_allowed' },
    {
      name: 'an address that cannot be decoded',
      method: 'GET',
      url: '/v0/vm/%zz',
      status: 400,
      code: 'err_bad_request',
    },
    {
      name: 'malformed JSON',
      method: 'POST',
      url: '/v0/vm',
      payload: '{"a":',
      status: 400,
      code: 'err_invalid_json',
    },
    {
      name: 'bytes that are not UTF-8',
      method: 'POST',
      url: '/v0/vm',
      payload: Buffer.from([0x22, 0xff, 0x22]),
      status: 400,
      code: 'err_invalid_json',
    },
    {
      name: 'a body that is too large',
      method: 'POST',
      url: '/v0/vm',
      payload: ' '.repeat(3e6),
      status: 413,
      code: 'err_body_too_large',
    },
    {
      name: 'a multipart body for an endpoint without one',
      method: 'DELETE',
      url: '/v0/vm/x',
      type: 'multipart/form-data; boundary=x',
      payload: '--x--',
      status: 415,
      code: 'err_unsupported_media_type',
    },
    {
      name: 'a malformed multipart body',
      method: 'POST',
      url: '/v0/vm',
      type: 'multipart/form-data; boundary=x',
      payload: '--y--',
      status: 400,
      code: 'err_bad_request',
    },
    {
      name: 'a multipart body whose type has no boundary',
      method: 'POST',
      url: '/v0/vm',
      type: 'multipart/form-data',
      payload: '--y--',
      status: 400,
      code: 'err_bad_request',
      message: /boundary/,
    },
    {
      name: 'a compressed body',
      method: 'POST',
      url: '/v0/vm',
      encoding: 'gzip',
      payload: Buffer.from([0x1f, 0x8b, 8]),
      status: 400,
      code: 'err_bad_request',
      message: /without compression/,
    },
    {
      name: 'a body without compression that is not JSON',
      method: 'POST',
      url: '/v0/vm',
      encoding: 'Identity',
      payload: Buffer.from('{'),
      status: 400,
      code: 'err_invalid_json',
    },
  ] as const;
  for (const { name, method, url, status, code, ...rest } of cases) {
    it(`for ${name}`, async () => {
      const headers = {
        ...{ authorization, 'content-type': 'type' in rest ? rest.type : 'application/json' },
        ...('encoding' in rest && { 'content-encoding': rest.encoding }),
      };
      const payload = 'payload' in rest ? { payload: rest.payload } : {};
      const response = await service.app.inject({ method, url, headers, ...payload });
      assert.equal(response.statusCode, status);
      const body = response.json<Record<string, unknown>>();
      assert.deepEqual(Object.keys(body), ['code', 'message']);
      assert.equal(body['code'], code);
      if ('message' in rest) assert.match(String(body['message']), rest.message);
    });
  }

  it('lists the methods of an address', async () => {
    const response = await service.app.inject({
      method: 'PATCH',
      url: '/v0/vm/x',
      headers: { authorization },
    });
    assert.equal(response.statusCode, 405);
    assert.equal(response.headers['allow'], 'GET, DELETE');
  });

  it('for bytes that are not HTTP', async () => {
    const { port } = new URL(await service.app.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('this is not HTTP\r\n\r\n');
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    assert.match(answer, /^HTTP\/1\.1 400 .*"code":"err_bad_request"/s);
  });
});

describe('a body that a request does not need', () => {
  it('is not read if it is long, and its connection is closed', async () => {
    const size = 100_000_000;
    const { port } = new URL(await service.app.listen({ host: '127.0.0.1', port: 0 }));
    const { answer, sent } = await sendLongBody(Number(port), 'GET /livez HTTP/1.1', size);
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.match(answer, /connection: close/i);
    assert.ok(sent < size / 5, `${sent} bytes were taken`);
  });
});

describe('a body that tries to change prototypes', () => {
  it('is parsed without its __proto__', async () => {
    const payload = '{"__proto__":{"kiosk":true},"constructor":{"prototype":{"kiosk":true}}}';
    const request = { method: 'POST', url: '/v0/vm', headers: { authorization }, payload } as const;
    assert.equal((await service.app.inject(request)).statusCode, 200);
    assert.equal(service.pool.last.session.kiosk, false);
    assert.equal(({} as Record<string, unknown>)['kiosk'], undefined);
  });
});

describe('the health endpoints', () => {
  it('report that the service is live, and ready while it accepts sessions', async () => {
    assert.equal((await service.app.inject('/livez')).statusCode, 200);
    assert.equal((await service.app.inject('/readyz')).statusCode, 200);
    // Pages use this to check that they reach the host.
    const reached = await service.app.inject('/ok');
    assert.deepEqual([reached.statusCode, reached.json()], [200, { status: 'ok' }]);
    assert.equal(reached.headers['access-control-allow-origin'], '*');
    await service.sessions.close();
    assert.equal((await service.app.inject('/livez')).statusCode, 200);
    const response = await service.app.inject('/readyz');
    assert.deepEqual(codeOf(response), [503, 'err_unavailable']);
  });
});
