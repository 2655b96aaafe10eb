import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { hold } from '../../support/limits.js';
import type { HostedPage } from '../support/hosted-page.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import type { Viewer } from '../support/viewer.js';
import { openViewer } from '../support/viewers.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
const AREA = [100, 50] as const;
const RICH = [100, 130] as const;
const SOURCE = [30, 275] as const;
const HUGE = [100, 450] as const;

let session: Session;
let remote: HostedPage;
let viewer: Viewer;

interface SeenPaste {
  types: string[];
  items: string[];
  text: string;
  html: string;
  size?: string;
  pixels?: string;
  file?: string;
  bytes?: string;
}

test.beforeAll(async ({ service, pages, browser }) => {
  remote = pages.page('clipboard');
  const default_roles = ['control', 'clipboard_copy'];
  session = await service.create({ start_url: remote.url, ...SIZE, kiosk: true, default_roles });
  viewer = await openViewer(browser, session, { viewport: SIZE });
  await viewer.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await remote.fills(SIZE);
});

const sha = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const clicks = () => Number(remote.state['clicks'] ?? 0);
/** Clicks, and resolves when the page has the click, so that the next action comes after it. */
async function click(at: readonly [number, number]): Promise<void> {
  const before = clicks();
  await viewer.page.mouse.click(...at);
  await remote.until('the page has the click', () => clicks() > before);
}
const pasted = (): number => Number(remote.state['pastes'] ?? 0);

/** Performs an action that pastes. Resolves to the paste event of the remote page. */
async function paste(act: () => Promise<void>): Promise<SeenPaste> {
  const before = pasted();
  await act();
  await remote.until('the page is told of a paste', () => pasted() > before);
  return remote.state['paste'] as SeenPaste;
}

/** Puts content on the local clipboard, as another program would. */
async function copyLocally(items: Record<string, string>, picture?: string): Promise<void> {
  await viewer.page.evaluate(
    async ([texts, png]) => {
      const blobs = Object.entries(texts).map(([type, text]) => [type, new Blob([text], { type })] as const);
      const file = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
      const image = png && new Blob([file], { type: 'image/png' });
      await navigator.clipboard.write([
        new ClipboardItem({ ...Object.fromEntries(blobs), ...(image && { 'image/png': image }) }),
      ]);
      // A user who switches to another program leaves the page.
      window.dispatchEvent(new Event('blur'));
    },
    [items, picture ?? ''] as const,
  );
}

/** Pastes in the local browser, and returns the content that its page sees. */
async function pasteLocally(): Promise<SeenPaste> {
  const page = await viewer.page.context().newPage();
  await page.goto(remote.url.replace(/\?.*/, '?id=0'));
  await page.click('#rich');
  await page.keyboard.press('Control+v');
  const paste = await page.waitForFunction(() => (window as { lastPaste?: unknown }).lastPaste);
  const seen = (await paste.jsonValue()) as SeenPaste;
  await page.close();
  await viewer.page.bringToFront();
  return seen;
}

const localText = () => viewer.page.evaluate(() => navigator.clipboard.readText());
const shortcut = (keys: string) => () => viewer.page.keyboard.press(keys);

