import assert from 'node:assert/strict';
import type { Browser } from '@playwright/test';
import { Embedder } from '../support/embedder.js';
import type { HostedPage } from '../support/hosted-page.js';
import { connectClient } from '../support/sdk-client.js';
import type { Service, Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import { playing } from '../support/viewer.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };
/**
 * The file of a policy violation by the client itself. Its CBOR reader tries to compile text when it is
 * loaded.
 */
const OWN_COMPLAINT = /client-\d+\.js/;

let session: Session;
let remote: HostedPage;
test.beforeAll(async ({ service, pages }) => {
  remote = pages.page('typing');
  session = await service.create({ start_url: remote.url, ...SIZE });
  await remote.fills(SIZE);
});

const holds = (text: string) => remote.until(`the field holds ${text}`, (state) => state['text'] === text);

/** Clicks into the picture and types. */
async function type(embedder: Embedder, text: string): Promise<void> {
  await remote.run('one.value = ""; report({ text: "" })');
  await embedder.page.mouse.click(200, 100);
  await embedder.page.keyboard.type(text);
  await holds(text);
}

/** Resolves when the embed page in the iframe shows a picture. Earlier clicks and keys have no effect. */
async function playsInside(embedder: Embedder): Promise<void> {
  const inside = await until('the frame is there', () =>
    embedder.page.frames().find((frame) => frame.url().startsWith(session.embed_url)),
  );
  await playing(inside);
}

/** Takes a screenshot of the active tab through the client, which passes it to its page. */
async function shoot(embedder: Embedder): Promise<void> {
  const { result } = await embedder.call('one', 'tabs.query', { active: true });
  const [tab] = result as { id: number }[];
  const { error } = await embedder.call('one', 'screenshot', { tabId: tab?.id });
  assert.equal(error, undefined);
  const shot = await embedder.tells('one', 'shot');
  assert.deepEqual([shot['tabId'], shot['kind']], [tab?.id, 'image/png']);
  assert.ok(Number(shot['size']) > 500);
}

test.describe('a page with a tight Content-Security-Policy', () => {
  /**
   * A page that allows only its own scripts and styles, the client, the service, and the pictures of this
   * directive.
   */
  async function open(browser: Browser, service: Service, pictures: string): Promise<void> {
    const { origin, host } = new URL(service.url);
    const policy = [
      "default-src 'none'",
      "style-src 'self'",
      "script-src 'self' blob:",
      ...(pictures ? [pictures] : []),
      `connect-src ${origin} ws://${host}`,
    ];
    embedder = await Embedder.open(browser, policy.join('; '));
    const started = await embedder.start('one', session.embed_url);
    assert.equal(started.error, undefined, started.message);
    await embedder.shows('one');
  }

  let embedder: Embedder;
  const ofOurs = (complaints: string[]) => complaints.filter((complaint) => !OWN_COMPLAINT.test(complaint));
  const cursor = () =>
    embedder.page.evaluate(
      () => window.embeds['one']!.target.shadowRoot!.getElementById('vid')!.style.cursor,
    );

  /**
   * Moves the pointer over text and beside it. Waits until the page has shown each shape for two animation
   * frames.
   */
  async function changePointer(): Promise<void> {
    const other = await connectClient(session);
    let shapes = 0;
    other.on('cursor', () => (shapes += 1));
    await embedder.page.mouse.move(200, 400, { steps: 2 });
    for (const y of [100, 400, 100]) {
      const before = shapes;
      // A busy browser may lose a move, or merge this move with the previous one. Then the shape does not
      // change.
      let moves = 0;
      await until('the pointer has another shape', async () => {
        const x = 200 + (moves++ % 2);
        if (moves > 1) await embedder.page.mouse.move(x, 500 - y, { steps: 2 });
        await embedder.call('one', 'tabs.query', {});
        await embedder.page.mouse.move(x, y, { steps: 2 });
        return shapes > before;
      });
      // The answer arrives after the shape.
      await embedder.call('one', 'tabs.query', {});
      await embedder.page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
    }
    other.disconnect();
  }

  /** Number of pixels of the pointer that the page draws. */
  const drawn = () =>
    embedder.page.evaluate(() => {
      const surface = window.embeds['one']!.target.shadowRoot!.querySelector<HTMLElement>('.screen')!;
      const pointer = surface.querySelector<HTMLCanvasElement>('canvas[popover]');
      if (!pointer || pointer.style.display === 'none' || surface.style.cursor !== 'none') return 0;
      const copy = new OffscreenCanvas(pointer.width, pointer.height).getContext('2d')!;
      copy.drawImage(pointer, 0, 0);
      const { data } = copy.getImageData(0, 0, pointer.width, pointer.height);
      return data.filter((value, at) => at % 4 === 3 && value > 0).length;
    });

  for (const pictures of ["img-src 'self' blob: data:", "img-src 'self'", "img-src 'none'", ''])
    // Proves: page: a tight Content-Security-Policy
    test(`shows a session and its pointer without a policy violation: ${pictures || 'no image at all'}`, async ({
      service,
      browser,
    }) => {
      await open(browser, service, pictures);
      await type(embedder, 'allowed');
      await changePointer();
      await until('the pointer is drawn', async () => (await drawn()) > 10);
      assert.match(await cursor(), /^url\("blob:/);
      assert.deepEqual(ofOurs(embedder.complaints), []);
      assert.deepEqual(ofOurs(await embedder.violations()), []);
    });
});

test.describe('older public clients', () => {
  for (const version of ['37', '34', '30']) {
    test(`of version 0.0.${version} show a session in an element`, async ({ browser }) => {
      const embedder = await Embedder.open(browser);
      const started = await embedder.start('one', session.embed_url, { version });
      assert.deepEqual([started.width, started.height, started.error], [640, 480, undefined]);
      await embedder.shows('one');
      await type(embedder, `by ${version}`);
      await shoot(embedder);
    });

    // Proves: page: an iframe as the client's element
    test(`of version 0.0.${version} control a session in an iframe`, async ({ browser }) => {
      const embedder = await Embedder.open(browser);
      const started = await embedder.start('one', session.embed_url, { version, place: 'iframe' });
      assert.match(started.userId, /^[0-9a-f-]{36}$/);
      assert.deepEqual([started.width, started.height, started.maxArea >= 640 * 480], [640, 480, true]);
      await playsInside(embedder);
      await type(embedder, 'inside');
      await embedder.page.focus('#chat');
      await embedder.page.keyboard.type('said');
      await embedder.page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await embedder.page.keyboard.type('+page');
      await holds('inside+page');
      await shoot(embedder);
      assert.deepEqual(embedder.complaints, []);
    });
  }

  test('detect that a session has ended, in an iframe too', async ({ service, browser }) => {
    const ended = await service.create({ start_url: 'about:blank' });
    await service.end(ended);
    const embedder = await Embedder.open(browser);
    const failed = await embedder.start('one', ended.embed_url, { version: '37', place: 'iframe' });
    assert.equal(failed.error, 'SessionTerminatedError');
  });
});

test('a sandboxed iframe plays a session and accepts input without console errors', async ({ browser }) => {
  const embedder = await Embedder.open(browser);
  await embedder.page.evaluate((url) => {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.src = url;
    document.body.append(frame);
  }, session.embed_url);
  await playsInside(embedder);
  await type(embedder, 'in a box');
  assert.deepEqual(embedder.complaints, []);
});
