import type { HostedPage } from './support/hosted-page.js';
import { RawViewer } from './support/raw-viewer.js';
import { connectClient } from './support/sdk-client.js';
import type { Session } from './support/service.js';
import { cleanUpAtEnd, test } from './support/test.js';
import { until } from './support/until.js';
import { openViewer } from './support/viewers.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };

let session: Session;
let remote: HostedPage;
test.beforeAll(async ({ service, pages }) => {
  remote = pages.page('pointer-lock');
  session = await service.create({ start_url: remote.url, kiosk: true, ...SIZE });
  await remote.loaded();
});

const locked = (is: boolean) =>
  remote.until(
    `the remote page ${is ? 'has' : 'has not'} locked the pointer`,
    (state) => state['locked'] === is,
  );

test.describe('a page that locks the pointer', () => {
  test('has the local pointer locked as well', async ({ browser }) => {
    const { page } = await openViewer(browser, session, { viewport: SIZE });
    const here = () =>
      page.evaluate(
        () => document.querySelector('cloud-browser')?.shadowRoot?.pointerLockElement?.className ?? '',
      );
    await page.mouse.move(300, 200);
    await page.mouse.down();
    await page.mouse.up();
    await locked(true);
    await until('the local pointer is locked as well', async () => (await here()) === 'surface');
    await remote.run('document.exitPointerLock()');
    await locked(false);
  });

  test('hears the moves of those who cannot lock their own, and only of those who may', async () => {
    const [client, other] = [await connectClient(session), await RawViewer.open(session)];
    client.remote.adminToken = session.admin_token;
    await client.users.removeRoles([other.welcome?.userId ?? ''], ['control']);
    const told: boolean[] = [];
    client.on('pointerLock', (is) => told.push(is));
    for (const pressed of [true, false])
      client.sendInput({ type: 'button', button: 0, pressed, modifiers: 0, x: 320, y: 240 });
    await locked(true);
    await until('the client is told', () => told.at(-1) === true);
    other.send({ type: 'relative', seq: 1, modifiers: 0, x: 50, y: 50 });
    client.sendInput({ type: 'move', modifiers: 0, x: 330, y: 235 });
    client.sendInput({ type: 'relative', modifiers: 0, x: 7, y: 7 });
    await remote.until('it moved so far', ({ x, y }) => x === 17 && y === 2);
    client.leavePointerLock();
    await locked(false);
    await until('the client is told', () => told.at(-1) === false);
    other.close();
    client.disconnect();
  });
});
