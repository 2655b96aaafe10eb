import { emulateMedia } from '@web/test-runner-commands';
import '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { equal, ok } from '../support/assert.js';
import { connectElement } from '../support/connected-element.js';
import { FakeNetwork } from '../support/fake-web-socket.js';

/** Styles of text that a page may have, for all its elements or for an element around the browser. */
const STYLES =
  'line-height: 0; letter-spacing: 9px; word-spacing: 40px; text-indent: 50px; text-transform: uppercase; ' +
  'text-shadow: 0 0 4px red; white-space: nowrap';

describe('the texts of <cloud-browser> on a page with styles for its own text', () => {
  let network: FakeNetwork;
  let element: CloudBrowserElement;
  let sheet: CSSStyleSheet;

  beforeEach(async () => {
    network = new FakeNetwork();
    sheet = new CSSStyleSheet();
    document.adoptedStyleSheets.push(sheet);
    element = document.createElement('cloud-browser');
    element.style.cssText = 'position: fixed; inset: 0 auto auto 0; width: 320px';
    await connectElement(network, element);
  });

  afterEach(() => {
    element.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    network.restore();
  });

  /** Returns the boxes of the elements, without animations. */
  function boxes(selector: string): number[][] {
    const found = [...(element.shadowRoot?.querySelectorAll(selector) ?? [])];
    ok(found.length > 0, selector);
    return found.map((each) => {
      const { left, top, width, height } = each.getBoundingClientRect();
      return [left, top, width, height].map(Math.round);
    });
  }

  for (const rule of [`* { ${STYLES} }`, `body { ${STYLES} }`]) {
    it(`look as on other pages with ${rule.split(' ')[0]} as the selector`, async () => {
      element.notify('The page that you requested is too large for this session, so it was closed.');
      await element.updateComplete;
      const notice = boxes('.pill');
      sheet.replaceSync(rule);
      equal(boxes('.pill'), notice);
      sheet.replaceSync('');
      element.disconnect();
      await element.updateComplete;
      const panel = boxes('.title, .detail, button');
      sheet.replaceSync(rule);
      equal(boxes('.title, .detail, button'), panel);
      const title = element.shadowRoot?.querySelector('.title');
      ok(title);
      const { textTransform, textShadow } = getComputedStyle(title);
      equal([textTransform, textShadow], ['none', 'none']);
    });
  }

  it('have the font that the page sets for the element', async () => {
    sheet.replaceSync('cloud-browser { font: italic 20px/2 serif }');
    element.disconnect();
    await element.updateComplete;
    const detail = element.shadowRoot?.querySelector('.detail');
    ok(detail);
    const { fontSize, fontStyle, fontFamily } = getComputedStyle(detail);
    equal([fontSize, fontStyle, fontFamily], ['20px', 'italic', 'serif']);
  });
});

describe('<cloud-browser> on paper', () => {
  it('has its picture, but no controls', async () => {
    const network = new FakeNetwork();
    const element = document.createElement('cloud-browser');
    try {
      await connectElement(network, element);
      const displayed = (selector: string) => {
        const found = element.shadowRoot?.querySelector(selector);
        ok(found, selector);
        return getComputedStyle(found).display;
      };
      equal([displayed('canvas'), displayed('.lower')], ['block', 'block']);
      await emulateMedia({ media: 'print' });
      equal([displayed('canvas'), displayed('.lower')], ['block', 'none']);
    } finally {
      await emulateMedia({ media: 'screen' });
      element.remove();
      network.restore();
    }
  });
});
