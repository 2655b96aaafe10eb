import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { WebhookReceiver } from '../../fakes/webhook-receiver.js';
import { hold } from '../../support/limits.js';
import { atEnd } from '../support/cleanup.js';
import { RawViewer } from '../support/raw-viewer.js';
import { Service, type Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import { Viewer } from '../support/viewer.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };
// Access must be right every time, so these tests are not retried.
test.describe.configure({ retries: 0 });

const json = (response: ServerResponse, body: object) => void response.end(JSON.stringify(body));

/** The answers of the endpoint, by the name that a viewer sends as userdata. */
const ANSWERS: Record<string, (response: ServerResponse) => void> = {
  'authorized: true': (response) => json(response, { authorized: true }),
  'authorized: false': (response) => json(response, { authorized: false }),
  'no key authorized': (response) => json(response, { yes: true }),
  '204': (response) => void response.writeHead(204).end(),
  '500': (response) => json(response.writeHead(500), { authorized: true }),
  'a redirect': (response) => void response.writeHead(307, { location: `${receiver.url}/other` }).end(),
  garbage: (response) => void response.end('{"authorized": tr'),
  'a slow drip': (response) => {
    response.write('{"authorized":');
    const drip = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(drip));
  },
  silence: () => undefined,
};
const WITH_CONTROL = 'with control';

let service: Service;
let receiver: WebhookReceiver;
test.beforeAll(async () => {
  [service, receiver] = await Promise.all([
    Service.start({ EGRESS_ALLOW: '127.0.0.1' }),
    WebhookReceiver.open(),
  ]);
  atEnd(() => receiver.close());
  receiver.answer = (response, { body }) => {
    const { userdata } = JSON.parse(body) as { userdata: { answer?: string } };
    if (userdata.answer === WITH_CONTROL)
      json(response, { authorized: true, permissions: { control_disabled: false } });
    else (ANSWERS[userdata.answer ?? ''] ?? ANSWERS['authorized: false'])?.(response);
  };
});

async function begin(parameters: object = {}): Promise<Session> {
  const auth = { type: 'webhook', value: { url: receiver.url, bearer: 'the bearer' } };
  return service.create({ ...SIZE, auth, ...parameters });
}

const knock = (session: Session, answer: string) => RawViewer.knock(session, { userdata: { answer } });

test.describe('a session whose viewers an endpoint authorizes', () => {
  // Proves: auth.type webhook: each kind of answer
  test('admits one of nine viewers, and soon gives the others a reason', { tag: '@timing' }, async () => {
    const session = await begin();
    assert.equal(new URL(session.embed_url).search, '', 'there is no token in its address');
    await until('it runs', async () => (await service.view(session))['state'] === 'running');
    const since = performance.now();
    const viewers = await Promise.all(
      Object.keys(ANSWERS).map(async (answer) => ({ answer, viewer: await knock(session, answer) })),
    );
    for (const { answer, viewer } of viewers) {
      if (answer === 'authorized: true') {
        assert.ok(viewer.welcome, answer);
        continue;
      }
      assert.equal(viewer.closed?.reason, 'unauthorized', answer);
      assert.match(viewer.closed.message, /^The operator .{10,100}\.$/, answer);
      assert.deepEqual([viewer.messages, viewer.packets], [[], []], answer);
      const took = viewer.closed.at - since;
      hold('a refused viewer is told', took, answer);
    }
    assert.equal(receiver.received.length, viewers.length);
    const users = new Set<string>();
    for (const { headers, body } of receiver.received) {
      assert.equal(headers.authorization, 'Bearer the bearer');
      assert.equal(headers['hb-connection-ip'], '127.0.0.1');
      users.add((JSON.parse(body) as { user_id: string }).user_id);
    }
    assert.equal(users.size, viewers.length);
    await service.end(session);
  });

  // Proves: auth.type webhook: each kind of answer
  test('shows a refused viewer the reason, and nothing of the session', async ({ browser }) => {
    const session = await begin();
    const page = await (await browser.newContext()).newPage();
    const viewer = new Viewer(page);
    await page.goto(session.embed_url);
    await until('the viewer is sent away', async () => (await viewer.state()) === 'closed');
    assert.match(await viewer.status(), /No access\s+The operator of this page did not allow you to join\./);
    assert.equal(await viewer.framesPainted(), 0);
    await page.context().close();
    await service.end(session);
  });

  for (const [name, parameters] of [
    ['control_disable_default', { control_disable_default: true }],
    ['default_roles without control', { default_roles: ['resize'] }],
  ] as const) {
    // Proves: control_disable_default; default_roles
    test(`can be controlled only by users to whom the endpoint gives control: ${name}`, async ({ pages }) => {
      const page = pages.page('marker');
      const session = await begin({ start_url: page.url, ...parameters });
      await page.fills(SIZE);
      await page.run('addEventListener("mousemove", ({ clientX }) => report({ event: `at ${clientX}` }))');
      const without = await knock(session, 'authorized: true');
      const withControl = await knock(session, WITH_CONTROL);
      const move = { type: 'move', seq: 1, modifiers: 0, y: 240 } as const;
      without.send({ ...move, x: 160 });
      await until('the room has read it', () => without.messages.some(({ type }) => type === 'pong'));
      withControl.send({ ...move, x: 480 });
      await until('the pointer moves', () => page.events.length > 0);
      assert.ok(
        page.events.every((event) => event === 'at 480'),
        page.events.join(),
      );
      await service.end(session);
    });
  }
});
