import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { TypedText } from '../../../server/src/host/features/recording/events/typed-text.js';

const input = { seq: 1, modifiers: 0 };
const press = { ...input, type: 'button', pressed: true, button: 0, x: 3, y: 4 } as const;

let texts: TypedText;
beforeEach(() => {
  texts = new TypedText();
  type('my secret');
});

/** Types a text and clicks. */
function type(text: string): void {
  texts.add('ada', { ...input, type: 'text', text });
  texts.add('ada', press);
}

describe('a typed text', () => {
  it('is not forgotten because of texts that are too short to be searched', () => {
    for (let count = 0; count < 200; count++) type('w');
    assert.equal(texts.isIn('my secret page'), true);
  });

  it('is not forgotten because of a text that is typed again and again', () => {
    for (let count = 0; count < 200; count++) type('again');
    assert.equal(texts.isIn('my secret page'), true);
  });

  it('is divided at a blank if it is long', () => {
    type(`${'ab '.repeat(166)}one two six`);
    assert.equal(texts.isIn('one two six'), true);
    type(`${'ab '.repeat(165)}a Fribourg and so on`);
    assert.equal(texts.isIn('To Fribourg'), true);
    type('x'.repeat(1_200));
    assert.equal(texts.isIn('x'.repeat(100)), true);
  });

  it('is not forgotten because of long texts, whose parts are forgotten after many other parts', () => {
    type(`${'ab '.repeat(166)}one two six`);
    const long = (from: number) => Array.from({ length: 10_000 }, (_, index) => `${from + index}x`).join(' ');
    type(`beginning of ${long(10_000)}`);
    assert.equal(texts.isIn('19999x'), true);
    type(long(20_000));
    assert.equal(texts.isIn('my secret page'), true);
    assert.equal(texts.isIn('one two six'), true);
    assert.equal(texts.isIn('beginning of'), false);
  });

  it('is forgotten after many other texts', () => {
    for (let count = 0; count < 100; count++) type(`text ${count}`);
    assert.equal(texts.isIn('my secret page'), false);
    assert.equal(texts.isIn('text 0'), true);
  });

  it('that was pasted is not forgotten because of empty texts of dialogs', () => {
    texts.enter('pasted secret');
    for (let count = 0; count < 50; count++) texts.enter(' '.repeat(count));
    assert.equal(texts.isIn('pasted secret'), true);
  });
});
