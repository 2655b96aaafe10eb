import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { END_ANSWER_MS } from '../../../../server/src/http/routes/sessions.js';
import { ENDING_WAIT_MS } from '../../../../server/src/sessions/creation/session-creation.js';
import { ApiCaller } from '../../../fakes/api-caller.js';
import { API_KEY, createTestService, type TestService } from '../../../fakes/test-service.js';

let service: TestService;
beforeEach(async () => (service = await createTestService()));
afterEach(() => service.close());

describe('a request to end a session whose profile takes long to save', () => {
  it('returns its state after a while, and success when it is done', async () => {
    service.pool.showsAtOnce = true;
    const api = new ApiCaller(service);
    const { session_id: id } = await api.begin({ profile: true });
    let saved: () => void = () => undefined;
    const saving = new Promise<void>((resolve) => (saved = resolve));
    service.profiles.save = () => saving;
    const stateOf = async () => (await api.send('GET', `/v0/vm/${id}`)).json<{ state: string }>().state;

    const slow = async () => {
      const answer = api.send('DELETE', `/v0/vm/${id}`);
      for (let turns = 0; turns < 20; turns++) await turn();
      service.clock.advance(END_ANSWER_MS);
      return answer;
    };
    for (let time = 0; time < 2; time++) {
      const answer = await slow();
      assert.equal(answer.statusCode, 202);
      assert.deepEqual(answer.json(), { session_id: id, state: 'ending' });
      assert.equal(await stateOf(), 'ending');
    }
    const last = api.send('DELETE', `/v0/vm/${id}`);
    saved();
    const answer = await last;
    assert.deepEqual([answer.statusCode, answer.json()], [200, { session_id: id }]);
    assert.equal(await stateOf(), 'ended');
  });
});

describe('a create with the tag of a session whose profile takes long to save', () => {
  it('is refused after a while, and starts a session when the end is done', async () => {
    const api = new ApiCaller(service);
    const create = { profile: true, tag: 'a' };
    const { session_id: id } = await api.begin(create);
    let saved: () => void = () => undefined;
    const saving = new Promise<void>((resolve) => (saved = resolve));
    service.profiles.save = () => saving;
    const ending = api.send('DELETE', `/v0/vm/${id}`);
    let wasRefused = false;
    const refused = api.create(create).then((answer) => {
      wasRefused = true;
      return answer;
    });
    for (let turns = 0; turns < 20; turns++) await turn();
    service.clock.advance(ENDING_WAIT_MS);
    for (let turns = 0; turns < 20; turns++) await turn();
    const inTime = wasRefused;
    const next = api.create(create);
    for (let turns = 0; turns < 20; turns++) await turn();
    saved();
    assert.ok(inTime);
    const { statusCode, headers, body } = await refused;
    assert.deepEqual([statusCode, headers['retry-after']], [503, '5']);
    assert.deepEqual(JSON.parse(body), {
      code: 'err_tag_busy',
      message: 'The session with this tag is still ending. Try again in 5 seconds.',
    });
    await ending;
    const started = await next;
    assert.equal(started.statusCode, 200);
    assert.notEqual(started.json<{ session_id: string }>().session_id, id);
  });
});

describe('a create with the tag of a session that is ending, and whose client closes its connection', () => {
  it('starts no session when the end is done', async () => {
    const api = new ApiCaller(service);
    const create = { profile: true, tag: 'a' };
    const { session_id: id } = await api.begin(create);
    await service.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = service.app.server.address() as AddressInfo;
    let saved: () => void = () => undefined;
    const saving = new Promise<void>((resolve) => (saved = resolve));
    service.profiles.save = () => saving;
    const ending = api.send('DELETE', `/v0/vm/${id}`);
    const received = once(service.app.server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    const outgoing = request({
      ...{ host: '127.0.0.1', port, method: 'POST', path: '/v0/vm' },
      headers: { authorization: `Bearer ${API_KEY}` },
    });
    outgoing.on('error', () => undefined);
    outgoing.end(JSON.stringify(create));
    const [, response] = await received;
    for (let turns = 0; turns < 20; turns++) await turn();
    const left = once(response, 'close');
    outgoing.destroy();
    await left;
    saved();
    await ending;
    for (let turns = 0; turns < 20; turns++) await turn();
    assert.equal(service.pool.hosts.length, 1);
    assert.notEqual((await api.begin(create)).session_id, id);
  });
});

describe('a create whose session ends while it starts, and whose profile takes long to save', () => {
  it('is refused after a while, like later creates with its tag, and keeps its place until the end', async () => {
    const api = new ApiCaller(service);
    const create = { profile: true, tag: 'a' };
    let open: () => void = () => undefined;
    service.pool.gate = new Promise((resolve) => (open = resolve));
    let saved: () => void = () => undefined;
    const saving = new Promise<void>((resolve) => (saved = resolve));
    service.profiles.save = () => saving;
    const codes: string[] = [];
    const messages: string[] = [];
    const refusalOf = async () => {
      const { code, message } = (await api.create(create)).json<{ code: string; message: string }>();
      codes.push(code);
      messages.push(message);
    };
    const first = refusalOf();
    for (let turns = 0; turns < 20; turns++) await turn();
    const [id = ''] = service.sessions.held.keys();
    const ending = service.sessions.end(id, 'request');
    const second = refusalOf();
    open();
    for (let turns = 0; turns < 20; turns++) await turn();
    assert.deepEqual(codes, []);
    service.clock.advance(ENDING_WAIT_MS);
    for (let turns = 0; turns < 20; turns++) await turn();
    const inTime = codes.toSorted();
    const held = [...service.sessions.held.keys()];
    saved();
    await Promise.all([ending, first, second]);
    assert.deepEqual(inTime, ['err_session_terminated', 'err_tag_busy']);
    // The record has no reason yet.
    assert.match(messages.join(), /a request ended it while it started/);
    assert.deepEqual(held, [id]);
    assert.notEqual((await api.begin(create)).session_id, id);
    assert.equal(service.registry.records.get(id)?.ended?.reason, 'request');
  });
});

describe('a create whose session cannot be recorded, and whose profile takes long to save', () => {
  it('is refused after a while, and keeps its place until the end', async () => {
    const api = new ApiCaller(service);
    let saved: () => void = () => undefined;
    const saving = new Promise<void>((resolve) => (saved = resolve));
    service.profiles.save = () => saving;
    service.registry.failure = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const codes: string[] = [];
    const refused = api.create({ profile: true, tag: 'a' }).then((answer) => {
      codes.push(answer.json<{ code: string }>().code);
    });
    for (let turns = 0; turns < 20; turns++) await turn();
    assert.deepEqual(codes, []);
    const [id = ''] = service.sessions.held.keys();
    service.clock.advance(ENDING_WAIT_MS);
    for (let turns = 0; turns < 20; turns++) await turn();
    const inTime = [...codes];
    const held = [...service.sessions.held.keys()];
    service.registry.failure = undefined;
    saved();
    await refused;
    for (let turns = 0; turns < 20; turns++) await turn();
    assert.deepEqual([inTime, held], [['err_storage'], [id]]);
    assert.equal(service.sessions.held.size, 0);
    assert.notEqual((await api.begin({ tag: 'a' })).session_id, id);
  });
});
