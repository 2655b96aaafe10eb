import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { EgressRules, PUBLIC_ONLY } from '../../../../server/src/platform/network/egress-rules.js';
import { askWebhook } from '../../../../server/src/sessions/viewers/authorization.js';
import { GuardedClient } from '../../../../server/src/webhooks/guarded-client.js';
import { WebhookReceiver } from '../../../fakes/webhook-receiver.js';

const open = EgressRules.parse(['127.0.0.1']) ?? PUBLIC_ONLY;
let receiver: WebhookReceiver;
beforeEach(async () => (receiver = await WebhookReceiver.open()));
afterEach(() => receiver.close());

describe('the webhook client', () => {
  const post = (url: string, rules = open) =>
    new GuardedClient(rules, { timeLimit: 300 }).post({ url, bearer: 'b', body: { a: 'é' } });

  it('sends JSON by POST with the bearer token', async () => {
    receiver.answer = (response) => response.writeHead(202).end('yes');
    assert.deepEqual(await post(receiver.url), { status: 202, text: 'yes' });
    const [request] = receiver.received;
    assert.ok(request);
    assert.deepEqual([request.method, request.url, request.body], ['POST', '/hook', '{"a":"é"}']);
    assert.equal(request.headers.authorization, 'Bearer b');
    assert.equal(request.headers['content-type'], 'application/json');
  });

  it('refuses an endpoint that sends very many interim answers', async () => {
    receiver.answer = (response) => {
      response.socket?.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(20_000));
      response.end('yes');
    };
    const client = new GuardedClient(open, { timeLimit: 10_000 });
    await assert.rejects(client.post({ url: receiver.url, bearer: null, body: {} }), /interim answers/);
  });

  // Proves: webhooks follow no redirect and reach public addresses only
  it('does not connect to non-public addresses, however they are written', async () => {
    const { port } = receiver;
    const spellings = ['127.0.0.1', '2130706433', '0x7f.1', '127.1', '[::ffff:127.0.0.1]'];
    for (const host of [...spellings, '0.0.0.0', 'localhost'])
      await assert.rejects(post(`http://${host}:${port}/`, PUBLIC_ONLY), { code: 'err_webhook' }, host);
    assert.equal(receiver.received.length, 0);
  });

  it('knows without a lookup that it refuses an address of this machine', () => {
    const refuses = (host: string, rules = PUBLIC_ONLY) =>
      new GuardedClient(rules).refuses(`http://${host}:81/`);
    for (const host of ['127.0.0.1', 'localhost', 'localhost.', 'a.LOCALHOST', '[::1]', '192.168.0.1'])
      assert.equal(refuses(host), true, host);
    for (const host of ['93.184.216.34', 'intranet.example', 'nolocalhost'])
      assert.equal(refuses(host), false, host);
    assert.deepEqual([refuses('127.0.0.1', open), refuses('localhost', open)], [false, false]);
  });

  // A machine without IPv6 refuses IPv6 addresses in the same way.
  it('reports an error when the kernel refuses the address of the endpoint at once', async () => {
    const address = '255.255.255.255';
    const rules = EgressRules.parse([address]) ?? PUBLIC_ONLY;
    const client = new GuardedClient(rules, { resolve: () => Promise.resolve([{ address, family: 4 }]) });
    const asked = client.post({ url: 'http://broadcast.example/', bearer: null, body: {} });
    await assert.rejects(asked, { code: 'err_webhook' });
  });

  it('checks every address of a name, and connects to a checked one', async () => {
    const names: Record<string, string[]> = {
      'mixed.example': ['93.184.216.34', '127.0.0.1'],
      'private.example': ['127.0.0.1'],
      'none.example': [],
    };
    let looks = 0;
    const resolve = async (host: string) => {
      looks += 1;
      return (names[host] ?? []).map((address) => ({ address, family: 4 }));
    };
    const request = (host: string, rules: EgressRules) =>
      new GuardedClient(rules, { resolve }).post({
        ...{ url: `http://${host}:${receiver.port}/`, bearer: null, body: {} },
      });
    for (const host of Object.keys(names))
      await assert.rejects(request(host, PUBLIC_ONLY), { code: 'err_webhook' });
    assert.equal(receiver.received.length, 0);
    looks = 0;
    const rules = EgressRules.parse(['private.example']) ?? PUBLIC_ONLY;
    assert.equal((await request('private.example', rules)).status, 200);
    assert.equal(looks, 1);
    assert.equal(receiver.received[0]?.headers.host, `private.example:${receiver.port}`);
    assert.equal(receiver.received[0].headers.authorization, undefined);
  });

  it('does not connect to a public address of this machine, unless it is allowed', async () => {
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const own = () => new Set(['127.0.0.1', '93.184.216.34']);
    const request = (host: string, entries: string[]) =>
      new GuardedClient(EgressRules.parse(entries) ?? PUBLIC_ONLY, { resolve, own }).post({
        ...{ url: `http://${host}:${receiver.port}/`, bearer: null, body: {} },
      });
    await assert.rejects(request('93.184.216.34', []), /not public or belongs to this machine/);
    await assert.rejects(request('own.example', []), /not public or belongs to this machine/);
    assert.equal((await request('own.example', ['own.example'])).status, 200);
  });

  // Proves: webhooks follow no redirect and reach public addresses only
  it('does not follow redirects', async () => {
    receiver.answer = (response) => response.writeHead(302, { location: receiver.url }).end();
    assert.equal((await post(receiver.url)).status, 302);
    assert.equal(receiver.received.length, 1);
  });

  it('abandons responses that are late, slow, too large or incomplete', async () => {
    receiver.answer = () => undefined;
    await assert.rejects(post(receiver.url), /no answer within 0\.3 seconds/);
    let drip: NodeJS.Timeout | undefined;
    receiver.answer = (response) => {
      response.writeHead(200);
      drip = setInterval(() => response.write(' '), 20);
    };
    await assert.rejects(post(receiver.url), /no answer within/);
    clearInterval(drip);
    receiver.answer = (response) => response.end('x'.repeat(100_000));
    await assert.rejects(post(receiver.url), /larger than 64 kB/);
    receiver.answer = (response) => response.socket?.destroy();
    await assert.rejects(post(receiver.url), { code: 'err_webhook' });
  });
});

