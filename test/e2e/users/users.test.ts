import assert from 'node:assert/strict';
import type { CloudBrowserClient } from '../../../src/core/index.js';
import type { SessionUser } from '../../../src/protocol/index.js';
import type { HostedPage } from '../support/hosted-page.js';
import { connectClient } from '../support/sdk-client.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
const KEY = { type: 'key', repeat: false, code: 'KeyA', key: 'a', modifiers: 0 } as const;

let session: Session;
let remote: HostedPage;
let low: CloudBrowserClient;
let middle: CloudBrowserClient;
let high: CloudBrowserClient;

const idOf = ({ userId }: CloudBrowserClient): string => userId ?? '';
const move = (client: CloudBrowserClient, x: number, y: number) =>
  client.sendInput({ type: 'move', modifiers: 0, x, y });
const pointsTo = (place: string) =>
  remote.until(`the pointer is at ${place}`, (state) => state['at'] === place);
const presses = (keys: string, buttons: number) =>
  remote.until(
    `the keys ${keys} and the buttons ${buttons} are down`,
    (state) => state['keys'] === keys && state['buttons'] === buttons,
  );

test.beforeAll(async ({ service, pages }) => {
  remote = pages.page('held');
  session = await service.create({ start_url: remote.url, ...SIZE });
  await remote.fills(SIZE);
  [low, middle, high] = [
    await connectClient(session),
    await connectClient(session),
    await connectClient(session),
  ];
  high.remote.adminToken = session.admin_token;
});

test.describe('three users with priorities', () => {
  // The list shows the priorities that the first test set.
  test.describe.configure({ mode: 'serial' });

  test('take control from each other, and the user who loses it leaves no key pressed', async () => {
    await high.users.setPermissions(idOf(high), { priority: 2, idle_timeout: 1_500 });
    await high.users.setPermissions(idOf(middle), { priority: 1, idle_timeout: 1_500 });
    const changes: string[] = [];
    await high.users.on('changed', ({ id, controlling }) => {
      if (controlling) changes.push(id);
    });
    const controls = (client: CloudBrowserClient) =>
      until('control changes', () => changes.at(-1) === idOf(client));

    // No user of a higher priority acts, so the user of the lowest priority gets control.
    await controls(low);
    low.sendInput({ type: 'button', modifiers: 0, pressed: true, button: 0, x: 300, y: 300 });
    low.sendInput({ ...KEY, pressed: true });
    await presses('KeyA', 1);

    move(middle, 400, 400);
    await pointsTo('400 400');
    await presses('', 0);
    move(low, 310, 310);
    middle.sendInput({ type: 'button', modifiers: 0, pressed: true, button: 0, x: 410, y: 410 });
    middle.sendInput({ ...KEY, pressed: true });
    await presses('KeyA', 1);

    move(high, 500, 500);
    await pointsTo('500 500');
    await presses('', 0);
    await controls(low);
    move(low, 320, 320);
    await pointsTo('320 320');
  });

  // Proves: users, permissions, roles, kick, with either credential; POST {session}/setPermissions
  // Proves: POST {session}/addRoles; POST {session}/removeRoles; DELETE {session}/users/{user_id}
  test('are listed, changed and removed over HTTP', async ({ service }) => {
    const { pathname } = new URL(session.embed_url);
    const { body } = await service.request('GET', `${pathname}/users`);
    const users = body['users'] as SessionUser[];
    assert.deepEqual(
      users.map(({ id, permissions }) => [id, permissions.priority]),
      [
        [idOf(low), 0],
        [idOf(middle), 1],
        [idOf(high), 2],
      ],
    );
    const answer = await service.request('POST', `${pathname}/setPermissions`, ['nobody', {}]);
    assert.deepEqual([answer.status, answer.body['code']], [404, 'err_user_not_found']);
    const ended = new Promise((resolve) => middle.once('disconnect', ({ reason }) => resolve(reason)));
    await service.request('DELETE', `${pathname}/users/${idOf(middle)}`);
    assert.equal(await ended, 'kicked');
  });
});

// Proves: role clipboard_copy
test('the remote clipboard can be read only with the role', async () => {
  await remote.run('field.focus(); field.select(); document.execCommand("copy")');
  await remote.until('the text is copied', (state) => state['copied']);
  await assert.rejects(low.readClipboard(), { code: 'err_forbidden' });
  await high.users.addRoles([idOf(low)], ['clipboard_copy']);
  await until('the text is in the clipboard', async () => (await low.readClipboard()) === 'copied text');
});

test.describe('privacy mode', () => {
  // Privacy must hold every time, so these tests are not retried.
  test.describe.configure({ retries: 0 });

  test('hides the picture from the other users until it ends', async () => {
    await high.users.giveControl(idOf(high));
    await high.users.enablePrivacyMode();
    await until('the other one is told', () => low.shutOutBy === idOf(high));
    let frames = 0;
    low.on('packet', () => (frames += 1));
    let own = 0;
    high.on('packet', () => (own += 1));
    await remote.run('document.body.style.background = "rgb(200, 30, 30)"');
    await until('the one who has it alone sees it change', () => own > 0);
    move(low, 50, 50);
    move(high, 600, 200);
    await pointsTo('600 200');
    assert.equal(frames, 0);
    await high.users.disablePrivacyMode();
    await until('the other one sees again', () => frames > 0);
  });
});
