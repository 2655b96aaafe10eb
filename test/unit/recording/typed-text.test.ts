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

  it('counts as several if it is long, also if it arrives at once', () => {
    type(`${'ab '.repeat(166)}abone two six`);
    assert.equal(texts.isIn('one two six'), true);
    type(Array.from({ length: 10_000 }, (_, index) => `x${index}`).join(' '));
    assert.equal(texts.isIn('my secret page'), false);
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