test.describe('pasting', () => {
  test.beforeEach(async () => {
    await remote.run('area.value = ""; rich.textContent = ""');
  });

  for (const keys of ['Control+v', 'Shift+Insert']) {
    test(`sends the page a paste event with the local text, by ${keys}`, async () => {
      await copyLocally({ 'text/plain': `by ${keys} ✓` });
      await click(AREA);
      const { types, items, text } = await paste(shortcut(keys));
      assert.deepEqual([types, items, text], [['text/plain'], ['string text/plain'], `by ${keys} ✓`]);
      await remote.until('the field has it', (state) => state['area'] === `by ${keys} ✓`);
    });
  }

  test('brings HTML and text, and only text by Control+Shift+V', { tag: '@main' }, async () => {
    const html = '<b>bold</b> <a href="https://example.com/">link</a>';
    await copyLocally({ 'text/plain': 'bold link', 'text/html': html });
    await click(RICH);
    const rich = await paste(shortcut('Control+v'));
    assert.deepEqual(rich.types, ['text/plain', 'text/html']);
    assert.equal(rich.text, 'bold link');
    assert.deepEqual(rich, await pasteLocally());
    await remote.run('rich.textContent = ""');
    const plain = await paste(shortcut('Control+Shift+v'));
    assert.deepEqual([plain.types, plain.text], [['text/plain'], 'bold link']);
  });

  test('keeps later typing behind the pasted text', async () => {
    const text = 'a long line '.repeat(60_000);
    await copyLocally({ 'text/plain': text });
    await click(AREA);
    await viewer.page.keyboard.press('Control+v');
    await viewer.page.keyboard.type('end');
    await remote.until('the field has both', (state) => state['area'] === text.length + 3);
    assert.equal(await remote.run('area.value.endsWith(" end")'), true);
  });

  test('brings a picture as the same file as a local paste', async () => {
    const picture = await viewer.page.evaluate(noisePicture, [200, 100] as const);
    await copyLocally({}, picture.png);
    await click(RICH);
    const seen = await paste(shortcut('Control+v'));
    const { types, items, size, pixels, file } = seen;
    assert.deepEqual([types, items, size, file], [['Files'], ['file image/png'], '200x100', 'image/png']);
    assert.equal(pixels, picture.pixels);
    assert.deepEqual(seen, await pasteLocally());
  });

  test('from a phone’s menu or by a method call uses the remote browser’s paste', async () => {
    await copyLocally({ 'text/plain': 'by a button' });
    await click(AREA);
    const { text } = await paste(() =>
      viewer.page.evaluate(() => document.querySelector('cloud-browser')!.paste()),
    );
    assert.equal(text, 'by a button');
  });

  test('shows a message when the content is too large', async () => {
    await copyLocally({ 'text/plain': 'x'.repeat(4 * 1024 * 1024 + 1) });
    await click(AREA);
    await viewer.page.keyboard.press('Control+v');
    await viewer.page.getByText('too large').waitFor();
    await viewer.page.getByRole('button', { name: 'Dismiss' }).click();
  });
});

test.describe('copying', () => {
  const select = () => remote.run('getSelection().selectAllChildren(source)');

  // Proves: role clipboard_copy
  test('by Control+C brings text and HTML to the local clipboard', { tag: '@main' }, async () => {
    await copyLocally({ 'text/plain': 'before' });
    await click(SOURCE);
    await select();
    await viewer.page.keyboard.press('Control+c');
    await until('the text is here', async () => (await localText()) === 'Plain, bold and slanted');
    const html = await viewer.page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      return (await item!.getType('text/html')).text();
    });
    assert.match(html, /<b[^>]*>bold<\/b>.*<i[^>]*>slanted<\/i>/s);
    await click(RICH);
    const { text } = await paste(shortcut('Control+v'));
    assert.equal(text, 'Plain, bold and slanted');
  });

  test('by Control+X removes the text from the remote field', async () => {
    await click(AREA);
    await remote.run('area.value = "cut out"; area.select()');
    await viewer.page.keyboard.press('Control+x');
    await until('the text is here', async () => (await localText()) === 'cut out');
    assert.equal(await remote.run('area.value'), '');
  });

  test('too much content shows a message, and the session continues', async () => {
    await click(HUGE);
    await remote.until('the page has copied', (state) => state['copiedHuge']);
    await viewer.page.getByText('too large').waitFor();
    await viewer.page.getByRole('button', { name: 'Dismiss' }).click();
    await copyLocally({ 'text/plain': 'after it' });
    await click(AREA);
    assert.equal((await paste(shortcut('Control+v'))).text, 'after it');
  });

  test('without a user gesture offers a button that copies', async () => {
    await viewer.page.evaluate(() => {
      // Acts like a browser whose user has not touched the page recently.
      navigator.clipboard.write = () => Promise.reject(new DOMException('No gesture.', 'NotAllowedError'));
      const commands: { execCommand?: unknown } = document;
      commands.execCommand = () => false;
      document.querySelector('cloud-browser')!.addEventListener('copystatechange', ({ state }) => {
        if (state !== 'waiting') return;
        delete commands.execCommand;
      });
    });
    await remote.run('area.value = "one click"; area.focus(); area.select()');
    await viewer.page.keyboard.press('Control+c');
    await viewer.page.getByRole('button', { name: 'Copy here' }).click();
    await until('the text is here', async () => (await localText()) === 'one click');
    await viewer.page.reload();
    await viewer.playing();
  });

  test('is left to the embedding page if it cancels the event', async () => {
    await copyLocally({ 'text/plain': 'mine' });
    const copied = await viewer.page.evaluateHandle(() => {
      const seen: unknown[] = [];
      document.querySelector('cloud-browser')!.addEventListener(
        'remotecopy',
        (event) => {
          event.preventDefault();
          void event.read().then((content) => seen.push(event.types, content.text));
        },
        { once: true },
      );
      return seen;
    });
    await click(AREA);
    await remote.run('area.value = "theirs"; area.select()');
    await viewer.page.keyboard.press('Control+c');
    await until('the page has read it', async () => (await copied.jsonValue()).length > 0);
    assert.deepEqual(await copied.jsonValue(), [['text/plain'], 'theirs']);
    assert.equal(await localText(), 'mine');
  });
});

