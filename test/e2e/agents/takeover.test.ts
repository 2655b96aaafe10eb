import assert from 'node:assert/strict';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { chromium, type CDPSession, type Page } from '@playwright/test';
import type { SessionUser } from 'cloud-browser/protocol';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { hold } from '../../support/limits.js';
import { atEnd } from '../support/cleanup.js';
import type { HostedPage } from '../support/hosted-page.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';
import type { Viewer } from '../support/viewer.js';
import { openViewer } from '../support/viewers.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
/**
 * Positions in the person's field, which the person clicks in turn. Two clicks at one position within 500 ms
 * are a double click. It selects the word in the field, so that the next key would replace it.
 */
const PERSON = [
  { x: 100, y: 120 },
  { x: 200, y: 120 },
];
/** Time for which the person of this test holds the agent after their last input. Milliseconds. */
const HOLD_MS = 400;

let remote: HostedPage;
let session: Session & { cdp_url: string };
let viewer: Viewer;
/** The page as the agent's Playwright sees it. */
let page: Page;
let cdp: CDPSession;
let returned = 0;

/** Calls a method of the session with the admin token. */
const admin = (method: 'control.give' | 'setPermissions' | 'users.list', args: unknown[]): Promise<unknown> =>
  viewer.page.evaluate(
    ([name, list, adminToken]) =>
      document
        .querySelector<CloudBrowserElement>('cloud-browser')
        ?.client?.remote.forward(name, list, { adminToken }),
    [method, args, session.admin_token] as const,
  );

test.beforeAll(async ({ service, pages, browser }) => {
  remote = pages.page('agent');
  const automation = { hold_seconds: 20 };
  session = (await service.create({
    ...{ start_url: remote.url, kiosk: true, automation },
    ...SIZE,
  })) as typeof session;
  viewer = await openViewer(browser, session, { viewport: SIZE });
  await remote.fills(SIZE);
  await admin('setPermissions', [await viewer.userId(), { idle_timeout: HOLD_MS }]);
  const connected = await chromium.connectOverCDP(session.cdp_url);
  atEnd(() => connected.close());
  const [context] = connected.contexts();
  const first = context?.pages()[0];
  assert.ok(context && first);
  page = first;
  cdp = await context.newCDPSession(page);
  // The protocol's types do not have the session's own events.
  cdp.on('CloudBrowser.controlReturned' as 'Page.loadEventFired', () => (returned += 1));
});

/** The person clicks into their field and types one letter. */
async function personTypes(round: number): Promise<void> {
  const { x, y } = PERSON[round % PERSON.length] ?? assert.fail('There is no position.');
  await viewer.page.mouse.click(x, y);
  await viewer.page.keyboard.type('p');
}

test('a person takes control in the middle of click, fill, typing and goto, 50 times', async () => {
  test.setTimeout(400_000);
  await page.evaluate('window.mark = 1');
  let clicks = 0;
  let person = '';
  for (let round = 0; round < 40; round++) {
    const before = returned;
    const kind = round % 3;
    if (kind === 0) {
      const clicking = page.click('#press', { delay: 300 });
      clicks += 1;
      await remote.until('the agent has pressed', ({ down }) => down === clicks);
      await personTypes(round);
      await clicking;
    } else if (kind === 1) {
      const filling = page.fill('#agent', `text ${round}`);
      await personTypes(round);
      await filling;
      await remote.until('the agent has filled', ({ agent }) => agent === `text ${round}`);
    } else {
      await page.fill('#agent', '');
      const typing = page.locator('#agent').pressSequentially('abcdefghijkl', { delay: 20 });
      await remote.until('the agent has begun', ({ agent }) => String(agent).length > 2);
      await personTypes(round);
      await typing;
      await remote.until('the agent has typed everything once', ({ agent }) => agent === 'abcdefghijkl');
    }
    person += 'p';
    await remote.until('the person has typed everything once', (state) => state['person'] === person);
    await remote.until('the presses are complete', (state) =>
      ['down', 'up', 'click'].every((name) => state[name] === clicks),
    );
    await until('the agent learns that control has returned', () => returned > before);
  }
  // The context of the page is the same, so the connection was never lost.
  assert.equal(await page.evaluate('window.mark'), 1);
  for (let round = 0; round < 10; round++) {
    const before = returned;
    const going = page.goto(`${remote.url}&round=${round}`);
    await personTypes(round);
    await going;
    await remote.until('the page is loaded', ({ query }) => String(query).endsWith(`round=${round}`));
    assert.match(page.url(), new RegExp(`round=${round}$`));
    await until('the agent learns that control has returned', () => returned > before);
  }
});

