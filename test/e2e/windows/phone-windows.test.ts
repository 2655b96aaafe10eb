import assert from 'node:assert/strict';
import type { LocalField } from '../support/local-field.js';
import { EXACT, localIs, middleOf, near, placesOf } from '../support/phone-fields.js';
import { PHONE, Phones } from '../support/phones.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();

let phones: Phones;
test.beforeAll(({ service, pages, browser }) => {
  phones = new Phones(service, pages, browser);
});

test('the browser’s own interface has a keyboard for its address bar and for a dialog with a text field', async () => {
  const phone = await phones.open('fields', { kiosk: false, width: 500 });
  const { remote, viewer, fingers } = phone;
  const offset = PHONE.height - Number(await remote.run('innerHeight'));
  const place = (await placesOf(phone))['tel'];
  assert.ok(place);
  const page = await viewer.page.locator('cloud-browser canvas').boundingBox();
  const scale = PHONE.width / 500;
  assert.ok(page);
  const below = (PHONE.height - 844 * scale) / 2;
  const at = ([x, y]: [number, number]): [number, number] => [x * scale, below + y * scale];
  await fingers.tap(at([250, offset - 20]));
  const bar = await localIs(phone, 'the address bar has a keyboard', ({ inputMode }) => inputMode === 'url');
  assert.equal(bar.enterKeyHint, 'go');
  assert.ok(bar.top < below + offset * scale && bar.top > below, `the bar is at ${bar.top}`);
  const [x, y] = middleOf(place);
  await fingers.tap(at([x, y + offset]));
  const tel = await localIs(phone, 'the field has a keyboard', ({ inputMode }) => inputMode === 'tel');
  assert.ok(near(tel.top + tel.height / 2, at([x, y + offset])[1]), `the field is at ${tel.top}`);
  const asked = remote.run('prompt("Your name?")');
  await localIs(phone, 'the dialog has a keyboard', ({ inputMode }) => inputMode === 'text');
  await viewer.page.keyboard.press('Escape');
  await asked;
  await localIs(phone, 'the field has it again', ({ inputMode }) => inputMode === 'tel');
  await phone.close();
});

test('a page in its own window has the keyboard for its fields, and the page that opened it gets its own back', async ({
  pages,
}) => {
  const phone = await phones.open('fields');
  const { remote, viewer, fingers } = phone;
  const popup = pages.page('fields');
  const { nothing, tel } = await placesOf(phone);
  assert.ok(nothing && tel);
  const opens = `addEventListener('click', () => { opened = open(${JSON.stringify(popup.url)}); }, { once: true })`;
  await remote.run(`void (window.opened = undefined, ${opens})`);
  await fingers.tap(middleOf(nothing));
  await popup.loaded();
  await until('it has the focus in its window', () => popup.run('document.hasFocus() && innerWidth > 300'));
  await viewer.atRest();
  // The window gets its size shortly after the page has started.
  const bar = await until('it is below the bar of its window', async () => {
    const height = PHONE.height - Number(await popup.run('innerHeight'));
    return height > 0 && height;
  });
  const places = await placesOf({ remote: popup });
  for (const [name, mode] of [
    ['email', 'email'],
    ['far', 'email'],
    ['numeric', 'numeric'],
  ] as const) {
    const place = places[name];
    assert.ok(place);
    const [x, y] = middleOf(place);
    await fingers.tap([x, y + bar]);
    const inField = ({ top }: LocalField) =>
      top >= bar + place[1] - EXACT && top <= bar + place[1] + place[3];
    await localIs(
      phone,
      `${name} of the window has its keyboard`,
      (field) => field.inputMode === mode && inField(field),
    );
  }
  await remote.run('opened.close()');
  await until('the page below is in front', () => remote.run('document.hasFocus()'));
  await viewer.atRest();
  await fingers.tap(middleOf(tel));
  await localIs(phone, 'the field below has its keyboard', ({ inputMode }) => inputMode === 'tel');
  await phone.close();
});