test.describe('the menu of a browser with tabs', () => {
  let shown: Viewer;
  let page: HostedPage;
  let at: [number, number];
  test.beforeAll(async ({ service, pages, browser }) => {
    page = pages.page('clipboard');
    const default_roles = ['control', 'clipboard_copy'];
    const tabs = await service.create({ start_url: page.url, ...SIZE, kiosk: false, default_roles });
    shown = await openViewer(browser, tabs, { viewport: SIZE });
    await shown.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.loaded();
    await page.until('the page is shown below its tabs', ({ height }) => Number(height) < SIZE.height);
    at = [AREA[0], AREA[1] + SIZE.height - Number(page.state['height'])];
  });
  const keys = () => Number(page.state['keys'] ?? 0);
  /** Opens the menu and chooses an item by its letter. The page gets the letter until the menu is open. */
  const choose = async (letter: string, place: [number, number], done: () => unknown) => {
    await shown.page.mouse.click(...place, { button: 'right' });
    let pressed = keys();
    await until('the menu has done it', async () => {
      if (keys() >= pressed) {
        pressed = keys() + 1;
        await shown.page.keyboard.press(letter);
      }
      return done();
    });
  };

  test('copies to the local clipboard', async () => {
    await page.run('document.activeElement.blur(); getSelection().selectAllChildren(source)');
    const local = () => shown.page.evaluate(() => navigator.clipboard.readText());
    const top = at[1] - AREA[1];
    await choose(
      'c',
      [SOURCE[0] + 10, SOURCE[1] + top],
      async () => (await local()) === 'Plain, bold and slanted',
    );
  });
});

test('a phone’s browser pastes like a desktop browser', async ({ service, pages, browser }) => {
  const page = pages.page('clipboard');
  const phone = await service.create({
    ...{ start_url: page.url, width: 540, height: 960, kiosk: true },
    user_agent: 'chrome_android',
  });
  const shown = await openViewer(browser, phone, { viewport: { width: 540, height: 960 } });
  await shown.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.loaded();
  await shown.page.evaluate(() => navigator.clipboard.writeText('on a phone'));
  // The page is laid out for a wider screen and shown smaller.
  const scale = 540 / Number(page.state['width']);
  await shown.page.mouse.click(AREA[0] * scale, AREA[1] * scale);
  await page.until('the page has the click', (state) => state['clicks']);
  await shown.page.keyboard.press('Control+v');
  await page.until('the field has it', (state) => state['area'] === 'on a phone');
  // Without the role the local clipboard stays as it is.
  await page.run('area.value = "secret"; area.select()');
  await shown.page.keyboard.press('Control+c');
  await page.until('the page has copied', (state) => state['copies']);
  assert.equal(await shown.page.evaluate(() => navigator.clipboard.readText()), 'on a phone');
});

test('a megabyte is copied and pasted completely within the time limit', { tag: '@timing' }, async () => {
  // In lines, because Chromium needs seconds to lay out one line of a megabyte.
  const text = 'abcdefghijklmno\n'.repeat(64 * 1024);
  await remote.run('area.value = ""');
  await copyLocally({ 'text/plain': text });
  await click(AREA);
  let began = performance.now();
  const { text: digest } = await paste(shortcut('Control+v'));
  const there = performance.now() - began;
  assert.equal(digest, sha(text));

  await copyLocally({ 'text/plain': 'before' });
  await remote.run('area.select()');
  began = performance.now();
  await viewer.page.keyboard.press('Control+c');
  await until('the text is here', async () => (await localText()).length === text.length);
  const back = performance.now() - began;
  hold('a megabyte pasted into a session', there);
  hold('a megabyte copied out of a session', back);
});

/** A picture that cannot be compressed: its file, and a digest of its pixels. */
async function noisePicture([width, height]: readonly [number, number]): Promise<{
  png: string;
  pixels: string;
}> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(width, height);
  for (let index = 0; index < image.data.length; index++)
    image.data[index] = index % 4 === 3 ? 255 : (index * 7919) % 251;
  context.putImageData(image, 0, 0);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', image.data));
  const file = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
  return {
    png: btoa(String.fromCharCode(...file)),
    pixels: Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}
