import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { HostCallError } from '../../../../server/src/sessions/host-call-error.js';
import type { FileAnswer } from '../../../../server/src/sessions/ports.js';
import { ApiCaller, codeOf, type Access } from '../../../fakes/api-caller.js';
import { API_KEY, createTestService, PUBLIC_URL, type TestService } from '../../../fakes/test-service.js';

const TICKET = 'T'.repeat(43);
let service: TestService;
let session: Access;
beforeEach(async () => {
  service = await createTestService();
  session = await new ApiCaller(service).begin({ automation: true });
  service.pool.last.perform = (method) => (method === 'computer.ticket' ? TICKET : null);
});
afterEach(() => service.close());

const send = (method: 'GET' | 'DELETE', id: string, { embed_url: url, admin_token: token } = session) =>
  service.app.inject({
    ...{ method, url: `${new URL(url).pathname}/downloads/${id}` },
    headers: { authorization: `Bearer ${token}` },
  });
const answers = (answer: Omit<FileAnswer, 'body'>, body: string) => {
  service.pool.last.answerFile = () => ({ ...answer, body: Readable.from([Buffer.from(body)]) });
};

describe('a download for a program', () => {
  it('has a generic type and a name, so that no browser shows it as a page of the service', async () => {
    answers({ status: 200, length: 6, name: '%C3%BC.html' }, '<html>');
    const { statusCode, headers, body } = await send('GET', 'one');
    assert.deepEqual([statusCode, body], [200, '<html>']);
    assert.equal(headers['content-type'], 'application/octet-stream');
    assert.equal(headers['content-disposition'], "attachment; filename*=UTF-8''%C3%BC.html");
    assert.equal(headers['content-length'], '6');
    assert.equal(headers['cache-control'], 'no-store');
    assert.match(String(headers['content-security-policy']), /^sandbox/);
    const { calls, files } = service.pool.last;
    assert.deepEqual(calls, [{ method: 'computer.ticket', args: [{ id: 'one' }] }]);
    assert.deepEqual(files, [{ method: 'GET', ticket: TICKET, offset: 0 }]);
  });

  it('is refused with the code of the session', async () => {
    service.pool.last.perform = () => {
      throw new HostCallError('err_download_gone', 'There is no such download, or it was removed.');
    };
    for (const method of ['GET', 'DELETE'] as const)
      assert.deepEqual(codeOf(await send(method, 'one')), [404, 'err_download_gone']);
    assert.equal(service.pool.last.files.length, 0);
  });

  it('is refused with the code of the transfer', async () => {
    const refusal = JSON.stringify({ code: 'err_forbidden', message: 'You may not fetch files any more.' });
    answers({ status: 403 }, refusal);
    assert.deepEqual(codeOf(await send('GET', 'one')), [403, 'err_forbidden']);
  });

  it('does not come if the session does not answer in time', async () => {
    service.pool.last.perform = () => {
      throw new HostCallError('err_call_timeout', 'The session did not answer computer.ticket in time.');
    };
    assert.deepEqual(codeOf(await send('GET', 'one')), [504, 'err_call_timeout']);
  });

  it('needs a session with automation, and a credential', async () => {
    const other = await new ApiCaller(service).begin();
    assert.deepEqual(codeOf(await send('GET', 'one', other)), [409, 'err_no_automation']);
    const wrong = { ...session, admin_token: 'wrong' };
    assert.deepEqual(codeOf(await send('GET', 'one', wrong)), [401, 'err_unauthenticated']);
  });

  it('is refused for pages whose origin is not listed', async () => {
    await service.close();
    service = await createTestService({ origins: ['https://shop.example'] });
    session = await new ApiCaller(service).begin({ automation: true });
    service.pool.last.perform = (method) => (method === 'computer.ticket' ? TICKET : null);
    answers({ status: 200 }, 'abc');
    const { pathname } = new URL(session.embed_url);
    const statusFor = async (path: string, origin?: string) => {
      const headers = { authorization: `Bearer ${session.admin_token}`, ...(origin && { origin }) };
      return (await service.app.inject({ url: `${pathname}/${path}`, headers })).statusCode;
    };
    for (const path of ['downloads/one', 'screenshot', 'handoffs/one'])
      assert.equal(await statusFor(path, 'https://elsewhere.example'), 403, path);
    for (const origin of [undefined, 'https://shop.example', PUBLIC_URL])
      assert.equal(await statusFor('downloads/one', origin), 200, origin);
  });

  it('is refused for a while after too many requests with one credential', async () => {
    answers({ status: 404 }, '{}');
    const count = async (token = session.admin_token) => {
      const statuses: number[] = [];
      for (let sent = 0; sent < 205; sent++)
        statuses.push((await send('GET', 'one', { ...session, admin_token: token })).statusCode);
      return statuses.filter((status) => status === 429).length;
    };
    assert.equal(await count(), 5);
    assert.deepEqual(codeOf(await send('GET', 'one')), [429, 'err_too_many_requests']);
    assert.equal(await count(API_KEY), 5, 'another credential is counted separately');
    service.clock.advance(1_000);
    assert.equal((await send('GET', 'one')).statusCode, 404);
  });

  it('is removed', async () => {
    const response = await send('DELETE', 'one');
    assert.deepEqual([response.statusCode, response.json()], [200, { id: 'one' }]);
    assert.deepEqual(service.pool.last.calls, [{ method: 'computer.remove', args: [{ id: 'one' }] }]);
  });
});
