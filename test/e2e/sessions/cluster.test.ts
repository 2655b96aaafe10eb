import assert from 'node:assert/strict';
import { hold } from '../../support/limits.js';
import { askSession } from '../support/ask-session.js';
import { nodesOf } from '../support/cluster.js';
import { connectClient } from '../support/sdk-client.js';
import { Service, type Session } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { connectAll, issue } from '../support/token-connections.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const OPERATOR = 'for-operators';
const SIZE = { width: 800, height: 600 };

/** Returns the address of a session through another node. */
function through(door: string, { embed_url: url }: Session): Pick<Session, 'embed_url'> {
  const { pathname, search } = new URL(url);
  return { embed_url: `${door}${pathname}${search}` };
}

/** Creates a session through one node. */
async function createAt({ key }: Service, node: string, parameters: object): Promise<Session> {
  const answer = await fetch(`${node}/v0/vm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kiosk: true, ...parameters }),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text) as Session;
}

for (const mode of ['gateway', 'direct']) {
  test.describe(`three nodes behind HAProxy, in the mode ${mode}`, () => {
    let service: Service;
    let nodes: string[];
    test.beforeAll(async () => {
      service = await Service.start({ CLUSTER_MODE: mode, OPERATOR_KEYS: OPERATOR });
      nodes = nodesOf(service);
    });

    test('can each start, show, control and end any session', async ({ pages, watch }) => {
      const doors = [service.url, ...nodes];
      const sessions: Session[] = [];
      const shown = nodes.map(() => pages.page('typing'));
      for (const [nth, node] of nodes.entries())
        sessions.push(await createAt(service, node, { start_url: shown[nth]?.url, ...SIZE }));
      assert.equal(new Set(sessions.map(({ session_id: id }) => id.slice(0, 6))).size, nodes.length);

      for (const [nth, session] of sessions.entries()) {
        const { origin } = new URL(session.embed_url);
        assert.ok(mode === 'gateway' ? origin === service.url : nodes.includes(origin), origin);
        const [remote, other = ''] = [shown[nth], nodes.find((node) => node !== origin)];
        assert.ok(remote);
        const viewer = await watch(session, { viewport: SIZE });
        await remote.fills(SIZE);
        await viewer.page.mouse.click(200, 100);
        await remote.until('the field has the focus', (state) => state['focused']);
        await viewer.page.keyboard.type('one of three');
        await remote.until('the field holds it', (state) => state['text'] === 'one of three');

        for (const door of doors) {
          const client = await connectClient(through(door, session));
          assert.equal(client.state, 'playing', door);
          client.disconnect();
        }
        const asked = { ...session, ...through(other, session) };
        assert.ok(Array.isArray(await askSession(asked, 'POST', 'tabs.query', [{}])));
        await service.end(session);
        await until('the viewer knows that it is over', async () => (await viewer.state()) === 'closed');
      }
    });

    test('end the connections of a revoked token on other nodes', { tag: '@timing' }, async ({ pages }) => {
      const page = pages.page('typing');
      const [first = '', second = '', third = ''] = nodes;
      const parameters = { start_url: page.url, ...SIZE, automation: { roles: ['control', 'chrome_apis'] } };
      const session = await createAt(service, first, parameters);
      await page.loaded();
      const own = new URL(session.embed_url).origin;
      const other = (own === second ? third : second).replace('http', '');
      const elsewhere = (url: string) => url.replace(/^(http|ws):\/\/[^/]+/, `$1${other}`);
      for (const scope of ['view', 'automation']) {
        const token = await issue(session, { scope });
        const connections = await connectAll(session, token, elsewhere);
        const from = performance.now();
        const asked = { ...session, ...through(third, session) };
        await askSession(asked, 'DELETE', `tokens/${token.token_id}`);
        for (const { name, ended } of connections) {
          const after = (await ended()).at - from;
          hold('an ended token disconnects through another node', after, `${scope}, ${name}`);
          note(`${scope}, ${name}: ended ${Math.round(after)} ms after the request`);
        }
      }
      await service.end(session);
    });

    test('appear on the operator page', async ({ browser }) => {
      const page = await browser.newPage();
      await page.goto(`${service.url}/operator`);
      await page.locator('#operator-key').fill(OPERATOR);
      await page.locator('#operator-key').press('Enter');
      await page.locator('.node').nth(2).waitFor();
      const names = await page.locator('.node').allTextContents();
      for (const name of ['node-1', 'node-2', 'node-3'])
        assert.equal(names.filter((text) => text.includes(name)).length, 1, names.join());
      await until('all of them answer', async () => {
        const states = await page.locator('.node .state').allTextContents();
        return states.every((state) => state === 'Running');
      });
      await page.close();
    });
  });
}
