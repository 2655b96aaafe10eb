import { sendKeys } from '@web/test-runner-commands';
import { textPieces } from '../../../src/input/keyboard/text-pieces.js';
import { equal, ok } from './assert.js';
import { bench, key, keyWords, type Bench } from './harness.js';

describe('text without keys', () => {
  let hand: Bench;
  beforeEach(() => {
    hand = bench();
    hand.input.focus();
  });
  afterEach(() => hand.close());

  const compose = (type: string, data: string) =>
    hand.field.dispatchEvent(new CompositionEvent(type, { data, bubbles: true }));
  const edit = (inputType: string, data: string | null = null) =>
    !hand.field.dispatchEvent(
      new InputEvent('beforeinput', { inputType, data, cancelable: true, bubbles: true }),
    );
  const words = () =>
    hand.sent.map((event) => ('text' in event ? `${event.type}:${event.text}` : event.type));

  it('leaves the keys of an input method to the input method', () => {
    for (const state of [
      { key: 'Dead' },
      { key: 'Process' },
      { key: 'a', isComposing: true },
      { key: 'a', keyCode: 229 },
    ]) {
      ok(!key(hand.field, 'keydown', { code: 'KeyA', ...state }), `${state.key} is not taken`);
    }
    equal(hand.sent, []);
  });

  it('sends a growing composition, then the finished text once', () => {
    compose('compositionstart', '');
    compose('compositionupdate', 'か');
    edit('insertCompositionText', 'か');
    compose('compositionupdate', '漢字');
    compose('compositionend', '漢字');
    edit('insertText', '漢字');
    equal(words(), ['composition:か', 'composition:漢字', 'text:漢字']);
  });

  it('sends the beginning of a composition that does not fit into one event, and then all of its text', () => {
    const long = '漢'.repeat(6_000);
    compose('compositionstart', '');
    compose('compositionupdate', long);
    compose('compositionend', long);
    const [beginning, ...pieces] = hand.sent.map((event) => ('text' in event ? event.text : ''));
    equal(beginning, '漢'.repeat(5_461));
    equal(pieces.join(''), long);
  });

  it('cancels a composition that the user cancels', () => {
    compose('compositionstart', '');
    compose('compositionupdate', 'か');
    compose('compositionend', '');
    equal(words(), ['composition:か', 'composition:']);
  });

  it('ends a composition that the session has ended, so that the next letters are not lost', async () => {
    compose('compositionstart', '');
    compose('compositionupdate', 'hel');
    const empty = hand.field.value;
    hand.field.value += 'hel';
    hand.input.release();
    equal(hand.field.value, empty);
    await sendKeys({ type: '漢' });
    equal(words(), ['composition:hel', 'release', 'text:漢']);
  });

  it('sends inserted text, including emoji', async () => {
    await sendKeys({ type: '漢🙂' });
    equal(
      hand
        .of('text')
        .map(({ text }) => text)
        .join(''),
      '漢🙂',
    );
    equal(hand.field.value.length, 1);
  });

  it('sends the edits of an on-screen keyboard as keys', () => {
    ok(edit('deleteContentBackward'), 'the field keeps what it holds');
    edit('insertLineBreak');
    equal(keyWords(hand), ['+Backspace', '-Backspace', '+Enter', '-Enter']);
  });

  it('splits a long text between characters', () => {
    equal(textPieces('aé漢🙂', 4), ['aé', '漢', '🙂']);
    equal(textPieces('', 4), []);
  });
});
