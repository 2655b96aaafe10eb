import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { FileAnswer } from '../../../../server/src/sessions/ports.js';
import { ApiCaller, codeOf } from '../../../fakes/api-caller.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

const TICKET = 'T'.repeat(43);
let service: TestService;
let path: string;
beforeEach(async () => {
  service = await createTestService({ origins: ['https://shop.example'] });
  path = new URL((await new ApiCaller(service).begin()).embed_url).pathname;
});
afterEach(() => service.close());

const answers = (answer: Omit<FileAnswer, 'body'>, body: string | object) => {
  const bytes = typeof body === 'string' ? body : JSON.stringify(body);
  service.pool.last.answerFile = () => ({ ...answer, body: Readable.from([Buffer.from(bytes)]) });
};

describe('the bytes of a file', () => {
  it('are downloaded with a generic type, so that no browser shows them as a page of the service', async () => {
    answers({ status: 200, length: 6, name: "%C3%BC'.html" }, '<html>');
    const { statusCode, headers, body } = await service.app.inject(`${path}/files/${TICKET}`);
    assert.deepEqual([statusCode, body], [200, '<html>']);
    assert.equal(headers['content-type'], 'application/octet-stream');
    assert.equal(headers['content-disposition'], "attachment; filename*=UTF-8''%C3%BC%27.html");
    assert.equal(headers['content-length'], '6');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(String(headers['content-security-policy']), /^sandbox/);
    assert.deepEqual(service.pool.last.files, [{ method: 'GET', ticket: TICKET, offset: 0 }]);
  });

  it('cannot set a header', async () => {
    answers({ status: 200, name: 'a\r\nset-cookie: x' }, 'x');
    const { headers } = await service.app.inject(`${path}/files/${TICKET}`);
    assert.deepEqual([headers['content-disposition'], headers['set-cookie']], ['attachment', undefined]);
  });

  it('are uploaded unparsed, with any type and without one', async () => {
    let seen = '';
    service.pool.last.answerFile = async ({ offset, body }) => {
      seen = `${offset} ${body ? await text(body) : ''}`;
      return { status: 200, body: Readable.from([Buffer.from('{"received":9}')]) };
    };
    for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': 'image/png' }]) {
      const url = `${path}/files/${TICKET}?offset=7`;
      const answer = await service.app.inject({ method: 'POST', url, payload: Buffer.from('{ no'), headers });
      assert.deepEqual([answer.statusCode, answer.json(), seen], [200, { received: 9 }, '7 { no']);
    }
  });

  it("are refused with the host's message", async () => {
    answers({ status: 409 }, { code: 'err_upload_offset', message: 'Go on.', received: 3 });
    const answer = await service.app.inject({ method: 'POST', url: `${path}/files/${TICKET}`, payload: 'x' });
    assert.deepEqual([answer.statusCode, answer.json<{ received: number }>().received], [409, 3]);
  });

  it('are refused with the time to try again while too many are transferred', async () => {
    answers({ status: 429 }, { code: 'err_too_many_requests', message: 'Wait.' });
    for (const method of ['GET', 'POST'] as const) {
      const { statusCode, headers } = await service.app.inject({ method, url: `${path}/files/${TICKET}` });
      assert.deepEqual([statusCode, headers['retry-after']], [429, '2'], method);
    }
  });

  it('are available only with a ticket of the session', async () => {
    const other = await new ApiCaller(service).begin();
    const otherPath = new URL(other.embed_url).pathname;
    const unknown = path.replace(/.{4}$/, 'AAAA');
    for (const url of [
      `${path}/files/${TICKET}`,
      `${otherPath}/files/${TICKET}`,
      `${unknown}/files/${TICKET}`,
      `${path}/files/short`,
      `${path}/files/..%2f..%2fetc%2fpasswd`,
    ])
      for (const method of ['GET', 'POST'] as const) {
        const answer = await service.app.inject({ method, url });
        assert.deepEqual(codeOf(answer), [404, 'err_not_found'], url);
      }
    assert.equal(service.pool.hosts[0]?.files.length, 2);
  });

  it('cannot be requested by more than a hundred guesses', async () => {
    const guess = () => service.app.inject(`${path}/files/${TICKET}`);
    for (let time = 0; time < 100; time++) await guess();
    assert.equal((await guess()).statusCode, 429);
  });

  it('are not available to pages of origins that the operator has not listed', async () => {
    answers({ status: 200 }, 'x');
    const ask = (origin: string) =>
      service.app.inject({ url: `${path}/files/${TICKET}`, headers: { origin } });
    assert.equal((await ask('https://evil.example')).statusCode, 401);
    assert.equal((await ask('https://shop.example')).statusCode, 200);
  });

  it('start at an integer offset', async () => {
    for (const offset of ['-1', '1.5', 'x', '9'.repeat(20)]) {
      const url = `${path}/files/${TICKET}?offset=${offset}`;
      const answer = await service.app.inject({ method: 'POST', url, payload: 'x' });
      assert.deepEqual(codeOf(answer), [400, 'err_invalid_parameter']);
    }
  });
});
