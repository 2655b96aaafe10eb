import '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { focusWhenFree } from '../../../src/embed/first-focus.js';
import { mayTakeFocus } from '../../../src/viewer/focused-field.js';
import { equal, ok } from '../support/assert.js';
import { connectElement } from '../support/connected-element.js';
import { FakeNetwork } from '../support/fake-web-socket.js';

describe('the first focus of an embed page', () => {
  let frame: HTMLIFrameElement;
  let view: Window;
  let field: HTMLInputElement;

  beforeEach(() => {
    frame = document.createElement('iframe');
    field = document.createElement('input');
    document.body.append(frame, field);
    ok(frame.contentWindow);
    view = frame.contentWindow;
  });

  afterEach(() => {
    frame.remove();
    field.remove();
  });

  it('is free at the top, and in a frame while no element around it has the focus', () => {
    equal([mayTakeFocus(window), mayTakeFocus(view)], [true, true]);
    field.focus();
    equal([mayTakeFocus(window), mayTakeFocus(view)], [true, false]);
    field.blur();
    frame.focus();
    equal(mayTakeFocus(view), true);
  });

  it('is not free in a page of another origin until the frame has the focus', () => {
    const parent = {
      get document(): Document {
        throw new DOMException('Blocked a frame from accessing a cross-origin frame.', 'SecurityError');
      },
    };
    let focused = false;
    const inside = { document: { hasFocus: () => focused }, parent } as unknown as Window;
    equal(mayTakeFocus(inside), false);
    focused = true;
    equal(mayTakeFocus(inside), true);
  });
});

describe('the focus of an embed page', () => {
  let network: FakeNetwork;
  let element: CloudBrowserElement;
  beforeEach(() => {
    network = new FakeNetwork();
    element = document.createElement('cloud-browser');
  });
  afterEach(() => {
    element.remove();
    network.restore();
  });

  it('goes to the remote browser when it is shown, and when the page gets the focus', async () => {
    focusWhenFree(element);
    await connectElement(network, element);
    ok(document.activeElement === element);
    element.blur();
    window.dispatchEvent(new Event('focus'));
    await new Promise((resolve) => setTimeout(resolve));
    ok(document.activeElement === element);
  });

  it('stays in a field of the page', async () => {
    const field = document.createElement('input');
    document.body.append(field);
    field.focus();
    focusWhenFree(element);
    await connectElement(network, element);
    window.dispatchEvent(new Event('focus'));
    await new Promise((resolve) => setTimeout(resolve));
    ok(document.activeElement === field);
    field.remove();
  });
});