describe('an authorization request to a webhook', () => {
  const client = new GuardedClient(open, { timeLimit: 300 });
  const user = {
    ...{ request: 1, userId: 'u-1', userdata: { name: 'Ann' } },
    ...{ ip: '192.0.2.7', userAgent: 'Test/1 \u{1F642}' },
  };
  const ask = async () => (await askWebhook(client, { url: receiver.url, bearer: 'b' }, user)).answer;
  const answers = (status: number, body: string) => {
    receiver.answer = (response) => response.writeHead(status).end(body);
  };

  const grants = (permissions: string) => answers(200, `{"authorized":true,"permissions":${permissions}}`);

  // Proves: HB- headers, bearer, userdata; answer HB-User-Agent; answer HB-Connection-IP
  // Proves: answer HB-Connecting-IP
  it('contains the data for the decision', async () => {
    answers(200, '{"authorized":true}');
    assert.deepEqual(await ask(), { granted: true, permissions: {} });
    const [request] = receiver.received;
    assert.ok(request);
    assert.deepEqual(JSON.parse(request.body), { user_id: 'u-1', userdata: { name: 'Ann' } });
    assert.equal(request.headers.authorization, 'Bearer b');
    assert.equal(request.headers['hb-connection-ip'], '192.0.2.7');
    assert.equal(request.headers['hb-connecting-ip'], '192.0.2.7');
    assert.equal(request.headers['hb-user-agent'], 'Test/1');
  });

  // Proves: permissions of the answer, before the first picture
  // Proves: answer authorized, permissions of its answer
  it('returns all permissions or none', async () => {
    grants('{"priority":2,"idle_timeout":5000,"control_disabled":true,"x":1}');
    const permissions = { priority: 2, idle_timeout: 5000, control_disabled: true };
    assert.deepEqual(await ask(), { granted: true, permissions });
    const values = ['{"control_disabled":"yes"}', '{"priority":1e99}', '{"idle_timeout":-1}'];
    for (const wrong of ['7', '[]', ...values]) {
      grants(wrong);
      assert.equal((await ask()).granted, false, wrong);
    }
  });

  // Proves: null, empty texts and empty objects
  it('grants access without the permissions that are null', async () => {
    grants('{"priority":2,"idle_timeout":null,"control_disabled":null}');
    assert.deepEqual(await ask(), { granted: true, permissions: { priority: 2 } });
  });

  const denials: [name: string, answer: WebhookReceiver['answer']][] = [
    ['authorized: false', (response) => response.end('{"authorized":false}')],
    ['a response without authorized', (response) => response.end('{}')],
    ['authorized: 1', (response) => response.end('{"authorized":1}')],
    ['204', (response) => response.writeHead(204).end()],
    ['201 with the right body', (response) => response.writeHead(201).end('{"authorized":true}')],
    ['500', (response) => response.writeHead(500).end('{"authorized":true}')],
    ['a redirect', (response) => response.writeHead(307, { location: '/yes' }).end('{"authorized":true}')],
    ['garbage', (response) => response.end('yes')],
    ['an array', (response) => response.end('[{"authorized":true}]')],
    ['a response that never ends', (response) => void response.writeHead(200).write('{"authorized":')],
    ['no response', () => undefined],
  ];
  for (const [name, answer] of denials) {
    it(`denies access after ${name}, with a message for the user`, async () => {
      receiver.answer = answer;
      const verdict = await ask();
      assert.equal(verdict.granted, false);
      assert.match(verdict.message, /^The operator .{10,100}\.$/);
    });
  }
});
