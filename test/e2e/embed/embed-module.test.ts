import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Browser } from '@playwright/test';
import { Embedder } from '../support/embedder.js';
import type { HostedPage } from '../support/hosted-page.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };
let browser: Browser;
let session: Session;
let remote: HostedPage;
let embedder: Embedder;
test.beforeAll(async ({ browser: sharedBrowser, service, pages }) => {
  browser = sharedBrowser;
  remote = pages.page('typing');
  session = await service.create({ start_url: remote.url, ...SIZE });
  await remote.fills(SIZE);
});

const holds = (text: string) => remote.until(`the field holds ${text}`, (state) => state['text'] === text);

async function open(options: object = {}): Promise<void> {
  embedder = await Embedder.open(browser);
  const started = await embedder.start('one', session.embed_url, options);
  assert.equal(started.error, undefined, started.message);
  await embedder.shows('one');
  await remote.run('one.value = ""; one.focus(); report({ text: "" })');
  remote.events.length = 0;
}

test.describe('the public client in a page', () => {
  // Proves: client userId; client width; client height; client maxArea; client rtt
  test('starts with a user, a size and a <video>', { tag: '@main' }, async () => {
    embedder = await Embedder.open(browser);
    const started = await embedder.start('one', session.embed_url);
    assert.match(started.userId, /^[0-9a-f-]{36}$/);
    assert.deepEqual([started.width, started.height], [640, 480]);
    assert.ok(started.maxArea >= 640 * 480);
    const tag = await embedder.page.evaluate(
      () => window.embeds['one']!.target.shadowRoot?.getElementById('vid')?.nodeName,
    );
    assert.equal(tag, 'VIDEO');
    await until('a round trip is measured', () => embedder.get('one', 'rtt'));
    assert.deepEqual(embedder.complaints, []);
  });
});

test.describe('the example', () => {
  /** Returns the first example of a documentation page, adapted to the page of the tests. */
  async function exampleOf(page: string): Promise<string> {
    const guide = await readFile(new URL(`../../../docs/${page}.md`, import.meta.url), 'utf8');
    return (/```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? '').replace('#screen', '#one');
  }

  test('for users of the hosted service runs', async () => {
    const code = (await exampleOf('migration')).replace(
      /^import Hyperbeam from .*$/m,
      "const { default: Hyperbeam } = await import('/client-38.js');",
    );
    embedder = await Embedder.open(browser);
    const userId = await embedder.page.evaluate(
      `(async (embedUrl) => { ${code} return hb.userId; })(${JSON.stringify(session.embed_url)})`,
    );
    assert.match(String(userId), /^[0-9a-f-]{36}$/);
    assert.deepEqual(embedder.complaints, []);
  });

  test('that imports the module itself plays', async () => {
    embedder = await Embedder.open(browser);
    const { page } = embedder;
    await page.evaluate(
      `(async (embedUrl) => { ${await exampleOf('embed-module')} })(${JSON.stringify(session.embed_url)})`,
    );
    await until('the video has the size of the screen', () =>
      page.evaluate("document.querySelector('#one').shadowRoot.getElementById('vid').videoWidth === 640"),
    );
    assert.deepEqual(embedder.complaints, []);
  });
});

test.describe('input through the public client', () => {
  test.beforeEach(() => open());

  test("consists of the user's clicks and keys", { tag: '@main' }, async () => {
    await embedder.page.mouse.click(200, 100);
    await embedder.page.keyboard.type('Hello, é');
    await holds('Hello, é');
  });

  // Proves: option delegateKeyboard
  test("includes the page's keys while no field of the page has the focus", async () => {
    await embedder.page.keyboard.type('from the page');
    await holds('from the page');
    await embedder.page.click('#chat');
    await embedder.page.keyboard.type('said');
    assert.equal(await embedder.page.inputValue('#chat'), 'said');
    await embedder.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await embedder.page.keyboard.type('!');
    await holds('from the page!');
  });

  // Proves: option delegateKeyboard
  test('includes no keys when the keyboard is not delegated', async () => {
    await embedder.set('one', 'delegateKeyboard', false);
    await embedder.page.focus('#chat');
    await embedder.page.mouse.click(200, 100);
    await until('the page is told to blur', () =>
      embedder.page.evaluate(() => document.activeElement === document.body),
    );
    await embedder.page.keyboard.type('lost');
    await embedder.set('one', 'delegateKeyboard', true);
    await embedder.page.keyboard.type('found');
    await holds('found');
  });

  // Proves: option disableInput
  test('stops while it is disabled, and works again afterwards', async () => {
    await embedder.set('one', 'disableInput', true);
    await embedder.page.mouse.click(200, 100);
    await embedder.page.keyboard.type('lost');
    await embedder.set('one', 'disableInput', false);
    await embedder.page.mouse.click(200, 100);
    await embedder.page.keyboard.type('found');
    await holds('found');
  });

  // Proves: client sendEvent
  test('can be sent by the page itself', async () => {
    const send = (event: object) => embedder.call('one', 'sendEvent', event);
    await remote.run('one.blur(); addEventListener("wheel", ({ deltaY }) => report({ wheel: deltaY }))');
    await send({ type: 'mousedown', x: 0.3, y: 0.2, button: 0 });
    await send({ type: 'mouseup', x: 0.3, y: 0.2, button: 0 });
    await remote.until('the field has the focus', (state) => state['focused']);
    for (const key of ['h', 'i']) {
      await send({ type: 'keydown', key });
      await send({ type: 'keyup', key });
    }
    await holds('hi');
    await send({ type: 'keydown', key: 'a', ctrlKey: true });
    await send({ type: 'keyup', key: 'a', ctrlKey: true });
    await remote.until('all is selected', (state) => state['selected'] === 'hi');
    await send({ type: 'wheel', deltaY: 120, deltaX: 0 });
    await remote.until('the wheel turned', (state) => Number(state['wheel']) > 0);
    const unknown = await send({ type: 'click', x: 0.5, y: 0.5 });
    assert.equal(unknown.error, undefined);
  });

  // Proves: page: mouse events that the page stops
  test('is suppressed by a page that stops mouse events', async () => {
    await remote.run('one.blur(); addEventListener("mousedown", () => report({ event: "pressed" }))');
    await embedder.page.evaluate(() => {
      for (const type of ['mousedown', 'mousemove', 'mouseup']) {
        const container = document.getElementById('one');
        container?.addEventListener(type, (event) => event.stopPropagation(), { capture: true });
      }
    });
    await embedder.page.mouse.click(200, 100);
    await embedder.call('one', 'sendEvent', { type: 'mousedown', x: 0.9, y: 0.9 });
    await embedder.call('one', 'sendEvent', { type: 'mouseup', x: 0.9, y: 0.9 });
    await remote.event('pressed');
    assert.equal(remote.count('pressed'), 1);
  });
});

// Proves: client destroy
test('two clients in one page are two users with their own picture and keyboard', async () => {
  await open();
  const second = await embedder.start('two', session.embed_url);
  await embedder.shows('two');
  assert.notEqual(second.userId, await embedder.get('one', 'userId'));
  await embedder.page.mouse.click(900, 100);
  await embedder.page.keyboard.type('once');
  await holds('once');
  await embedder.call('two', 'destroy');
  await embedder.page.mouse.click(200, 100);
  await embedder.page.keyboard.type(' more');
  await holds('once more');
  const left = await embedder.page.evaluate(
    () => document.getElementById('two')?.shadowRoot?.childElementCount,
  );
  assert.equal(left, 0);
});
