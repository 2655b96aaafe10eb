import assert from 'node:assert/strict';
import { middleOf, placesOf } from '../support/phone-fields.js';
import { Phones } from '../support/phones.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();

let phones: Phones;
test.beforeAll(({ service, pages, browser }) => {
  phones = new Phones(service, pages, browser);
});

test('a phone shows the dialog of a page, which would not fit into its picture, and the page gets the answer', async () => {
  const phone = await phones.open('fields');
  const { remote, viewer } = phone;
  const dialog = viewer.page.locator('cloud-browser [part=dialog]');
  const confirmed = remote.run('confirm("Delete the draft?")');
  await dialog.getByText(`${new URL(remote.url).host} says`).waitFor();
  await dialog.getByRole('button', { name: 'OK' }).tap();
  assert.equal(await confirmed, true);
  await dialog.waitFor({ state: 'detached' });
  const named = remote.run('prompt("Your name?", "Ada")');
  await dialog.locator('input').fill('Ben');
  // Waits until the dialog takes an answer.
  await dialog.getByRole('button', { name: 'OK' }).click({ trial: true });
  await viewer.page.keyboard.press('Enter');
  assert.equal(await named, 'Ben');
  await phone.close();
});

test('a phone shows the dialog of a page in its own window, and then that of the page behind the window', async ({
  pages,
}) => {
  const phone = await phones.open('fields');
  const { remote, viewer, fingers } = phone;
  const popup = pages.page('fields');
  const { nothing } = await placesOf(phone);
  assert.ok(nothing);
  const opens = `addEventListener('click', () => { opened = open(${JSON.stringify(popup.url)}); }, { once: true })`;
  await remote.run(`void (window.opened = undefined, ${opens})`);
  await fingers.tap(middleOf(nothing));
  await popup.loaded();
  await until('it has the focus in its window', () => popup.run('document.hasFocus() && innerWidth > 300'));
  const dialog = viewer.page.locator('cloud-browser [part=dialog]');
  const above = popup.run('confirm("Above?")');
  await dialog.getByText('Above?').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).tap();
  assert.equal(await above, false);
  const below = remote.run('confirm("Below?")');
  await dialog.getByText('Below?').waitFor();
  await dialog.getByRole('button', { name: 'OK' }).tap();
  assert.equal(await below, true);
  await remote.run('opened.close()');
  await phone.close();
});
