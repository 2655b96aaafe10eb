import { sendKeys, sendMouse } from '@web/test-runner-commands';
import { equal, ok } from './assert.js';
import { bench, key, keyWords, type Bench } from './harness.js';

describe("the page's keyboard", () => {
  let hand: Bench;
  let elsewhere: HTMLElement;
  beforeEach(() => {
    hand = bench();
    elsewhere = document.body.appendChild(document.createElement('div'));
    hand.input.setKeyboard('page');
  });
  afterEach(() => {
    hand.close();
    elsewhere.remove();
  });

  it('also goes to the remote screen while no field has the focus, and still to the page', async () => {
    let seen = 0;
    const count = () => seen++;
    window.addEventListener('keydown', count);
    await sendKeys({ press: 'x' });
    window.removeEventListener('keydown', count);
    equal(keyWords(hand), ['+x', '-x']);
    equal(seen, 1);
    ok(!key(document.body, 'keydown', { code: 'Space', key: ' ' }), 'the page keeps its own action');
  });

  it('does not go to the remote screen while a field of the page has the focus', () => {
    elsewhere.innerHTML = '<input /><textarea></textarea><p contenteditable>text</p><button></button>';
    for (const child of elsewhere.children) key(child as HTMLElement, 'keydown', { code: 'KeyA', key: 'a' });
    equal(keyWords(hand), ['+a']);
  });

  it('does not go to the remote screen while a list of the page has the focus', async () => {
    elsewhere.innerHTML = '<select><option>a</option><option>b</option></select>';
    const list = elsewhere.firstElementChild as HTMLSelectElement;
    list.focus();
    await sendKeys({ press: 'b' });
    equal([list.value, keyWords(hand)], ['b', []]);
  });

  it('leaves Enter and Space to a button or link that the user has reached by keyboard', async () => {
    elsewhere.innerHTML = '<button>b</button><details><summary>s</summary></details><a href="#x">a</a>';
    const pressed: string[] = [];
    const click = (event: Event) => {
      event.preventDefault();
      pressed.push((event.target as HTMLElement).localName);
    };
    elsewhere.addEventListener('click', click);
    for (const name of ['button', 'summary', 'a']) {
      elsewhere.querySelector<HTMLElement>(name)?.focus();
      await sendKeys({ press: 'Enter' });
      await sendKeys({ press: 'Space' });
    }
    await sendKeys({ press: 'c' });
    equal(pressed, ['button', 'button', 'summary', 'summary', 'a']);
    // A link has no use for the space bar.
    equal(keyWords(hand), ['+ ', '- ', '+c', '-c']);
  });

  it('still goes to the remote screen after a click on a button', async () => {
    elsewhere.innerHTML = '<button style="position: fixed; left: 500px; top: 0">b</button>';
    await sendMouse({ type: 'click', position: [505, 5] });
    equal(document.activeElement?.localName, 'button');
    await sendKeys({ type: 'a ' });
    equal(keyWords(hand), ['+a', '-a', '+ ', '- ']);
  });

  it('does not go to the remote screen while a field in a closed shadow tree has the focus', async () => {
    const host = elsewhere.appendChild(document.createElement('closed-card'));
    const field = host.attachShadow({ mode: 'closed' }).appendChild(document.createElement('input'));
    field.focus();
    await sendKeys({ type: 'ab' });
    equal([field.value, keyWords(hand)], ['ab', []]);
    // Frameworks focus an element around the page's content after a change of the page.
    const around = elsewhere.appendChild(document.createElement('app-root'));
    around.tabIndex = -1;
    around.focus();
    await sendKeys({ press: 'c' });
    equal(keyWords(hand), ['+c', '-c']);
  });

  it('sends each key once while the surface has the focus', async () => {
    hand.input.focus();
    await sendKeys({ press: 'y' });
    equal(keyWords(hand), ['+y', '-y']);
  });

  it('releases its pressed keys even if the focus has moved', () => {
    elsewhere.innerHTML = '<input />';
    key(document.body, 'keydown', { code: 'KeyA', key: 'a' });
    key(elsewhere.firstElementChild as HTMLElement, 'keyup', { code: 'KeyA', key: 'a' });
    equal(keyWords(hand), ['+a', '-a']);
  });

  it('releases its pressed keys even if the field with the focus stops their keyup', () => {
    elsewhere.innerHTML = '<input />';
    const field = elsewhere.firstElementChild as HTMLElement;
    field.addEventListener('keyup', (event) => event.stopPropagation());
    key(document.body, 'keydown', { code: 'Tab', key: 'Tab' });
    key(field, 'keyup', { code: 'Tab', key: 'Tab' });
    equal(keyWords(hand), ['+Tab', '-Tab']);
  });

  it('presses a paste key without a paste before it releases the modifier', () => {
    key(document.body, 'keydown', { code: 'ControlLeft', key: 'Control', ctrlKey: true });
    key(document.body, 'keydown', { code: 'KeyV', key: 'v', ctrlKey: true });
    key(hand.field, 'keyup', { code: 'ControlLeft', key: 'Control' });
    equal(keyWords(hand), ['+Control/2', '+v/2', '-v/2', '-Control']);
  });

  it('releases its pressed keys when the mode is changed before their keyup', () => {
    key(document.body, 'keydown', { code: 'KeyC', key: 'c' });
    hand.input.setKeyboard('surface');
    key(document.body, 'keyup', { code: 'KeyC', key: 'c' });
    equal([keyWords(hand), hand.of('release').length], [['+c'], 1]);
    hand.input.setKeyboard('page');
    hand.input.setKeyboard('surface');
    equal(hand.of('release').length, 1);
  });

  it('releases a key whose keyup was lost before it presses the key again', () => {
    for (let time = 0; time < 2; time++) key(document.body, 'keydown', { code: 'KeyA', key: 'a' });
    key(document.body, 'keydown', { code: 'KeyA', key: 'a', repeat: true });
    key(document.body, 'keyup', { code: 'KeyA', key: 'a' });
    equal(keyWords(hand), ['+a', '-a', '+a', '*a', '-a']);
  });

  it('releases keys whose keyup macOS does not send', () => {
    const mac = bench('mac');
    mac.input.setKeyboard('page');
    key(document.body, 'keydown', { code: 'KeyB', key: 'b' });
    key(document.body, 'keydown', { code: 'MetaLeft', key: 'Meta', metaKey: true });
    key(document.body, 'keydown', { code: 'KeyA', key: 'a', metaKey: true });
    key(document.body, 'keyup', { code: 'MetaLeft', key: 'Meta' });
    equal(keyWords(mac), ['+b', '+Control/2', '+a/2', '-a/2', '-b', '-Control']);
    mac.close();
  });

  it('focuses the text field for dead keys and pasting', () => {
    key(document.body, 'keydown', { code: 'BracketLeft', key: 'Dead' });
    ok(document.activeElement === hand.field, 'the field has the focus');
    hand.field.blur();
    key(document.body, 'keydown', { code: 'KeyV', key: 'v', ctrlKey: true });
    ok(document.activeElement === hand.field, 'the field has the focus again');
  });

  it('goes only to the page after the mode is changed back', () => {
    hand.input.setKeyboard('surface');
    key(document.body, 'keydown', { code: 'KeyA', key: 'a' });
    equal(keyWords(hand), []);
  });

  it("and the surface's keyboard are off in the mode none", () => {
    hand.input.focus();
    hand.input.setKeyboard('none');
    ok(document.activeElement !== hand.field, 'the field has let go');
    hand.input.focus();
    key(document.body, 'keydown', { code: 'KeyA', key: 'a' });
    ok(document.activeElement !== hand.field, 'the field takes no focus');
    equal(keyWords(hand), []);
  });
});
