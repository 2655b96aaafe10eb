import assert from 'node:assert/strict';
import type { HostedPage } from '../support/hosted-page.js';
import { Person, type Place } from '../support/person.js';
import type { Service, Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

test.describe.configure({ retries: 0 });
cleanUpAtEnd();
const SIZE = { width: 900, height: 600 };
const MASK = { matches: ['http://127.0.0.1/*', '*://localhost/*'], selectors: ['.secret'] };
/** Text that the user means for the masked field. */
const SECRET = 'smuggled';
/** The middle of the address bar, and of the browser's own interface above the page. Pixels of the screen. */
const ADDRESS_BAR: Place = [400, 62];
/**
 * Another place of the address bar. On a fast machine a second press at the same place is a double click,
 * which selects a word.
 */
const ADDRESS_BAR_ELSEWHERE: Place = [600, 62];

let session: Session;
let page: HostedPage;
let search: HostedPage;
let guest: Person;
let owner: Person;
/** The height of the browser's interface above the page, in pixels of the screen. */
let top = 0;
let notices: string[];

/** Opens a session with a user who has the role `field_masking` and one who has not. */
async function open(service: Service, kiosk: boolean): Promise<void> {
  await service.endAll();
  search_engine.url = `${search.url}&q={searchTerms}`;
  const { url: start_url } = page;
  session = await service.create({ ...SIZE, start_url, kiosk, search_engine, field_masking: [MASK] });
  await page.loaded();
  [guest, owner] = [await Person.enter(session, page, false), await Person.enter(session, page, true)];
  notices = [];
  guest.socket.on('notice', ({ kind, message }) => notices.push(`${kind}: ${message}`));
  if (!kiosk) top = Number(await page.run('outerHeight - innerHeight'));
}
const search_engine = { name: 'Search', keyword: 'search', url: '' };

/** A place of the page, by its distance from the page's top left. */
const inPage = (left: number, down: number): [number, number] => [left, top + down];
const plain = () => inPage(170, 75);

type Way = (who: Person) => void | Promise<void>;
const press =
  (...keys: string[]): Way =>
  (who) =>
    keys.forEach((key) => who.press(key));
const pressAndWrite =
  (key: string): Way =>
  (who) => {
    who.press(key);
    who.text(SECRET);
  };

/** Ways to enter text after a press on a masked field was refused. */
const WAYS: Record<string, Way> = {
  keys: press(...[...SECRET].map((letter) => `Key${letter.toUpperCase()}`)),
  'keys with Shift': press('Shift+KeyS'),
  'the space bar': (who) => who.space(),
  text: (who) => who.text(SECRET),
  'text of another script': (who) => who.text('秘密'),
  'an input method': (who) => {
    who.compose('ひ');
    who.compose('ひみ');
    who.text('秘密');
  },
  'an input method that is given up': (who) => {
    who.compose('ひ');
    who.compose('');
  },
  'a paste': async (who) => {
    const upload = who.socket.clipboard.upload({ text: SECRET });
    await upload.sent;
    const key = { code: 'KeyV', key: 'v', modifiers: 2 };
    who.socket.sendInput({ type: 'paste', transfer: upload.transfer, ...key });
  },
  'Control+V': press('Control+KeyV'),
  'Shift+Insert': press('Shift+Insert'),
  'Control+X': press('Control+KeyA', 'Control+KeyX'),
  Backspace: press('Backspace'),
  Delete: press('Control+KeyA', 'Delete'),
  'Control+Z': press('Control+KeyZ'),
  'the arrow keys': press('ArrowDown', 'ArrowUp'),
  'Control+L': pressAndWrite('Control+KeyL'),
  F6: pressAndWrite('F6'),
  'Control+T': pressAndWrite('Control+KeyT'),
  'a key that was held before': (who) => {
    const key = { type: 'key', code: 'KeyS', key: 's', modifiers: 0 } as const;
    for (let count = 0; count < 5; count++) who.socket.sendInput({ ...key, pressed: true, repeat: true });
    who.socket.sendInput({ ...key, pressed: false, repeat: false });
  },
  Enter: (who) => {
    who.text(SECRET);
    who.press('Enter');
    who.press('Alt+Enter');
  },
};

test.describe('after a refused press on a masked field, a user without the role', () => {
  test('enters nothing into another field that has the focus, in any of 20 ways', async ({
    service,
    pages,
  }) => {
    page = pages.page('masked');
    search = pages.page('marker');
    await open(service, true);
    await page.fills(SIZE);
    await page.run('document.body.onkeydown = () => { keys = (window.keys ?? 0) + 1 }');
    const leaks: string[] = [];
    for (const [name, way] of Object.entries(WAYS)) {
      await guest.through();
      await page.run('renew(); byId("free").value = "kept"; byId("free").focus(); keys = 0');
      const before = String(await page.run('JSON.stringify(fields())'));
      const act = name.length % 2 === 0 ? () => guest.click(...plain()) : () => guest.tap(plain());
      act();
      await way(guest);
      // All events of a user go through one queue, so this event comes after all of the above.
      await settled();
      const after = String(await page.run('JSON.stringify(fields())'));
      const value = await page.run('byId("free").value');
      if (after !== before || value !== 'kept' || (await page.run('keys')) !== 0) leaks.push(name);
    }
    assert.deepEqual(leaks, []);
    assert.equal(search.requests.length, 0);
    assert.match(notices.join(), /field-masked: .*press Tab/);
  });

  test('enters nothing into the address bar and sends nothing to the network, in any of 20 ways', async ({
    service,
    pages,
  }) => {
    page = pages.page('masked');
    search = pages.page('marker');
    await open(service, false);
    const { loads } = page;
    // On a busy machine a press may be refused, because its target was not known in time.
    await until('the address bar has the focus', () => {
      guest.click(...ADDRESS_BAR);
      const left = async () => !(await page.run('document.hasFocus()'));
      return until('the page has lost it', left, 5_000).catch(() => false);
    });
    for (const way of Object.values(WAYS)) {
      guest.click(...plain());
      await way(guest);
    }
    await settled();
    // The address bar still has the focus and the page's address. Another user submits it.
    await until('the page is loaded again', async () => {
      owner.press('Enter');
      return until('it is', () => page.loads > loads, 5_000).catch(() => false);
    });
    assert.equal(search.requests.length, 0);
    assert.equal(await page.run('location.href'), page.url);
    // The same ways enter text after a press that was not refused.
    guest.click(...ADDRESS_BAR_ELSEWHERE);
    guest.text(SECRET);
    guest.press('Enter');
    await until('the words are searched for', () => search.requests.length > 0);
  });

  for (const [where, host] of [
    ['a frame of the page’s origin', '127.0.0.1'],
    ['a frame of another origin and process', 'localhost'],
  ] as const)
    test(`enters nothing elsewhere when the field is in ${where}`, async ({ service, pages }) => {
      page = pages.page('masked');
      search = pages.page('marker');
      const frame = pages.page('masked-frame');
      await open(service, true);
      await page.fills(SIZE);
      await page.run(`addFrame('inner', ${JSON.stringify(frame.url.replace('127.0.0.1', host))}, 200)`);
      await frame.run('true');
      for (const press of [() => guest.click(550, 215), () => guest.tap([550, 215])]) {
        await page.run('renew(); byId("free").value = "kept"; byId("free").focus()');
        press();
        guest.press('KeyX');
        guest.text(SECRET);
        await settled();
        assert.equal(await page.run('byId("free").value'), 'kept');
        assert.equal(await frame.run('field.value'), '');
        await guest.through();
      }
    });

  test('can type again after a press elsewhere or Tab, and other users can type all the time', async ({
    service,
    pages,
  }) => {
    page = pages.page('masked');
    search = pages.page('marker');
    await open(service, true);
    await page.fills(SIZE);
    await page.run('byId("free").focus()');
    guest.click(...plain());
    guest.text('a');
    await until('the owner writes', async () => {
      owner.text('o');
      return /^o+$/.test(String(await page.run('byId("free").value')));
    });
    guest.text('b');
    await guest.through();
    await page.run('renew()');
    guest.click(...plain());
    guest.press('Shift+Tab');
    guest.press('Tab');
    await page.run('byId("free").focus()');
    await until('the guest writes after Tab', async () => {
      guest.text('t');
      return /^t+$/.test(String(await page.run('byId("free").value')));
    });
  });

  test('still enters nothing after a reconnect', async ({ service, pages }) => {
    page = pages.page('masked');
    search = pages.page('marker');
    await open(service, true);
    await page.fills(SIZE);
    await page.run('byId("free").value = "kept"; byId("free").focus()');
    guest.click(...plain());
    await until('the guest is told', () => notices.length > 0);
    await guest.socket.reconnect();
    guest.press('KeyX');
    guest.text(SECRET);
    await settled();
    assert.equal(await page.run('byId("free").value'), 'kept');
  });
});

/** Resolves when all earlier input of the guest is done or refused, because a wheel event comes after it. */
async function settled(): Promise<void> {
  const before = Number(await page.run('window.wheels ?? (onwheel = () => { wheels++ }, window.wheels = 0)'));
  await until('a wheel’s turn arrives', async () => {
    guest.wheel(inPage(600, 350));
    return until('it does', async () => Number(await page.run('wheels')) > before, 2_000).catch(() => false);
  });
}
