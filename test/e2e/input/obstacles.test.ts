import assert from 'node:assert/strict';
import type { CloudBrowserClient } from '../../../src/core/index.js';
import type { InputWithoutSeq, TabDialog } from '../../../src/protocol/index.js';
import { hold } from '../../support/limits.js';
import { AnsweringServer } from '../support/answering-server.js';
import type { HostedPage } from '../support/hosted-page.js';
import type { PageServer } from '../support/page-server.js';
import { connectClient } from '../support/sdk-client.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
let pages: PageServer;
let session: Session;
let client: CloudBrowserClient;
test.beforeAll(async ({ pages: sharedPages, service }) => {
  pages = sharedPages;
  const start = pages.page('marker');
  session = await service.create({ start_url: start.url, kiosk: false });
  await start.loaded();
  client = await connectClient(session);
});

/** Clicks a place of the screen; by default it lies on the front page. */
function click(x = 640, y = 400, user = client): void {
  const button = { type: 'button', button: 0, x, y, modifiers: 0 } as const;
  user.sendInput({ ...button, pressed: true });
  user.sendInput({ ...button, pressed: false });
}

/**
 * Keys of a French keyboard that make other characters than those of an American keyboard, or none (dead
 * keys).
 */
const CODES: Record<string, string> = { é: 'Digit2', '\t': 'Tab', '\n': 'Enter' };
const NAMES: Record<string, string> = { '\t': 'Tab', '\n': 'Enter' };

/**
 * Presses and lifts a key for each character. A character that the display lacks goes to the page over CDP.
 */
function type(text: string): void {
  for (const character of text) {
    const code = CODES[character] ?? `Key${character.toUpperCase()}`;
    const key = {
      type: 'key',
      code,
      key: NAMES[character] ?? character,
      repeat: false,
      modifiers: 0,
    } as const;
    client.sendInput({ ...key, pressed: true });
    client.sendInput({ ...key, pressed: false });
  }
}

/** Clicks until the page reports a click; the first clicks after a change of tabs may be lost. */
async function takesClicks(page: HostedPage): Promise<void> {
  const before = page.count('click');
  await until('the page takes clicks', () => {
    if (page.count('click') > before) return true;
    click();
    return false;
  });
}

/**
 * Opens a page in a tab of its own and clicks it: a page may show a "leave site?" dialog only after input.
 */
async function open(): Promise<{ id: number; page: HostedPage }> {
  const page = pages.page('marker');
  const { id = 0 } = await client.tabs.create({ url: page.url });
  await page.loaded();
  await page.run('reportEvents(window, ["click"])');
  await takesClicks(page);
  return { id, page };
}

/** Runs an expression after the answer to it has arrived, because a blocked page sends no answer. */
const later = (code: string) => `void setTimeout(() => reported().then(() => { ${code} }))`;

for (const [what, code, expression] of [
  ['loops forever', 'err_page_unresponsive', later('for (;;);')],
  ['shows an alert', 'err_dialog_open', later('alert("Hello")')],
  ['shows 100 alerts', 'err_dialog_open', later('for (let i = 0; i < 100; i++) alert(i)')],
  [
    'asks before it is left',
    'err_dialog_open',
    'void addEventListener("beforeunload", (event) => event.preventDefault())',
  ],
  [
    'loops in its beforeunload listener',
    'err_page_unresponsive',
    'void addEventListener("beforeunload", () => { for (;;); })',
  ],
] as const) {
  // Proves: tabs.<method>: a page in the way, force
  test(`a page that ${what} can be left only by force, and the call says so`, async () => {
    const { id, page } = await open();
    await page.run(expression);
    if (expression.includes('alert'))
      await until('the dialog is there', async () => (await client.dialogs.list()).length > 0);
    const next = pages.page('marker');
    await assert.rejects(client.tabs.update(id, { url: next.url }), { code });
    assert.equal(next.loads, 0);
    await client.tabs.update(id, { url: next.url, force: true });
    await next.loaded();
    assert.equal((await client.tabs.get(id)).url, next.url);
    assert.deepEqual(await client.dialogs.list(), []);
    await client.tabs.remove(id);
  });
}

test('a slow web server is no obstacle, and the tab can leave it without force', async () => {
  const slow = await AnsweringServer.start(() => undefined);
  const { id } = await open();
  await client.tabs.update(id, { url: slow.url });
  assert.deepEqual(slow.requests, ['/']);
  const next = pages.page('marker');
  await client.tabs.update(id, { url: next.url });
  await next.loaded();
  await client.tabs.remove(id);
});

test('a tab that asks before it is left closes when the question is answered', async () => {
  const { id, page } = await open();
  await page.run('void addEventListener("beforeunload", (event) => event.preventDefault())');
  await assert.rejects(client.tabs.remove(id), { code: 'err_dialog_open' });
  await client.dialogs.answer(id, { accept: false });
  assert.equal((await client.tabs.get(id)).url, page.url);
  await assert.rejects(client.tabs.remove(id), { code: 'err_dialog_open' });
  await client.dialogs.answer(id, { accept: true });
  await until('the tab is gone', async () => !(await client.tabs.query({})).some((tab) => tab.id === id));
});

