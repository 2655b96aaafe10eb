import { before, describe, it } from 'node:test';
import { cleanUpAtEnd } from './support/cleanup.js';
import type { HostedPage } from './support/hosted-page.js';
import { PageServer } from './support/page-server.js';
import { Service } from './support/service.js';
import type { Viewer } from './support/viewer.js';
import { launchBrowser, openViewer } from './support/viewers.js';

cleanUpAtEnd();
const SIZE = { width: 390, height: 844 };

let viewer: Viewer;
let remote: HostedPage;
before(async () => {
  const [service, pages, { browser }] = await Promise.all([
    Service.start(),
    PageServer.start(),
    launchBrowser(),
  ]);
  remote = pages.page('touch');
  const session = await service.create({ start_url: remote.url, ...SIZE });
  viewer = await openViewer(browser, session, { viewport: SIZE, hasTouch: true, isMobile: true });
  await remote.loaded();
});

describe('a page on a screen as small as a phone', () => {
  it('fills it exactly', () => remote.fills(SIZE));
});

describe('a finger on a phone', () => {
  it('taps a button', async () => {
    await viewer.page.touchscreen.tap(140, 100);
    await remote.event('touchstart');
    await remote.event('touchend');
    await remote.event('click');
  });

  it('scrolls the page', async () => {
    const cdp = await viewer.cdp();
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 200, y }] });
    await touch('touchStart', 700);
    for (let y = 680; y >= 300; y -= 20) await touch('touchMove', y);
    await touch('touchEnd');
    await remote.until('the page is scrolled', (state) => Number(state['top']) > 300);
  });
});