test('an agent asks for a person over the protocol @main', async () => {
  const done = new Promise<unknown>((resolve) =>
    cdp.once('CloudBrowser.humanDone' as 'Page.loadEventFired', resolve),
  );
  const send = cdp.send.bind(cdp) as (method: string, params: object) => Promise<{ id: string }>;
  const { id } = await send('CloudBrowser.requestHuman', { instructions: 'Approve the payment.' });
  await viewer.page.getByText('Approve the payment.').waitFor();
  await viewer.page.getByRole('button', { name: 'Done' }).click();
  assert.deepEqual(await done, { id, outcome: 'done', note: '' });
});

/** Programs that press a button and a key, and hold them. Each one prints a line when the page has both. */
const HOLDERS = {
  Playwright: `
    const { chromium } = await import('@playwright/test');
    const browser = await chromium.connectOverCDP(process.argv[1]);
    const page = browser.contexts()[0].pages()[0];
    await page.hover('#press');
    await page.mouse.down();
    await page.keyboard.down('a');`,
  'a plain socket': `
    const { WebSocket } = await import('ws');
    const socket = new WebSocket(process.argv[1]);
    let last = 0;
    let sessionId;
    const ask = (method, params) => new Promise((resolve) => {
      const id = ++last;
      const take = (data) => {
        const message = JSON.parse(data);
        if (message.method === 'Target.attachedToTarget') sessionId ??= message.params.sessionId;
        if (message.id === id) resolve(socket.off('message', take));
      };
      socket.on('message', take);
      socket.send(JSON.stringify({ id, method, params, sessionId }));
    });
    await new Promise((resolve) => socket.once('open', resolve));
    await ask('Target.setAutoAttach', {
      ...{ autoAttach: true, flatten: true, waitForDebuggerOnStart: false, filter: [{ type: 'page' }] },
    });
    const press = { type: 'mousePressed', x: 190, y: 180, button: 'left', clickCount: 1 };
    await ask('Input.dispatchMouseEvent', press);
    await ask('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'a', code: 'KeyA' });`,
};
for (const [client, script] of Object.entries(HOLDERS))
  test(`an agent that is killed releases its key, its button and its control: ${client} @timing`, async () => {
    const query = `kill=${script.length}`;
    await page.goto(`${remote.url}&${query}`);
    // The page counts from 0 again. Its first report may come after the answer to `goto`.
    await remote.until('the page is loaded', (state) => String(state['query']).endsWith(query));
    const told = (name: string) => Number(remote.state[name]);
    const [down, keys] = [told('down'), told('keysDown')];
    const program = `${script}\nconsole.log('holds'); setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, session.cdp_url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    atEnd(() => child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    await remote.until('the agent holds both', () => told('down') > down && told('keysDown') > keys);
    const list = async () => (await admin('users.list', [])) as SessionUser[];
    const agents = (await list()).filter(({ kind }) => kind === 'agent');
    assert.equal(agents.length, 2);
    const person = await viewer.userId();
    const controls = async () => (await list()).find(({ id }) => id === person)?.controlling;
    await admin('control.give', [agents[1]?.id]);
    await until('only the agent has control', async () => (await controls()) === false);

    const killed = performance.now();
    child.kill('SIGKILL');
    await until(
      'everything is released',
      async () =>
        told('up') === told('down') &&
        told('keysUp') === told('keysDown') &&
        (await list()).filter(({ kind }) => kind === 'agent').length === 1 &&
        (await controls()) === true,
    );
    hold('a killed agent has released everything', performance.now() - killed, client);
    note(`${client}: released after ${Math.round(performance.now() - killed)} ms`);
  });