// Proves: POST {session}/dialogs.<method>, reported dialogs
test('a dialog is reported, listed and answered', { tag: '@main' }, async () => {
  const { id, page } = await open();
  const [opened, closed]: [TabDialog[], number[]] = [[], []];
  await client.dialogs.onOpened.addListener((dialog) => opened.push(dialog));
  await client.dialogs.onClosed.addListener((tab) => closed.push(tab));
  await page.run(later('report({ answer: prompt("Who are you?", "Nobody") })'));
  await until('it is told', () => opened.length);
  const dialog = {
    tabId: id,
    type: 'prompt',
    message: 'Who are you?',
    defaultPrompt: 'Nobody',
    url: page.url,
  };
  assert.deepEqual(opened, [dialog]);
  assert.deepEqual(await client.dialogs.list(), [dialog]);
  await client.dialogs.answer(id, { accept: true, text: 'Me' });
  await page.until('it has the answer', ({ answer }) => answer === 'Me');
  await until('its end is told', () => closed.length);
  assert.deepEqual(closed, [id]);
  await client.tabs.remove(id);
});

test('an HTTP sign-in accepts typed text while other tabs continue', { tag: '@main' }, async () => {
  const server = await AnsweringServer.start(({ headers }, response) => {
    if (headers.authorization === undefined)
      response.writeHead(401, { 'www-authenticate': 'Basic realm="here", charset="UTF-8"' }).end();
    else response.end(`<title>${headers.authorization}</title>`);
  });
  const good = await open();
  const { id = 0 } = await client.tabs.create({ url: server.url });
  const tab = () => client.tabs.get(id);
  await until('it asks', async () => server.requests.includes('/') && (await tab()).status === 'complete');
  await client.tabs.update(good.id, { active: true });
  await takesClicks(good.page);
  await client.tabs.update(id, { active: true });
  type('mé\tsecret\n');
  const wanted = `Basic ${Buffer.from('mé:secret').toString('base64')}`;
  await until('it signed in', async () => (await tab()).title === wanted);
  await client.tabs.remove([good.id, id]);
});

test.describe('input elsewhere continues', { tag: '@timing' }, () => {
  let other: CloudBrowserClient;
  test.beforeAll(async () => void (other = await connectClient(session)));

  /** Performs an act and measures the time until its effect. */
  const measure = async (act: () => void, effect: () => Promise<void>) => {
    const start = performance.now();
    act();
    await effect();
    hold('input beside a stuck page', performance.now() - start);
  };

  for (const [what, expression, reload] of [
    ['loops forever', later('for (;;);'), false],
    ['shows 100 alerts', later('for (let i = 0; i < 100; i++) alert(i)'), false],
    [
      'loops in its beforeunload listener',
      'void addEventListener("beforeunload", () => { for (;;); })',
      true,
    ],
  ] as const) {
    // Proves: no page or dialog holds up input elsewhere
    test(`when a page in another tab ${what}`, async () => {
      const good = await open();
      const stuck = await open();
      await stuck.page.run(expression);
      const reloading = reload ? client.tabs.reload(stuck.id).catch(() => undefined) : undefined;
      await client.tabs.update(good.id, { active: true });
      await good.page.until('it is seen', async () => (await good.page.run('document.hidden')) === false);
      const wheel: InputWithoutSeq = {
        type: 'wheel',
        deltaX: 0,
        deltaY: 9,
        notched: false,
        x: 640,
        y: 400,
        modifiers: 0,
      };
      await takesClicks(good.page);
      await good.page.run('reportEvents(window, ["mouseup"], ({ clientX }) => `at ${clientX}`)');
      await measure(
        () => {
          type('é');
          client.sendInput(wheel);
          client.sendInput({ type: 'text', text: '漢字', modifiers: 0 });
          click(300, 400, other);
        },
        () => good.page.event('at 300'),
      );
      await reloading;
      await client.tabs.remove([good.id, stuck.id]);
    });
  }

  test('when a key listener loops', async () => {
    const { id, page } = await open();
    await client.tabs.move(id, { index: 0 });
    const good = await open();
    await good.page.run('reportEvents(document, ["visibilitychange"], () => `hidden: ${document.hidden}`)');
    await client.tabs.move(good.id, { index: 0 });
    await client.tabs.update(id, { active: true });
    await good.page.event('hidden: true');
    await page.run('onkeydown = () => { for (;;); }');
    await measure(
      () => {
        type('é');
        // The tab's place in the tab strip.
        click(120, 20, other);
      },
      () => good.page.event('hidden: false'),
    );
    await takesClicks(good.page);
    await client.tabs.remove([id, good.id]);
  });

  test('when a key listener opens an alert, which its button closes', async () => {
    const { id, page } = await open();
    await page.run('onkeydown = () => { alert("Hello"); report({ event: "answered" }); }');
    await measure(
      () => type('é'),
      () => until('it is open', async () => (await client.dialogs.list()).length).then(() => undefined),
    );
    // Chromium ignores clicks on a dialog that has just appeared, and a click that follows another one
    // closely.
    let clicked = performance.now();
    await until('the dialog is closed by its button', () => {
      if (performance.now() - clicked > 1_000) {
        clicked = performance.now();
        click(812, 190, other);
      }
      return page.count('answered');
    });
    await takesClicks(page);
    await client.tabs.remove(id);
  });
});
