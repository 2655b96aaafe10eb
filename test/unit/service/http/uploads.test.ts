import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { HostCallError } from '../../../../server/src/sessions/host-call-error.js';
import { ApiCaller, codeOf, type Access } from '../../../fakes/api-caller.js';
import { sendLongBody } from '../../../fakes/long-body.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

const TICKET = 'T'.repeat(43);
let service: TestService;
let session: Access;
let refused: string | undefined;
beforeEach(async () => {
  service = await createTestService();
  session = await new ApiCaller(service).begin({ automation: true });
  refused = undefined;
  service.pool.last.perform = (method) => {
    if (method === refused) throw new HostCallError('err_file_quota', 'The session has no room.');
    return method === 'computer.stage' ? { id: 'one', tickets: [TICKET] } : null;
  };
});
afterEach(() => service.close());

const send = (
  query: string,
  headers: Record<string, string> = {},
  { embed_url: url, admin_token: token } = session,
) =>
  service.app.inject({
    ...{ method: 'POST', url: `${new URL(url).pathname}/uploads${query}`, payload: Buffer.from('{ no') },
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
const methods = () => service.pool.last.calls.map(({ method }) => method);

describe('a file that a program sends', () => {
  it('is forwarded unparsed, with any type, and kept', async () => {
    let seen = '';
    service.pool.last.answerFile = async ({ ticket, body }) => {
      seen = `${ticket} ${body ? await text(body) : ''}`;
      return { status: 200, body: Readable.from([Buffer.from('{"received":4}')]) };
    };
    for (const headers of [{}, { 'content-type': 'application/json' }]) {
      const answer = await send('?name=b%C3%BCro.txt', headers);
      assert.deepEqual([answer.statusCode, answer.json()], [200, { id: 'one', name: 'büro.txt', size: 4 }]);
      assert.equal(seen, `${TICKET} { no`);
    }
    assert.deepEqual(service.pool.last.calls.slice(0, 2), [
      { method: 'computer.stage', args: [{ name: 'büro.txt', size: 4 }] },
      { method: 'computer.keep', args: [{ id: 'one' }] },
    ]);
  });

  it('needs a name, a length, a credential, and a session with automation', async () => {
    assert.deepEqual(codeOf(await send('')), [400, 'err_invalid_parameter']);
    const chunked = { 'content-length': 'x', 'transfer-encoding': 'chunked' };
    assert.deepEqual(codeOf(await send('?name=a', chunked)), [400, 'err_invalid_parameter']);
    const wrong = { ...session, admin_token: 'wrong' };
    assert.deepEqual(codeOf(await send('?name=a', {}, wrong)), [401, 'err_unauthenticated']);
    const other = await new ApiCaller(service).begin();
    assert.deepEqual(codeOf(await send('?name=a', {}, other)), [409, 'err_no_automation']);
    assert.deepEqual(service.pool.hosts[0]?.calls, []);
  });

  it('is refused before its bytes are read if there is no room', async () => {
    refused = 'computer.stage';
    assert.deepEqual(codeOf(await send('?name=a')), [507, 'err_file_quota']);
    assert.equal(service.pool.last.files.length, 0);
  });

  it('is not read to its end if it is refused, and its connection is closed', async () => {
    refused = 'computer.stage';
    const size = 100_000_000;
    const { port } = new URL(await service.app.listen({ host: '127.0.0.1', port: 0 }));
    const path = `${new URL(session.embed_url).pathname}/uploads?name=a`;
    const head = `POST ${path} HTTP/1.1\r\nAuthorization: ${session.admin_token}`;
    const { answer, sent } = await sendLongBody(Number(port), head, size);
    assert.match(answer, /^HTTP\/1\.1 507 /);
    assert.match(answer, /connection: close/i);
    assert.ok(sent < size / 5, `${sent} bytes were taken`);
  });

  it('is removed if its bytes do not arrive, or cannot be kept', async () => {
    const refusal = JSON.stringify({ code: 'err_forbidden', message: 'You may not send files any more.' });
    service.pool.last.answerFile = () => ({ status: 403, body: Readable.from([Buffer.from(refusal)]) });
    assert.deepEqual(codeOf(await send('?name=a')), [403, 'err_forbidden']);
    assert.deepEqual(methods(), ['computer.stage', 'computer.discard']);
    service.pool.last.answerFile = () => {
      throw new HostCallError('err_session_terminated', 'The transfer was cancelled.');
    };
    assert.equal((await send('?name=a')).statusCode, 400);
    assert.equal(methods().at(-1), 'computer.discard');
    service.pool.last.answerFile = () => ({ status: 200, body: Readable.from([]) });
    refused = 'computer.keep';
    assert.deepEqual(codeOf(await send('?name=a')), [507, 'err_file_quota']);
    assert.deepEqual(methods().slice(-3), ['computer.stage', 'computer.keep', 'computer.discard']);
  });

  it('is removed on request', async () => {
    const answer = await service.app.inject({
      ...{ method: 'DELETE', url: `${new URL(session.embed_url).pathname}/uploads/one` },
      headers: { authorization: `Bearer ${session.admin_token}` },
    });
    assert.deepEqual([answer.statusCode, answer.json()], [200, { id: 'one' }]);
    assert.deepEqual(methods(), ['computer.discard']);
  });
});
