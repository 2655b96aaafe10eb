import { sendKeys } from '@web/test-runner-commands';
import { Modifier } from '../../../src/protocol/index.js';
import { equal } from './assert.js';
import { bench, key, type Bench } from './harness.js';

const { control } = Modifier;

describe('pasting', () => {
  let hand: Bench;
  beforeEach(() => {
    hand = bench();
    hand.input.focus();
  });
  afterEach(() => hand.close());

  const down = (letter: string) =>
    key(hand.field, 'keydown', { code: `Key${letter.toUpperCase()}`, key: letter, ctrlKey: true });
  const up = (letter: string) =>
    key(hand.field, 'keyup', { code: `Key${letter.toUpperCase()}`, key: letter, ctrlKey: true });
  /** Control+V with this text on the local clipboard. Tells what was sent: `V` for the key, or the text. */
  const paste = (text: string): string => {
    hand.sent.length = 0;
    down('v');
    const clipboardData = new DataTransfer();
    if (text) clipboardData.setData('text/plain', text);
    hand.field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData, cancelable: true }));
    up('v');
    return hand.sent
      .map((event) => (event.type === 'text' ? event.text : event.type === 'key' ? 'V' : '?'))
      .join(' ');
  };
  const copy = () => {
    down('c');
    up('c');
  };

  it('sends the text of the local clipboard, again and again', () => {
    equal(paste('one'), 'one');
    equal(paste('one'), 'one');
  });

  it('is the remote side’s own when the local clipboard is empty', () => {
    equal(paste(''), 'V V');
  });

  it('is the remote side’s own after a copy there', () => {
    equal(paste('one'), 'one');
    copy();
    equal(paste('one'), 'V V');
  });

  it('is local again when the user was elsewhere and brought a new text', () => {
    equal(paste('one'), 'one');
    copy();
    window.dispatchEvent(new Event('blur'));
    equal(paste('one'), 'V V');
    window.dispatchEvent(new Event('blur'));
    equal(paste('two'), 'two');
  });

  it('sends the plain key before the next one when no paste event comes', () => {
    down('v');
    equal(hand.sent, []);
    up('v');
    equal(
      hand.of('key').map(({ key, pressed, modifiers }) => [key, pressed, modifiers]),
      [
        ['v', true, control],
        ['v', false, control],
      ],
    );
  });

  it('arrives as Control+V from a real keyboard', async () => {
    await sendKeys({ press: 'Control+KeyV' });
    const sent = hand.sent.map((event) => ('key' in event ? event.key : 'text' in event ? 'v' : event.type));
    equal(sent[0], 'Control');
    equal(sent.includes('v'), true);
  });
});
