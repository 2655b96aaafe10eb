import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  textOfTree,
  type TextNode,
} from '../../../../server/src/host/features/computer/page/accessibility-text.js';

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

  it('has the numbers of a list as text, and no bullets', () => {
    const marker = (id: number, name: string) => ({ id, role: 'ListMarker', name, children: [id + 1] });
    const item = (id: number, clickable = false) => ({
      id,
      role: 'listitem',
      clickable,
      children: [id + 1, id + 3],
    });
    const { text: lines } = textOf([
      { id: 1, role: 'RootWebArea', children: [10, 20, 30] },
      ...[item(10), marker(11, '• '), text(12, '• '), text(13, 'Milk')],
      ...[item(20), marker(21, '2. '), text(22, '2. '), text(23, 'Bread')],
      { id: 30, role: 'generic', clickable: true, children: [31, 33] },
      ...[marker(31, '◦ '), text(32, '◦ '), text(33, 'Eggs')],
    ]);
    assert.deepEqual(lines.split('\n'), [
      '- listitem [ref=e10]',
      '  - text: Milk',
      '- listitem [ref=e20]',
      '  - text: 2.',
      '  - text: Bread',
      '- clickable "Eggs" [ref=e30]',
    ]);
  });

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

  it('does not repeat in a table what its cells, links and buttons say', () => {
    const { text: lines } = textOf([
      { id: 1, role: 'RootWebArea', children: [2, 20, 30] },
      { id: 2, role: 'row', name: 'Order 7 Ada Lovelace Open', children: [3, 5, 8] },
      { id: 3, role: 'cell', name: 'Order 7', children: [4] },
      text(4, 'Order 7'),
      { id: 5, role: 'cell', name: 'Ada Lovelace', children: [6] },
      { id: 6, role: 'link', name: 'Ada Lovelace', children: [7] },
      text(7, 'Ada Lovelace'),
      { id: 8, role: 'cell', name: 'Open', children: [9] },
      { id: 9, role: 'generic', children: [10] },
      { id: 10, role: 'button', name: 'Open', children: [] },
      // A name of its own stays.
      { id: 20, role: 'row', name: 'Total', children: [21] },
      { id: 21, role: 'cell', name: '9 EUR', children: [] },
      { id: 30, role: 'heading', name: 'Lamp', level: 3, children: [31] },
      text(31, 'Lamp'),
    ]);
    assert.deepEqual(lines.split('\n'), [
      '- row [ref=e2]',
      '  - cell "Order 7" [ref=e3]',
      '  - cell [ref=e5]',
      '    - link "Ada Lovelace" [ref=e6]',
      '  - cell [ref=e8]',
      '    - button "Open" [ref=e10]',
      '- row "Total" [ref=e20]',
      '  - cell "9 EUR" [ref=e21]',
      '- heading "Lamp" [level=3] [ref=e30]',
    ]);
  });

  it('has no lines for the list around options, and for a legend that names its group', () => {
    const { text: lines } = textOf([
      { id: 1, role: 'RootWebArea', children: [2] },
      { id: 2, role: 'group', name: 'Step 1', children: [3, 5] },
      { id: 3, role: 'Legend', children: [4] },
      text(4, 'Step 1'),
      { id: 5, role: 'combobox', name: 'City', value: 'Bern', focusable: true, children: [6] },
      { id: 6, role: 'MenuListPopup', children: [7] },
      { id: 7, role: 'option', name: 'Bern', focusable: true, children: [] },
    ]);
    assert.deepEqual(lines.split('\n'), [
      '- group "Step 1" [ref=e2]',
      '  - combobox "City" [ref=e5]: Bern',
      '    - option "Bern" [ref=e7]',
    ]);
  });

  it('has the content of an editor once', () => {
    const { text: lines } = textOf([
      { id: 1, role: 'RootWebArea', children: [2] },
      { id: 2, role: 'textbox', name: 'Note', value: 'Hello', editable: 'rich', children: [3] },
      text(3, 'Hello'),
    ]);
    assert.equal(lines, '- textbox "Note" [ref=e2]: Hello');
  });

  it('has the address of a link that has one', () => {
    const link = { role: 'link', name: 'Help', children: [] };
    const { text: lines } = textOf([
      { id: 1, role: 'RootWebArea', children: [2, 3] },
      { ...link, id: 2, url: 'https://a.test/?q="[ref=e9]' },
      { ...link, id: 3 },
    ]);
    assert.deepEqual(lines.split('\n'), [
      String.raw`- link "Help" [ref=e2] [url="https://a.test/?q=\"[ref=e9]"]`,
      '- link "Help" [ref=e3]',
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

  it('has the numbers of a list, but no other signs before its items', () => {
    const { text: lines } = textOf([
      { id: 1, role: 'RootWebArea', children: [2, 5] },
      { id: 2, role: 'listitem', level: 1, children: [3, 4] },
      { id: 3, role: 'ListMarker', name: '• ', children: [] },
      text(4, 'Bern'),
      { id: 5, role: 'listitem', children: [6, 7] },
      { id: 6, role: 'ListMarker', name: '1. ', children: [] },
      text(7, 'Basel'),
    ]);
    assert.deepEqual(lines.split('\n'), [
      '- listitem [ref=e2]',
      '  - text: Bern',
      '- listitem [ref=e5]',
      '  - text: 1.',
      '  - text: Basel',
    ]);
  });

  it('ends at a limit, says so, and continues after the last node', () => {
    const children = Array.from({ length: 1_500 }, (_, index) => index + 2);
    const nodes: TextNode[] = [
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
