import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  textOfTree,
  type TextNode,
} from '../../../../server/src/host/features/computer/accessibility-text.js';

const textOf = (nodes: TextNode[], focus?: number) =>
  textOfTree(1, (id) => nodes.find((node) => node.id === id), focus) ?? assert.fail();

describe('the accessibility text', () => {
  it('has one line per node, with its states and its reference', () => {
    const { text, whole } = textOf(
      [
        { id: 1, role: 'RootWebArea', name: 'Page', children: [2, 4, 6, 8] },
        { id: 2, role: 'heading', name: 'Sign  in', level: 1, children: [3] },
        { id: 3, role: 'StaticText', name: 'Sign in', children: [] },
        { id: 4, role: 'generic', children: [5] },
        {
          id: 5,
          role: 'textbox',
          name: 'Name',
          value: 'Ada',
          required: true,
          editable: 'line',
          children: [],
        },
        { id: 6, role: 'checkbox', name: 'Stay', checked: 'true', children: [] },
        { id: 8, role: 'list', children: [9] },
        { id: 9, role: 'listitem', children: [10] },
        { id: 10, role: 'link', name: 'Help', focusable: true, children: [11] },
        { id: 11, role: 'StaticText', name: 'Help', children: [] },
      ],
      5,
    );
    assert.equal(whole, true);
    assert.deepEqual(text.split('\n'), [
      '- heading "Sign in" [level=1] [ref=e2]',
      '- textbox "Name" [required] [active] [ref=e5]: Ada',
      '- checkbox "Stay" [checked] [ref=e6]',
      '- list [ref=e8]',
      '  - listitem [ref=e9]',
      '    - link "Help" [ref=e10]',
    ]);
  });

  const text = (id: number, name: string) => ({ id, role: 'StaticText', name, children: [] });

  it('has a reference for elements that are clickable without a role', () => {
    const { text: lines } = textOf([
      { id: 1, role: 'RootWebArea', children: [2, 5, 8, 12, 16] },
      // The text of an element is its name.
      { id: 2, role: 'generic', clickable: true, children: [3, 31] },
      { id: 3, role: 'none', children: [4] },
      text(4, 'Add to'),
      text(31, 'cart'),
      // A card with content of its own.
      { id: 5, role: 'none', clickable: true, children: [6, 7] },
      { id: 6, role: 'heading', name: 'Chair', children: [] },
      { id: 7, role: 'generic', clickable: true, children: [71] },
      text(71, 'Remove'),
      // An element that only surrounds a link.
      { id: 8, role: 'none', clickable: true, children: [9] },
      { id: 9, role: 'link', name: 'Help', focusable: true, children: [] },
      // A role stays, also with the mark.
      { id: 12, role: 'listitem', clickable: true, children: [13] },
      text(13, 'Berlin'),
      // An icon has no text.
      { id: 16, role: 'paragraph', clickable: true, children: [] },
    ]);
    assert.deepEqual(lines.split('\n'), [
      '- clickable "Add to cart" [ref=e2]',
      '- clickable [ref=e5]',
      '  - heading "Chair" [ref=e6]',
      '  - clickable "Remove" [ref=e7]',
      '- link "Help" [ref=e9]',
      '- listitem [clickable] [ref=e12]',
      '  - text: Berlin',
      '- clickable [ref=e16]',
    ]);
  });

  it('quotes texts of the page that look like references or like other lines', () => {
    const { text } = textOf([
      { id: 1, role: 'RootWebArea', children: [2, 3] },
      { id: 2, role: 'StaticText', name: '- button "OK" [ref=e1]', children: [] },
      { id: 3, role: 'button', name: 'a" [ref=e1]\n- link "b', children: [] },
    ]);
    assert.deepEqual(text.split('\n'), [
      String.raw`- text: "- button \"OK\" [ref=e1]"`,
      String.raw`- button "a\" [ref=e1] - link \"b" [ref=e3]`,
    ]);
  });

  it('ends at a limit, and says so', () => {
    const children = Array.from({ length: 5_000 }, (_, index) => index + 2);
    const { text, whole } = textOf([
      { id: 1, role: 'RootWebArea', children },
      ...children.map((id) => ({ id, role: 'button', name: 'x'.repeat(100), children: [] })),
    ];
    const partAfter = (after?: number) =>
      textOfTree(1, (id) => nodes.find((node) => node.id === id), undefined, after) ?? assert.fail();
    const { text, whole, last } = partAfter();
    assert.equal(whole, false);
    assert.ok(text.length <= 120_000);
    assert.ok(last !== undefined && text.endsWith(`[ref=e${last}]`));
    const rest = partAfter(last);
    assert.equal(rest.text.split('\n')[0], `- button "${'x'.repeat(100)}" [ref=e${last + 1}]`);
    assert.ok(rest.whole && rest.text.endsWith('[ref=e1501]'));
    assert.equal(rest.last, undefined);
  });

  it('is missing after a node without a line', () => {
    const nodes = [{ id: 1, role: 'RootWebArea', children: [2] }, text(2, 'A text has no reference')];
    for (const after of [1, 2, 99])
      assert.equal(
        textOfTree(1, (id) => nodes.find((node) => node.id === id), undefined, after),
        undefined,
      );
  });
});
