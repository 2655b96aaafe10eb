import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import type { HostedPage } from '../support/hosted-page.js';
import { RawViewer } from '../support/raw-viewer.js';
import { connectClient } from '../support/sdk-client.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import { openViewer } from '../support/viewers.js';

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
  remote
    .until(`the remote page ${is ? 'has' : 'has not'} locked the pointer`, (state) => state['locked'] === is)
    .catch((error: unknown) => {
      throw new Error(`${String(error)} Its events: ${remote.events.join(', ')}.`);
    });

/**
 * Replaces the pointer lock of the local browser. A headless browser moves a locked mouse to its corner and
 * back forever, and ignores the mouse of the test. Like a browser, the replacement allows a lock only during
 * or soon after input.
 */
async function pretendLock(page: Page): Promise<void> {
  await page.evaluate(() => {
    let holder: Element | null = null;
    const hold = (element: Element | null) => {
      holder = element;
      setTimeout(() => document.dispatchEvent(new Event('pointerlockchange')));
    };
    Element.prototype.requestPointerLock = async function (this: Element) {
      if (!navigator.userActivation.isActive) throw new DOMException('Nobody acts.', 'NotAllowedError');
      hold(this);
    };
    Document.prototype.exitPointerLock = () => hold(null);
    for (const root of [Document.prototype, ShadowRoot.prototype])
      Object.defineProperty(root, 'pointerLockElement', { get: () => holder });
  });
}

/** Returns the element that has the local pointer locked. */
const lockedHere = (page: Page) =>
  page.evaluate(
    () => document.querySelector('cloud-browser')?.shadowRoot?.pointerLockElement?.className ?? '',
  );

test.describe('a page that locks the pointer', () => {
  test('locks the local pointer as well', { tag: '@main' }, async ({ browser }) => {
    const { page } = await openViewer(browser, session, { viewport: SIZE });
    await page.mouse.move(300, 200);
    await page.mouse.down();
    await page.mouse.up();
    await locked(true);
    await until('the local pointer is locked as well', async () => (await lockedHere(page)) === 'surface');
    await remote.run('document.exitPointerLock()');
    await locked(false);
    await until('and let go with it', async () => (await lockedHere(page)) === '');
    await page.close();
  });

  test('receives relative moves and buttons of the local mouse until the local lock ends', async ({
    browser,
  }) => {
    const { page } = await openViewer(browser, session, { viewport: SIZE });
    await pretendLock(page);
    await page.mouse.move(300, 200);
    await page.mouse.down();
    await page.mouse.up();
    await locked(true);
    await until('the local pointer is locked as well', async () => (await lockedHere(page)) === 'surface');

    // Creates an event of a locked mouse, as a browser would.
    const mouse = (type: string, movementX = 0, movementY = 0) =>
      page.evaluate(
        ([name, x, y]) => {
          const surface = document.querySelector('cloud-browser')?.shadowRoot?.querySelector('.surface');
          const moved = { clientX: 300, clientY: 200, movementX: x, movementY: y };
          const buttons = name === 'mousedown' ? 1 : 0;
          surface?.dispatchEvent(
            new MouseEvent(name, { ...moved, buttons, bubbles: true, cancelable: true }),
          );
        },
        [type, movementX, movementY] as const,
      );
    for (let step = 1; step <= 20; step++) await mouse('mousemove', 5, -3);
    await remote.until('it moved so far', ({ x, y }) => x === 100 && y === -60);
    await mouse('mousedown');
    await mouse('mouseup');
    await remote.until('it was pressed', ({ presses }) => presses === 1);
    assert.deepEqual([remote.state['x'], remote.state['y']], [100, -60], 'a press moves nothing');

    await page.evaluate(() => document.exitPointerLock());
    await locked(false);
    await page.close();
  });

  // Proves: page: a page that locks the pointer
  test('receives moves from viewers that cannot lock their own pointer, but only with the role', async () => {
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
