import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { HandoffRequest, HandoffState } from 'cloud-browser/protocol';
import { HostCallError } from '../../../server/src/sessions/host-call-error.js';
import { CloudBrowserApi } from '../../../src/api/index.js';
import { FakeRecordedSession, RECORD_ALL, recordingRoot, recordingsIn } from '../../fakes/recording-parts.js';
import { API_KEY, createTestService, type TestService } from '../../fakes/test-service.js';

const STATE: HandoffState = {
  ...{ id: 'h/1', name: 'Helper', agent: null, instructions: 'Log in.' },
  requestedAt: '2030-01-01T00:00:00.000Z',
  expiresAt: '2030-01-01T00:10:00.000Z',
  ...{ outcome: 'done', note: 'Ready.', answeredBy: 'ada' },
};
const { requestedAt, expiresAt, answeredBy, ...rest } = STATE;
const VIEW = { ...rest, requested_at: requestedAt, expires_at: expiresAt, answered_by: answeredBy };

let root: string;
let recordings: Awaited<ReturnType<typeof recordingsIn>>['recordings'];
let service: TestService;
let api: CloudBrowserApi;
let session: ReturnType<CloudBrowserApi['session']>;
beforeEach(async () => {
  root = await recordingRoot();
  ({ recordings } = await recordingsIn(root));
  service = await createTestService({ recordings });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  const baseUrl = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  api = new CloudBrowserApi({ baseUrl, apiKey: API_KEY });
  const access = await api.createSession({ automation: true });
  // The embed URL of a test service names a host that is not there.
  session = api.session({ ...access, embed_url: baseUrl + new URL(access.embed_url).pathname });
});
afterEach(async () => {
  await service.close();
  await rm(root, { recursive: true });
});

/** Answers the calls of the session, by their methods. */
function answer(answers: Record<string, unknown>): void {
  service.pool.last.perform = (method) => answers[method] ?? null;
}
const calls = () => service.pool.last.calls;

describe('the client for programs', () => {
  // Proves: cloud-browser/api
  it('uses the browser', async () => {
    answer({ 'computer.click': { done: true }, 'computer.files': { files: [] } });
    assert.deepEqual(await session.computer('click', { ref: 'e1', count: 2 }), { done: true });
    assert.deepEqual(await session.computer('files'), { files: [] });
    assert.deepEqual(calls(), [
      { method: 'computer.click', args: [{ ref: 'e1', count: 2 }] },
      { method: 'computer.files', args: [{}] },
    ]);
  });

  it('takes pictures', async () => {
    answer({ screenshot: { format: 'jpeg', data: Buffer.from('picture').toString('base64') } });
    const region = { x: 1, y: 2, width: 3, height: 4 };
    const picture = await session.screenshot({ format: 'jpeg', scale: 0.5, cursor: true, region });
    assert.equal(Buffer.from(picture).toString(), 'picture');
    const options = { format: 'jpeg', scale: 0.5, cursor: true, region };
    assert.deepEqual(calls(), [{ method: 'screenshot', args: [options] }]);
  });

  it('fetches, sends and removes files', async () => {
    answer({ 'computer.ticket': 't', 'computer.stage': { id: 'u1', tickets: ['t'] } });
    let sent = '';
    service.pool.last.answerFile = async ({ body }) => {
      if (body) sent = (await buffer(body)).toString('hex');
      return { status: 200, body: Readable.from([Buffer.from([0, 255])]) };
    };
    assert.deepEqual(await session.download('d/1'), new Uint8Array([0, 255]));
    assert.deepEqual(await session.removeDownload('d/1'), { id: 'd/1' });
    const upload = await session.upload('ü.bin', new Uint8Array([1, 254]));
    assert.deepEqual([upload, sent], [{ id: 'u1', name: 'ü.bin', size: 2 }, '01fe']);
    assert.deepEqual(await session.removeUpload('u1'), { id: 'u1' });
    assert.deepEqual(
      calls().map(({ method, args }) => [method, args[0]]),
      [
        ['computer.ticket', { id: 'd/1' }],
        ['computer.remove', { id: 'd/1' }],
        ['computer.stage', { name: 'ü.bin', size: 2 }],
        ['computer.keep', { id: 'u1' }],
        ['computer.discard', { id: 'u1' }],
      ],
    );
  });

  it('asks for a person, waits, and withdraws', async () => {
    answer({ 'handoffs.request': STATE, 'handoffs.get': STATE, 'handoffs.withdraw': STATE });
    assert.deepEqual(await session.requestHandoff({ instructions: 'Log in.', timeout: 60 }), VIEW);
    assert.deepEqual(await session.handoff('h/1', 25), VIEW);
    assert.deepEqual(await session.handoffs(), []);
    service.pool.last.listener.onHandoff({ ...STATE, outcome: null });
    assert.deepEqual(await session.handoffs(), [{ ...VIEW, outcome: null }]);
    assert.deepEqual(await session.withdrawHandoff('h/1'), VIEW);
    assert.deepEqual(
      calls().map(({ method, args }) => [method, args[0]]),
      [
        ['handoffs.request', { instructions: 'Log in.', timeout: 60 }],
        ['handoffs.get', 'h/1'],
        ['handoffs.withdraw', 'h/1'],
      ],
    );
  });

  it('rejects with the code of the session', async () => {
    service.pool.last.perform = () => {
      throw new HostCallError('err_download_gone', 'There is no such download.');
    };
    await assert.rejects(session.download('d1'), { code: 'err_download_gone', status: 404 });
  });

  it('accepts ids and names with half a surrogate pair', async () => {
    answer({ 'computer.stage': { id: 'u1', tickets: ['t'] } });
    service.pool.last.answerFile = () => Promise.resolve({ status: 200, body: Readable.from([]) });
    const { name } = await session.upload('a\ud800.txt', new Uint8Array([1]));
    assert.equal(name, 'a\ufffd.txt');
    await assert.rejects(api.getSession('\ud800'), { status: 404 });
    await assert.rejects(api.recordings.get('\ud800'), { status: 404 });
  });

  it('rejects, and does not throw, if a body cannot become JSON', async () => {
    const request: HandoffRequest & { itself?: unknown } = { instructions: 'Log in.' };
    request.itself = request;
    const rejected = session.requestHandoff(request);
    await assert.rejects(rejected, TypeError);
  });

  it('rejects if the service does not answer', async () => {
    const silent = (_url: string, { signal }: { signal?: unknown }) =>
      new Promise<never>((_resolve, reject) => {
        if (signal instanceof AbortSignal) signal.addEventListener('abort', () => reject(new Error('late')));
      });
    const slow = new CloudBrowserApi({ baseUrl: 'http://x', apiKey: 'k', fetch: silent, timeLimit: 1 });
    const waiting = { code: 'err_unreachable', status: 0 };
    await assert.rejects(slow.session({ embed_url: 'http://x/a', admin_token: 't' }).download('d'), waiting);
    await assert.rejects(slow.recordings.list(), waiting);
  });

  it('needs arrayBuffer of the given fetch only for bytes', async () => {
    const fetch = async () => ({
      ...{ ok: true, status: 200, headers: { get: () => null }, text: async () => '{"done":true}' },
    });
    const other = new CloudBrowserApi({ baseUrl: 'http://x', apiKey: 'k', fetch });
    const there = other.session({ embed_url: 'http://x/a', admin_token: 't' });
    assert.deepEqual(await there.computer('wait'), { done: true });
    await assert.rejects(there.screenshot(), /no arrayBuffer/);
  });
});

