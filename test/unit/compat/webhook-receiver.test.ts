import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openService, type OpenService } from '../../fakes/open-service.js';
import { API_KEY } from '../../fakes/test-service.js';
import { WebhookReceiver, type Received } from '../../fakes/webhook-receiver.js';

const SECRET = 'a secret of the site';
let service: OpenService;
let receiver: WebhookReceiver;
/** Rooms of the site by session id. Any event closes a room, as in public receivers. */
let rooms: Set<string>;
/** Statuses for the next events; 200 when the list is empty. */
let answers: number[];
beforeEach(async () => {
  service = await openService();
  receiver = await WebhookReceiver.open();
  [rooms, answers] = [new Set(), []];
  receiver.answer = (response, request) => {
    const body = JSON.parse(request.body) as Record<string, unknown>;
    const trusted = request.headers.authorization === `Bearer ${SECRET}`;
    if ('user_id' in body) {
      response.writeHead(trusted ? 200 : 403, { 'content-type': 'application/json' });
      response.end(JSON.stringify(admission(request, body)));
      return;
    }
    const status = trusted ? (answers.shift() ?? 200) : 403;
    if (status === 200) rooms.delete(String(body['session_id']));
    response.writeHead(status).end();
  };
});
afterEach(async () => {
  await receiver.close();
  await service.close();
});

/** The site identifies people by the user data of its page, and has banned one address. */
function admission({ headers }: Received, { userdata }: Record<string, unknown>) {
  const { name } = Object(userdata) as { name?: string };
  const banned = headers['hb-connecting-ip'] === '192.0.2.66';
  if (!name || banned) return { authorized: false };
  return { authorized: true, permissions: { priority: name === 'Ann' ? 1 : 0 } };
}

async function start(parameters: object): Promise<string> {
  const headers = { authorization: `Bearer ${API_KEY}` };
  const body = JSON.stringify(parameters);
  const response = await fetch(`${service.url}/v0/vm`, { method: 'POST', headers, body });
  const { session_id: id } = (await response.json()) as { session_id: string };
  rooms.add(id);
  return id;
}

describe('an endpoint that authorizes viewers', () => {
  // Proves: auth.value; answer user_id, userdata to the endpoint that decides; answer HB-User-Agent
  // Proves: answer HB-Connection-IP; answer HB-Connecting-IP
  it("receives its secret, the viewer's address and the user data of the page", async () => {
    await start({ auth: { type: 'webhook', value: { url: receiver.url, bearer: SECRET } } });
    const { listener } = service.pool.last;
    const person = { request: 1, userId: 'u', ip: '192.0.2.1', userAgent: 'Test/1' };
    const come = (userdata: unknown, ip = person.ip) =>
      listener.onAuthorize({ ...person, ip, userdata: userdata as never });
    assert.deepEqual(await come({ name: 'Ann' }), { granted: true, permissions: { priority: 1 } });
    assert.equal((await come({ name: 'Ann' }, '192.0.2.66')).granted, false);
    assert.equal((await come({})).granted, false);
    const [asked] = receiver.received;
    assert.deepEqual(JSON.parse(asked?.body ?? ''), { user_id: 'u', userdata: { name: 'Ann' } });
    assert.equal(asked?.headers['hb-user-agent'], 'Test/1');
  });
});

describe('an endpoint that closes its room at any event', () => {
  const webhook = () => ({ url: receiver.url, bearer: SECRET });

  // Proves: timeout.webhook; answer session_id, type of a timeout event
  it('receives only the end event, with its reason', async () => {
    const id = await start({ timeout: { absolute: 100, warning: 60, webhook: webhook() } });
    service.clock.advance(99_000);
    assert.ok(rooms.has(id));
    assert.equal(await service.attemptAfter(1), 'delivered');
    assert.deepEqual([...rooms], []);
    assert.deepEqual(
      receiver.received.map(({ body }) => JSON.parse(body) as unknown),
      [{ session_id: id, type: 'absolute' }],
    );
    assert.equal(receiver.received[0]?.headers['content-type'], 'application/json');
  });

  // Proves: timeout.webhook
  it('receives the event again with the same key after it was down', async () => {
    answers = [503];
    const id = await start({ timeout: { offline: 10, webhook: webhook() } });
    assert.equal(await service.attemptAfter(10), 'failed');
    assert.ok(rooms.has(id));
    assert.equal(await service.attemptAfter(1), 'delivered');
    assert.deepEqual([...rooms], []);
    const keys = receiver.received.map(({ headers }) => headers['idempotency-key']);
    assert.equal(new Set(keys).size, 1);
  });

  it('needs no bearer token', async () => {
    const { url } = webhook();
    await start({ timeout: { inactive: 10, webhook: { url, bearer: null } } });
    assert.equal(await service.attemptAfter(10), 'failed');
    assert.equal(receiver.received[0]?.headers.authorization, undefined);
  });
});
