import assert from 'node:assert/strict';
import type { CDPSession } from '@playwright/test';
import type { HostedPage } from '../support/hosted-page.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import type { Viewer } from '../support/viewer.js';
import { openViewer } from '../support/viewers.js';

cleanUpAtEnd();

let viewer: Viewer;
let remote: HostedPage;
let cdp: CDPSession;
test.beforeAll(async ({ service, pages, browser }) => {
  remote = pages.page('pen');
  const size = { width: 800, height: 600 };
  const session = await service.create({ start_url: remote.url, kiosk: true, ...size });
  // The view has the size of the remote screen, so both have the same coordinates.
  viewer = await openViewer(browser, session, { viewport: size });
  cdp = await viewer.page.context().newCDPSession(viewer.page);
  await remote.fills(size);
});

type Step = 'mousePressed' | 'mouseMoved' | 'mouseReleased';

/** Moves the viewer's own stylus, whose tip is down except in the last step. */
async function pen(type: Step, x: number, y: number, state: object = {}, clickCount = 1): Promise<void> {
  const tip = { pointerType: 'pen', button: 'left', buttons: type === 'mouseReleased' ? 0 : 1 } as const;
  await cdp.send('Input.dispatchMouseEvent', { type, x, y, ...tip, clickCount, ...state });
}

async function tap(x: number, y: number): Promise<void> {
  await pen('mousePressed', x, y, { force: 0.5 });
  await pen('mouseReleased', x, y);
}

test.describe('a stylus', () => {
  test('draws on a page with its pressure and its tilt', { tag: '@main' }, async () => {
    await pen('mousePressed', 100, 300, { force: 0.25, tiltX: 30, tiltY: -20 });
    await remote.until('the tip is down', ({ strokes }) => Array.isArray(strokes) && strokes.length === 1);
    await pen('mouseMoved', 150, 320, { force: 0.75, tiltX: 10, tiltY: 5 });
    await remote.until('it has moved', ({ strokes }) => Array.isArray(strokes) && strokes.length === 2);
    await pen('mouseReleased', 150, 320);
    await remote.until('it is lifted', ({ strokes }) => Array.isArray(strokes) && strokes.length === 3);
    assert.deepEqual(remote.state['strokes'], [
      ['pointerdown', 'pen', 0.25, 30, -20, 100, 100, 1],
      ['pointermove', 'pen', 0.75, 10, 5, 150, 120, 1],
      ['pointerup', 'pen', 0, 0, 0, 150, 120, 0],
    ]);
  });

  test('double-clicks, and gives the keyboard to a field', async () => {
    await tap(200, 400);
    await tap(200, 400);
    await remote.event('dblclick');
    await tap(60, 35);
    await remote.until('the field has the focus', (state) => state['focus'] === '');
    await viewer.page.keyboard.type('abc');
    await remote.until('the text arrives', (state) => state['input'] === 'abc');
  });

  test('chooses from a list, which is no part of the page', async () => {
    await tap(60, 160);
    await viewer.atRest();
    await tap(60, 206);
    await remote.until('another entry is chosen', (state) => state['choice'] !== undefined);
  });

  test('drags a link, and the mouse then works as before', async () => {
    await pen('mousePressed', 60, 105, { force: 0.5 });
    await pen('mouseMoved', 90, 105, { force: 0.5 });
    await remote.event('dragstart');
    await pen('mouseMoved', 100, 300, { force: 0.5 });
    await pen('mouseReleased', 100, 300);
    await remote.event('dragend');
    await viewer.page.mouse.click(60, 105);
    await remote.event('click');
  });

  test('draws in a frame of another site', async ({ pages }) => {
    const inner = pages.page('pen');
    const address = inner.url.replace('127.0.0.1', 'localhost');
    await remote.run(
      `void document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(address)}, ` +
        'style: "position: absolute; left: 420px; top: 0; width: 370px; height: 590px; border: 0" }))',
    );
    await inner.loaded();
    await viewer.atRest();
    await pen('mousePressed', 520, 300, { force: 0.25 });
    await inner.until('the tip is down', ({ strokes }) => Array.isArray(strokes));
    const [[type, pointer, pressure, , , x, y] = []] = inner.state['strokes'] as unknown[][];
    assert.deepEqual([type, pointer, pressure, x, y], ['pointerdown', 'pen', 0.25, 100, 100]);
    await pen('mouseReleased', 520, 300);
  });
});
