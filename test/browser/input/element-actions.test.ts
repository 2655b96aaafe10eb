import {
  clickElement,
  giveValue,
  placeOfElement,
} from '../../../server/src/host/browser/accessibility/nodes/node-element.js';
import type { TreeNode } from '../../../server/src/host/browser/accessibility/nodes/tree-node.js';
import { equal } from './assert.js';

declare global {
  interface Window {
    called?: (this: Element, ...args: unknown[]) => unknown;
  }
}

/** Returns the node of an element. Its session calls functions in the element's own window. */
function nodeOf(element: Element, parent?: TreeNode): TreeNode {
  const call = (source: string, args: { value: unknown }[]): unknown => {
    const { ownerDocument } = element;
    const script = ownerDocument.createElement('script');
    script.text = `window.called = ${source}`;
    ownerDocument.head.append(script);
    script.remove();
    return ownerDocument.defaultView?.called?.apply(
      element,
      args.map(({ value }) => value),
    );
  };
  const session = {
    send: (method: string, params: { functionDeclaration: string; arguments: { value: unknown }[] }) =>
      Promise.resolve({
        ...{ executionContextId: 1, object: { objectId: '1' } },
        ...(method === 'Runtime.callFunctionOn' && {
          result: { value: call(params.functionDeclaration, params.arguments) },
        }),
      }),
    post: () => undefined,
  };
  const facts = { role: element.localName === 'iframe' ? 'Iframe' : 'generic' };
  return { session, key: 1, frame: 'frame', facts, parent } as unknown as TreeNode;
}

describe('an action on an element by script', () => {
  let around: HTMLElement;
  beforeEach(() => {
    around = document.createElement('div');
    document.body.append(around);
  });
  afterEach(() => around.remove());

  const first = (selector: string): HTMLElement => {
    const found = around.querySelector<HTMLElement>(selector);
    if (!found) throw new Error(`There is no ${selector}.`);
    return found;
  };

  it('selects the text of a field, so that the value is typed over it', async () => {
    around.innerHTML = '<input value="old">';
    equal(await giveValue(nodeOf(first('input')), 'new'), 'type');
    equal(document.activeElement === first('input'), true);
  });

  for (const [title, html] of Object.entries({
    'in a disabled group': '<fieldset disabled><input id="field"></fieldset>',
    'that cannot get the focus': '<div inert><textarea id="field"></textarea></div>',
  }))
    it(`types nothing for a field ${title}: another field has the focus`, async () => {
      around.innerHTML = `<input id="other">${html}`;
      first('#other').focus();
      equal(await giveValue(nodeOf(first('#field')), 'secret'), 'none');
    });

  it('changes no list in a disabled group', async () => {
    around.innerHTML =
      '<fieldset disabled><select><option>A</option><option id="b">B</option></select></fieldset>';
    equal(await giveValue(nodeOf(first('select')), 'B'), 'none');
    await clickElement(nodeOf(first('#b')));
    equal(around.querySelector('select')?.value, 'A');
  });

  for (const [title, type, old, value] of [
    ['a date in another form', 'date', '2026-01-02', '31.12.2026'],
    ['a day that does not exist', 'date', '2026-01-02', '2026-02-31'],
    ['a time in another form', 'time', '10:00', 'noon'],
    ['a position beyond the end of a slider', 'range', '20', '101'],
    ['a position of a slider that is no number', 'range', '20', 'half'],
    ['a colour in another form', 'color', '#ff0000', 'rgb'],
    ['letters for a number', 'number', '5', 'ten'],
    ['a number with the decimal comma of another language', 'number', '5', '1,5'],
    ['a number with a currency', 'number', '5', '$5'],
  ] as const)
    it(`refuses ${title}, and keeps the old value`, async () => {
      around.innerHTML = `<input type="${type}" value="${old}">`;
      const field = first('input') as HTMLInputElement;
      let told = 0;
      field.addEventListener('input', () => told++);
      equal(await giveValue(nodeOf(field), value), 'none');
      equal([field.value, told], [old, 0]);
    });

  for (const [type, value, expected = value] of [
    ['date', '2026-12-31'],
    ['date', ''],
    ['time', '23:59'],
    ['range', '100'],
    ['color', '#00FF00', '#00ff00'],
    ['color', '#000000'],
    ['number', '-1.5'],
    ['number', '1e3'],
    ['number', ''],
  ] as const)
    it(`sets a field of the type ${type} to "${value}"`, async () => {
      around.innerHTML = `<input type="${type}">`;
      const field = first('input') as HTMLInputElement;
      equal(await giveValue(nodeOf(field), value), 'done');
      equal(field.value, expected);
    });

  for (const [title, html, value] of [
    ['longer than the field accepts', '<input maxlength="3" value="old">', 'long'],
    ['longer than the text area accepts', '<textarea maxlength="3">old</textarea>', 'long'],
  ] as const)
    it(`types no value ${title}`, async () => {
      around.innerHTML = html;
      equal(await giveValue(nodeOf(first('input, textarea')), value), 'none');
    });

  it('chooses no option of a disabled group', async () => {
    around.innerHTML = '<select><option>A</option><optgroup disabled><option>B</option></optgroup></select>';
    equal(await giveValue(nodeOf(first('select')), 'B'), 'none');
    equal(around.querySelector('select')?.value, 'A');
  });

  it('finds an element in a frame, and that something covers the frame there', async () => {
    around.innerHTML = '<iframe srcdoc="<button>Buy</button>"></iframe>';
    const frame = first('iframe');
    await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    const button = (frame as HTMLIFrameElement).contentDocument?.querySelector('button');
    if (!button) throw new Error('The frame has no button.');
    const node = nodeOf(button, nodeOf(frame));
    const place = await placeOfElement(node);
    equal(place?.reachable, true);
    const cover = document.createElement('div');
    cover.style.cssText = 'position: fixed; inset: 0';
    around.append(cover);
    equal(await placeOfElement(node), { ...place, reachable: false });
  });
});
