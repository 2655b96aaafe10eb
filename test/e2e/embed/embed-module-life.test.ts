import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AnsweringServer } from '../support/answering-server.js';
import { Embedder } from '../support/embedder.js';
import { Relay } from '../support/relay.js';
import { Service, type Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const CORS = { 'access-control-allow-origin': '*' };
/** The client's `timeout`: it waits this long for its first attempt, and half as long for its second. */
const CONNECT_TIMEOUT_MS = 3_000;

let service: Service;
let session: Session;
let embedder: Embedder;
test.beforeAll(async ({ pages }) => {
  service = await Service.start();
  session = await service.create({ start_url: pages.page('typing').url, width: 640, height: 480 });
});
test.beforeEach(async ({ browser }) => {
  embedder = await Embedder.open(browser);
});

/** A proxy in front of the service that gives these answers, one for each attempt of a client. */
async function front(...answers: ((response: ServerResponse) => void)[]): Promise<AnsweringServer> {
  let attempt = 0;
  return AnsweringServer.start((_request, response) => answers[attempt++]?.(response));
}
async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

const fail = (response: ServerResponse) => void response.writeHead(504, CORS).end();
const redirect = (response: ServerResponse) =>
  void response.writeHead(307, { ...CORS, location: session.embed_url }).end();
const wait = () => undefined;

test.describe('loading with the public client', () => {
  test('tries again after a 504, and follows a redirect to the session', async () => {
    const { url, requests } = await front(fail, redirect);
    const started = await embedder.start('one', `${url}/s`);
    assert.equal(started.width, 640);
    assert.equal(requests.length, 2);
  });

  // Proves: option timeout
  test('tries again when no answer comes, and times out the second time', { tag: '@timing' }, async () => {
    const { url } = await front(wait, redirect);
    const started = await embedder.start('one', `${url}/s`, { timeout: CONNECT_TIMEOUT_MS });
    assert.equal(started.width, 640);
    const silent = await front(wait, wait);
    const failed = await embedder.start('two', `${silent.url}/s`, { timeout: 500 });
    assert.equal(failed.error, 'TimedOutError');
  });

  // Proves: status 400 of the address of a session that has ended; client SessionTerminatedError
  test('reports that a session has ended, or does not accept this address', async () => {
    const ended = await service.create({ start_url: 'about:blank' });
    await service.end(ended);
    const failed = await embedder.start('one', ended.embed_url);
    assert.equal(failed.error, 'SessionTerminatedError');
    const stranger = await embedder.start('two', session.embed_url.replace(/token=.*/, 'token=x'));
    assert.equal(stranger.error, 'SessionTerminatedError');
  });
});

// The client in an element is in the watch party of test/compat.
test('user data is sent by the client in an iframe before the service asks who may watch', async () => {
  const asked: unknown[] = [];
  const endpoint = await AnsweringServer.start((request, response) => {
    void textOf(request).then((text) => {
      const { userdata } = JSON.parse(text) as { userdata: { ticket?: number } };
      asked.push(userdata);
      response.end(JSON.stringify({ authorized: userdata.ticket === 7 }));
    });
  });
  const auth = { type: 'webhook', value: { url: endpoint.url, bearer: 'secret' } };
  const asking = await service.create({ start_url: 'about:blank', auth });
  const options = { version: '37', place: 'iframe', webhookUserdata: { ticket: 7 } };
  const started = await embedder.start('one', asking.embed_url, options);
  assert.equal(started.error, undefined, started.message);
  // A lost connection is restored with another request to the endpoint.
  assert.ok(asked.length > 0);
  for (const each of asked) assert.deepEqual(each, { ticket: 7 });
  await service.end(asking);
});

// Proves: option onConnectionStateChange; client reconnect
test('a connection of the public client comes back as the same user after a network failure and after a reconnect call', async () => {
  const relay = await Relay.start(service.url);
  const { userId } = await embedder.start('one', relay.through(session.embed_url));
  const states = async () =>
    (await embedder.told('one', 'connection_state')).map(({ state }) => state).join(' ');
  relay.cut();
  const comeBack = 'connecting playing reconnecting playing';
  await until('it plays again', async () => (await states()) === comeBack);
  await embedder.call('one', 'reconnect');
  await until('it plays once more', async () => (await states()) === `${comeBack} reconnecting playing`);
  assert.equal(await embedder.get('one', 'userId'), userId);
  assert.deepEqual(await embedder.told('one', 'disconnect'), []);
});
