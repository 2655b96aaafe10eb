import { FocusRequest } from '../../../src/viewer/focused-field.js';
import { equal, ok } from '../support/assert.js';

describe('a request for the focus in a frame', () => {
  let frame: HTMLIFrameElement;
  let inner: Document;
  let own: HTMLButtonElement;
  let field: HTMLInputElement;
  beforeEach(() => {
    frame = document.body.appendChild(document.createElement('iframe'));
    field = document.body.appendChild(document.createElement('input'));
    ok(frame.contentDocument);
    inner = frame.contentDocument;
    own = inner.body.appendChild(inner.createElement('button'));
  });
  afterEach(() => {
    frame.remove();
    field.remove();
  });

  it('is dropped if the user has chosen an element of the page around it', () => {
    own.focus();
    ok(inner.hasFocus());
    const request = new FocusRequest(inner);
    field.focus();
    equal(request.end(), false);
  });

  it('is kept if no element of the page around it has the focus, or if one had it before', () => {
    own.focus();
    const request = new FocusRequest(inner);
    frame.blur();
    equal(request.end(), true);
    field.focus();
    equal(new FocusRequest(inner).end(), true);
  });

  it('is dropped if a page of another origin has got the focus', () => {
    let focused = true;
    const page = document.implementation.createHTMLDocument();
    const forbidden = {
      get document(): Document {
        throw new DOMException('Blocked a frame from accessing a cross-origin frame.', 'SecurityError');
      },
    };
    Object.defineProperties(page, {
      hasFocus: { value: () => focused },
      defaultView: { value: { parent: forbidden, document: page } },
    });
    const request = new FocusRequest(page);
    equal(request.end(), true);
    focused = false;
    equal(request.end(), false);
  });
});
