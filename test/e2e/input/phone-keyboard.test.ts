import assert from 'node:assert/strict';
import type { LocalField } from '../support/local-field.js';
import { EXACT, localIs, middleOf, near, placesOf } from '../support/phone-fields.js';
import { PHONE, Phones } from '../support/phones.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import { UserKeyboard } from '../support/user-keyboard.js';

cleanUpAtEnd();

/** The fields of the page `fields`, and the `inputMode` that each has on a phone; `none`: no keyboard. */
const MODES: Record<string, string> = {
  plain: 'text',
  email: 'email',
  button: 'none',
  tel: 'tel',
  url: 'url',
  search: 'search',
  number: 'decimal',
  checkbox: 'none',
  range: 'none',
  password: 'text',
  area: 'text',
  rich: 'text',
  numeric: 'numeric',
  decimal: 'decimal',
  own: 'none',
  readonly: 'none',
  open: 'tel',
  closed: 'email',
  nothing: 'none',
  near: 'url',
  far: 'email',
  design: 'text',
};
let phones: Phones;
test.beforeAll(({ service, pages, browser }) => {
  phones = new Phones(service, pages, browser);
});

test.describe('a phone’s keyboard', () => {
  for (const parameters of [{}, { user_agent: 'chrome_android' }])
    test(`has the kind that each field of a page requests, and is closed elsewhere: ${JSON.stringify(parameters)}`, async () => {
      const phone = await phones.open('fields', parameters);
      const places = await placesOf(phone);
      for (const [name, mode] of Object.entries(MODES)) {
        const place = places[name];
        assert.ok(place, name);
        await phone.fingers.tap(middleOf(place));
        const inField = ({ left, top }: LocalField) =>
          left >= place[0] - EXACT &&
          left <= place[0] + place[2] + EXACT &&
          top >= place[1] - EXACT &&
          top <= place[1] + place[3];
        const is = (field: LocalField) =>
          field.focused && field.inputMode === mode && (mode === 'none' || inField(field));
        await localIs(phone, `${name} has a keyboard ${mode}`, is);
      }
      await phone.close();
    });

  test(
    'gets the label of Enter and the fill-in hint of a field, and stores no passwords',
    { tag: '@main' },
    async () => {
      const phone = await phones.open('fields');
      const places = await placesOf(phone);
      const tapped = (name: string, holds: (field: LocalField) => boolean) => {
        const place = places[name];
        assert.ok(place);
        return phone.fingers.tap(middleOf(place)).then(() => localIs(phone, `${name} is seen`, holds));
      };
      await tapped('tel', ({ enterKeyHint, type }) => enterKeyHint === 'next' && type === 'textarea');
      await tapped('search', ({ enterKeyHint }) => enterKeyHint === 'search');
      await tapped('numeric', ({ autocomplete }) => autocomplete === 'one-time-code');
      await tapped('password', ({ type, inputMode }) => type === 'password' && inputMode === 'text');
      await tapped('plain', ({ type, autocomplete }) => type === 'textarea' && autocomplete === 'off');
      await phone.close();
    },
  );

  test('does not cover the focused field, even if it makes the page shorter', async () => {
    const phone = await phones.open('fields');
    const { page } = phone.viewer;
    const place = (await placesOf(phone))['far'];
    assert.ok(place && place[1] > 560);
    await phone.fingers.tap(middleOf(place));
    await localIs(phone, 'the field has its keyboard', ({ inputMode }) => inputMode === 'email');
    const canvas = page.locator('cloud-browser canvas');
    const picture = async () => (await canvas.boundingBox()) ?? assert.fail('there is no picture');
    const before = await picture();
    await page.setViewportSize({ width: PHONE.width, height: 500 });
    await until('the field is above the keyboard', async () => {
      const top = (await picture()).y + place[1];
      return top >= 0 && top + place[3] <= 500;
    });
    assert.equal((await picture()).width, before.width, 'the picture keeps its size');
    await localIs(phone, 'the local field goes with it', ({ top }) => top > 440 && top < 500);
    const nothing = (await placesOf(phone))['nothing'];
    await page.setViewportSize(PHONE);
    assert.ok(nothing);
    await phone.fingers.tap(middleOf(nothing));
    await until('the picture is where it was', async () => (await picture()).y === 0);
    await phone.close();
  });
});

test.describe('an input method', () => {
  test('has its list at the remote caret and its text in the remote field', async () => {
    const phone = await phones.open('fields');
    const { remote, viewer } = phone;
    const keyboard = new UserKeyboard(await viewer.cdp());
    const place = (await placesOf(phone))['plain'];
    assert.ok(place);
    await remote.run('of("plain").value = ""');
    await phone.fingers.tap(middleOf(place));
    await localIs(phone, 'the caret is at the start', ({ left }) => near(left, place[0] + 6));
    const textWidth = async (text: string) => Number(await remote.run(`widthOf(${JSON.stringify(text)})`));
    const caretBehind = async (text: string) => {
      const width = await textWidth(text);
      const at = await localIs(phone, `the caret is behind ${text}`, ({ left }) =>
        near(left, place[0] + 6 + width),
      );
      assert.ok(at.top >= place[1] && at.top + at.height <= place[1] + place[3] + EXACT);
    };
    await keyboard.compose('に', 'にほ', 'にほんご');
    await remote.event('compositionupdate にほんご');
    await remote.until('it is shown', (state) => state['plain'] === 'にほんご');
    await caretBehind('にほんご');
    await keyboard.commit('日本語');
    await remote.until('it is written', (state) => state['plain'] === '日本語');
    await caretBehind('日本語');
    await phone.close();
  });

  test('shows unfinished text in a frame of another origin', async () => {
    const phone = await phones.open('fields');
    const keyboard = new UserKeyboard(await phone.viewer.cdp());
    const place = (await placesOf(phone))['far'];
    assert.ok(place);
    await phone.fingers.tap(middleOf(place));
    await localIs(phone, 'the field has its keyboard', ({ inputMode }) => inputMode === 'email');
    await keyboard.compose('に', 'にほん');
    await phone.remote.until('the frame shows it', (state) => String(state['far']).includes('にほん'));
    await keyboard.commit('日本');
    await phone.remote.until('the frame has it', (state) => String(state['far']).includes('日本'));
    await phone.close();
  });
});

test('the embed page on a phone has a keyboard button, and does not move under fingers', async () => {
  const phone = await phones.open('fields');
  const { page } = phone.viewer;
  const button = page.locator('cloud-browser [part~=keyboard]');
  const nothing = (await placesOf(phone))['nothing'];
  assert.ok(nothing);
  await phone.fingers.tap(middleOf(nothing));
  await localIs(phone, 'there is no keyboard', ({ inputMode }) => inputMode === 'none');
  await button.tap();
  await localIs(phone, 'there is a keyboard', ({ inputMode }) => inputMode === 'text');
  await button.tap();
  await localIs(phone, 'there is none again', ({ inputMode, focused }) => focused && inputMode === 'none');
  await phone.fingers.swipe([200, 700], [200, 100]);
  await phone.fingers.pinch([195, 420], 100, 300);
  assert.deepEqual(
    await page.evaluate(() => [scrollY, visualViewport?.scale, visualViewport?.offsetTop]),
    [0, 1, 0],
  );
  await phone.close();
});