describe('the client for recordings', () => {
  it('starts, marks and stops a recording of a session', async () => {
    const { id, state } = await session.startRecording({ fps: 10, audio: false });
    assert.equal(state, 'recording');
    const { order } = service.pool.last.recordings[0] ?? assert.fail();
    assert.deepEqual([order.fps, order.audio], [10, false]);
    assert.deepEqual(await session.markRecording(id, 'Payment'), { status: 'ok' });
    assert.deepEqual(
      service.pool.last.markers.map(({ name }) => name),
      ['Payment'],
    );
    await assert.rejects(session.stopRecording('none'), { status: 404 });
    const { last } = service.pool;
    last.endRecording = () => last.recordings[0]?.sink.closed('interrupted');
    assert.equal((await session.stopRecording(id)).id, id);
  });

  it('lists, reads, shares and deletes recordings', async () => {
    const ids: string[] = [];
    for (const name of ['one', 'two']) {
      const recorded = new FakeRecordedSession(name);
      const record = await recordings.start(recorded, RECORD_ALL);
      await recorded.init();
      await recorded.fragment(0, 100, true);
      await recorded.event({ t: 1, type: 'marker', name: 'Here' });
      await recordings.stop(name, record.id);
      ids.push(record.id);
    }
    const [id = ''] = ids;
    const { results, next } = await api.recordings.list({ session: 'one' });
    assert.deepEqual([results.map((each) => each.id), next], [[id], null]);
    const all: string[] = [];
    for await (const recording of api.recordings.all()) all.push(recording.id);
    assert.deepEqual(all.sort(), ids.sort());
    assert.deepEqual(await api.recordings.get(id), results[0]);
    assert.match(Buffer.from(await api.recordings.file(id, 'events')).toString(), /"Here"/);
    const { token, video_url: url, ...issued } = await api.recordings.issueToken(id, 60);
    assert.equal(new URL(url).searchParams.get('token'), token);
    const [listed] = await api.recordings.tokens(id);
    assert.equal(listed?.token_id, issued.token_id);
    assert.deepEqual(await api.recordings.revokeToken(id, issued.token_id), { token_id: issued.token_id });
    assert.deepEqual(await api.recordings.tokens(id), []);
    assert.deepEqual(await api.recordings.delete(id), { id });
    await assert.rejects(api.recordings.get(id), { code: 'err_not_found', status: 404 });
  });
});
