import assert from 'node:assert/strict';
import { Fingers } from '../support/fingers.js';
import { PHONE_OPTIONS, Phones } from '../support/phones.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { openViewer } from '../support/viewers.js';

cleanUpAtEnd();

let phones: Phones;
test.beforeAll(({ service, pages, browser }) => {
  phones = new Phones(service, pages, browser);
});

test('a page on a screen the size of a phone fills it exactly, and still detects a mouse', async () => {
  const { remote, close } = await phones.open('touch');
  await remote.fills(PHONE_OPTIONS.viewport);
  assert.equal(await remote.run('matchMedia("(hover: hover) and (pointer: fine)").matches'), true);
  await close();
});

test.describe('a finger on a phone', () => {
  test('taps a button', { tag: '@main' }, async () => {
    const { remote, fingers, close } = await phones.open('touch');
    await fingers.tap([140, 100]);
    await remote.event('touchstart');
    await remote.event('touchend');
    await remote.event('click');
    await close();
  });

  test('scrolls the page', { tag: '@main' }, async () => {
    const { remote, fingers, close } = await phones.open('touch');
    await fingers.swipe([200, 700], [200, 300]);
    await remote.until('the page is scrolled', (state) => Number(state['top']) > 300);
    await close();
  });

  test('opens the context menu when it rests, and a tap closes the menu', async () => {
    // In a kiosk Chromium has no menus.
    const { remote, viewer, fingers, close } = await phones.open('touch', { kiosk: false, width: 500 });
    await remote.run('addEventListener("contextmenu", () => report({ event: "contextmenu" }))');
    await viewer.atRest();
    const without = await viewer.picture();
    await fingers.press(0, [100, 500]);
    await remote.event('contextmenu');
    await fingers.lift(0);
    await viewer.atRest();
    const menu = await viewer.picture();
    // Chromium's menus are white. The page is not white at this place.
    assert.ok(whiteShare(menu.data) > whiteShare(without.data) + 0.05, 'a menu covers some of the page');
    await fingers.tap([20, 700]);
    await viewer.atRest();
    assert.ok(whiteShare((await viewer.picture()).data) < whiteShare(menu.data) - 0.05, 'it is gone again');
    await close();
  });

  test('answers a dialog of the page', async () => {
    const { remote, viewer, fingers, close } = await phones.open('touch', { width: 500 });
    // A page reports nothing while it shows a dialog, so the test reads the answer instead.
    const answer = remote.run('confirm("Sure?")');
    await viewer.atRest();
    // The place of Chromium's OK button.
    await fingers.tap([322, 174]);
    assert.equal(await answer, true);
    await close();
  });
});

test.describe('two fingers on a map', () => {
  test('arrive together at the right places when the picture is shown at half its size', async () => {
    const { remote, fingers, close } = await phones.open('map', { width: 780, height: 1688 });
    const where = (what: string, fingers: number[][]) =>
      remote.until(what, (state) => JSON.stringify(state['fingers']) === JSON.stringify(fingers));
    await fingers.press(0, [100, 200]);
    await where('the first finger is down', [[200, 400]]);
    await fingers.press(1, [300, 600]);
    await where('both are down', [
      [200, 400],
      [600, 1200],
    ]);
    await fingers.move([0, [50, 250]], [1, [350, 550]]);
    await where('both have moved', [
      [100, 500],
      [700, 1100],
    ]);
    await fingers.lift(0);
    await where('one is left', [[700, 1100]]);
    await fingers.move([1, [320, 500]]);
    await where('it moves on', [[640, 1000]]);
    await fingers.lift(1);
    await where('none is left', []);
    assert.equal(remote.state['trusted'], true);
    assert.equal(remote.count('touchcancel'), 0);
    assert.equal(remote.count('click') + remote.count('contextmenu'), 0);
    await close();
  });

  test('reach a map in a frame of another site', async () => {
    const { remote, viewer, fingers, close } = await phones.open('touch');
    const map = phones.pages.page('map');
    const address = map.url.replace('127.0.0.1', 'localhost');
    await remote.run(
      `void document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(address)}, ` +
        'style: "position: absolute; left: 45px; top: 200px; width: 300px; height: 400px; border: 0" }))',
    );
    await map.loaded();
    await viewer.atRest();
    await fingers.press(0, [145, 300]);
    await fingers.press(1, [245, 500]);
    const both = [
      [100, 100],
      [200, 300],
    ];
    await map.until('both are down', (state) => JSON.stringify(state['fingers']) === JSON.stringify(both));
    await fingers.lift(0, 1);
    await close();
  });

  test('of two people work together', async () => {
    const { remote, viewer, fingers, session } = await phones.open('map');
    const another = await openViewer(phones.browser, session, PHONE_OPTIONS);
    await fingers.press(0, [50, 100]);
    await remote.event('touchstart');
    await new Fingers(await another.cdp()).press(0, [350, 700]);
    await remote.event('touchstart', 2);
    assert.deepEqual(remote.state['fingers'], [
      [50, 100],
      [350, 700],
    ]);
    await viewer.close();
    await remote.until(
      'a person who leaves lets go',
      (state) => JSON.stringify(state['fingers']) === '[[350,700]]',
    );
    await another.close();
    await phones.service.end(session);
  });
});

/** The share of a picture that is white, 0 to 1. */
function whiteShare(data: Buffer): number {
  let white = 0;
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at] ?? 0) > 250 && (data[at + 1] ?? 0) > 250 && (data[at + 2] ?? 0) > 250) white += 1;
  }
  return (white * 4) / data.length;
}
