import { marksOf } from '../../../server/browser-extensions/focus/marks.js';
import { Masks } from '../../../server/browser-extensions/focus/masks.js';
import { ok } from './assert.js';

/** Styles of a masked element whose text is outside of its box. */
const STYLES = {
  'has no box': 'display: contents',
  'overflows to the left': 'width: 20px; white-space: nowrap; direction: rtl',
  'begins before its box': 'width: 300px; text-indent: -60px',
};

describe('the masked areas of a picture', () => {
  let around: HTMLElement;
  beforeEach(() => {
    around = document.createElement('div');
    around.style.margin = '200px';
    document.body.append(around);
  });
  afterEach(() => around.remove());

  for (const [title, style] of Object.entries(STYLES))
    it(`contain the text of an element that ${title}`, () => {
      const element = document.createElement('div');
      element.className = 'masked';
      element.style.cssText = style;
      element.textContent = 'the number of a card';
      around.append(element);
      const masks = new Masks([{ addresses: [{ whole: '', site: '' }], selectors: ['.masked'] }]);
      const range = document.createRange();
      range.selectNodeContents(element);
      const text = range.getBoundingClientRect();
      const { areas } = marksOf(masks, false);
      const covers = areas.some(
        ([left, top, right, bottom]) =>
          left <= text.left && top <= text.top && right >= text.right && bottom >= text.bottom,
      );
      ok(text.width > 0 && covers, JSON.stringify({ text, areas }));
    });

  it('are those of elements with content, if the host asks only for them', () => {
    const count = () => marksOf(masks, false, true).areas.length;
    const masks = new Masks([{ addresses: [{ whole: '', site: '' }], selectors: ['.masked'] }]);
    const field = document.createElement('input');
    const editor = document.createElement('div');
    const inner = document.createElement('b');
    for (const element of [field, editor]) element.className = 'masked';
    editor.append(' ', inner);
    around.append(field, editor);
    ok(count() === 0, 'empty elements');
    field.value = '4242';
    ok(count() === 1, 'a field');
    inner.textContent = '4242';
    ok(count() === 2, 'a text inside of an editor');
    const choice = document.createElement('input');
    choice.className = 'masked';
    for (const type of ['checkbox', 'radio']) {
      choice.type = type;
      choice.checked = false;
      around.append(choice);
      ok(count() === 2, `an empty ${type}`);
      choice.checked = true;
      ok(count() === 3, `a checked ${type}`);
    }
  });
});
