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

  it('gives a covered field the focus with a click, because the text that follows is for it', async () => {
    around.innerHTML = '<input id="other"><input id="field">';
    first('#other').focus();
    await clickElement(nodeOf(first('#field')));
    equal(document.activeElement?.id, 'field');
  });

  it('keeps the focus of a field when it clicks an option that the page shows for the field', async () => {
    around.innerHTML = '<input id="field"><div tabindex="-1" role="option">Bern</div>';
    first('#field').focus();
    await clickElement(nodeOf(first('[role=option]')));
    equal(document.activeElement?.id, 'field');
  });

  it('clicks an element of SVG, which has no method for this', async () => {
    around.innerHTML = '<svg><g><rect width="9" height="9"></rect></g></svg>';
    let clicks = 0;
    around.addEventListener('click', () => clicks++);
    const shape = around.querySelector('g');
    if (shape) await clickElement(nodeOf(shape));
    equal(clicks, 1);
  });

  describe('with a label', () => {
    /** Puts a field without a size, and a label with this content, into the page. */
    const fieldWith = (label: string): Element => {
      around.innerHTML = `<label for="field" style="display: block">${label}</label>
        <input id="field" type="file" style="position: absolute; opacity: 0; width: 0; height: 0; padding: 0">`;
      return first('#field');
    };

    it('uses the label of a field that the pointer cannot reach', async () => {
      const place = await placeOfElement(nodeOf(fieldWith('Choose a photo')));
      equal(place?.reachable, true);
      const hit = place && document.elementFromPoint(place.x, place.y);
      equal(hit === around.querySelector('label'), true);
    });

    it('does not use a label with a link at this position', async () => {
      const field = fieldWith('<a href="#terms" style="display: block">The terms</a>');
      equal((await placeOfElement(nodeOf(field)))?.reachable ?? false, false);
    });
  });

  describe('in a component', () => {
    /** Puts content into the slot of a button inside a component, and returns this button. */
    const buttonAround = (content: string, inner = '<button><slot></slot></button>'): HTMLElement => {
      around.innerHTML = `<div>${content}</div>`;
      const shadow = first('div').attachShadow({ mode: 'open' });
      shadow.innerHTML = inner;
      const button = shadow.querySelector('button') ?? undefined;
      if (!button) throw new Error('There is no button.');
      return button;
    };
    const isReachable = async (element: Element) => (await placeOfElement(nodeOf(element)))?.reachable;

    for (const [title, content] of [
      ['a text', 'Buy now'],
      ['an element', '<span>Buy now</span>'],
      ['an element in an element', '<b><i>Buy now</i></b>'],
    ] as const)
      it(`finds a button that shows ${title} of the page`, async () => {
        equal(await isReachable(buttonAround(content)), true);
      });

    it('finds a button of a component in a component', async () => {
      const outer = buttonAround('Buy now', '<p><b><slot></slot></b></p><button></button>');
      const inner = outer.parentNode?.querySelector('p');
      const shadow = inner?.attachShadow({ mode: 'open' });
      if (!shadow) throw new Error('There is no component inside.');
      shadow.innerHTML = '<button><slot></slot></button>';
      const button = shadow.querySelector('button');
      equal(button && (await isReachable(button)), true);
    });

    it('finds that something covers the button', async () => {
      const button = buttonAround('<span>Buy now</span>');
      const cover = document.createElement('div');
      cover.style.cssText = 'position: fixed; inset: 0';
      around.append(cover);
      equal(await isReachable(button), false);
    });
  });
});
