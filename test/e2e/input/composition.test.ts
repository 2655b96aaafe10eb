import assert from 'node:assert/strict';
import type { HostedPage } from '../support/hosted-page.js';
import { FREE, Person } from '../support/person.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 400 };
/** Places of another field of the page and of its frame. */
const OTHER = [170, 75] as const;
const FRAME = { top: 200, place: [550, 215] as const };

let page: HostedPage;
let frame: HostedPage;
let someone: Person;
let another: Person;

test.describe('the unfinished text of an input method', () => {
  test.beforeAll(async ({ service, pages }) => {
    page = pages.page('masked');
    frame = pages.page('masked-frame');
    const session = await service.create({ ...SIZE, start_url: page.url });
    [someone, another] = [await Person.enter(session, page, false), await Person.enter(session, page, false)];
    await page.fills(SIZE);
    const foreign = frame.url.replace('127.0.0.1', 'localhost');
    await page.run(`addFrame('inner', ${JSON.stringify(foreign)}, ${FRAME.top})`);
    await frame.loaded();
  });

  test.beforeEach(async () => {
    await frame.run('field.value = ""');
    await page.run('byId("plain").oninput = null; renew(); report({ free: "" })');
  });

  const value = (id: string) => page.run(`byId(${JSON.stringify(id)}).value`);
  const composes = async (text: string) => {
    await until('the field has the focus', () => {
      someone.click(...OTHER);
      return page.run('document.activeElement.id === "plain"');
    });
    someone.compose(text);
    await until('it is there', async () => (await value('plain')) === text);
  };

  test('stays when its user moves to a frame of another process, and other fields still accept text', async () => {
    await composes('か');
    someone.click(...FRAME.place);
    await until('the frame has the focus', () => frame.run('document.hasFocus()'));
    someone.compose('き');
    await until('it is there', async () => (await frame.run('field.value')) === 'き');
    someone.click(...FREE);
    someone.text('m');
    await page.until('text arrives', ({ free }) => free === 'm');
    someone.click(...FRAME.place);
    await until('the frame has the focus again', () => frame.run('document.hasFocus()'));
    someone.text('n');
    await until('text arrives in the frame', async () => (await frame.run('field.value')) === 'きn');
    assert.equal(await value('plain'), 'か');
  });

  test('is not replaced by the text of another user', async () => {
    await composes('か');
    another.text('y');
    await until('both are there', async () => (await value('plain')) === 'かy');
  });

  test('is written once when the page moves the focus', async () => {
    await page.run('byId("plain").oninput = () => byId("free").focus()');
    await composes('か');
    await until('the page has moved the focus', () => page.run('document.activeElement.id === "free"'));
    someone.press('KeyX');
    await page.until('the key arrives alone', ({ free }) => free === 'x');
    assert.equal(await value('plain'), 'か');
  });

  test('is finished when its user disconnects', async () => {
    await page.run(
      'byId("plain").addEventListener("compositionend", ({ data }) => report({ event: `end ${data}` }))',
    );
    await composes('き');
    someone.socket.disconnect();
    await page.event('end き');
    assert.equal(await value('plain'), 'き');
  });
});
