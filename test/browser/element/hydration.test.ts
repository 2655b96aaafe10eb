import '../../../src/element/define.js';
import { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { equal, rejected } from '../support/assert.js';
import { FakeNetwork } from '../support/fake-web-socket.js';

const URL_A = 'https://host.example/a?token=t';
const SOCKET_A = 'wss://host.example/a?token=t';

describe('<cloud-browser> created by a framework', () => {
  let network: FakeNetwork;
  let place: HTMLElement;

  beforeEach(() => {
    network = new FakeNetwork();
    place = document.createElement('div');
    document.body.append(place);
  });

  afterEach(() => {
    place.remove();
    network.restore();
  });

  /** Puts markup into the page as a server has rendered it. */
  function take(markup: string): CloudBrowserElement {
    place.innerHTML = markup;
    const element = place.querySelector('cloud-browser');
    if (!element) throw new Error('The markup has no element.');
    return element;
  }

  it('connects by markup with property names', async () => {
    const opened = network.opened();
    const element = take(
      `<cloud-browser embedUrl="${URL_A}" resizeMode="auto" viewOnly adminToken="secret"></cloud-browser>`,
    );
    await opened;
    equal(network.host.last.url, SOCKET_A);
    equal([element.resizeMode, element.viewOnly, element.adminToken], ['auto', true, 'secret']);
  });

  it('adds no attributes to markup with property names, because a framework compares them', async () => {
    const element = take('<cloud-browser viewOnly keyboardButton muted fit="cover"></cloud-browser>');
    await element.updateComplete;
    equal(element.getAttributeNames(), ['viewonly', 'keyboardbutton', 'muted', 'fit']);
    equal([element.viewOnly, element.keyboardButton, element.muted], [true, true, true]);
    element.viewOnly = false;
    element.videoPaused = true;
    await element.updateComplete;
    equal([element.viewOnly, element.videoPaused], [false, true]);
    equal([element.hasAttribute('view-only'), element.hasAttribute('video-paused')], [false, true]);
    element.viewOnly = true;
    await element.updateComplete;
    equal(element.hasAttribute('view-only'), true);
  });

  it('connects by properties that were set before its script was loaded', async () => {
    const tag = 'cloud-browser-upgraded';
    const element = document.createElement(tag);
    Object.assign(element, { embedUrl: URL_A, volume: 0.5 });
    place.append(element);
    const opened = network.opened();
    class Upgraded extends CloudBrowserElement {}
    customElements.define(tag, Upgraded);
    await opened;
    equal(network.host.last.url, SOCKET_A);
    equal(element instanceof Upgraded && element.volume, 0.5);
  });

  it('connects when its address is set later, and uses the default for unknown values', async () => {
    const element = take('<cloud-browser></cloud-browser>');
    Object.assign(element, { embedUrl: undefined, volume: null, fit: undefined, label: null, texts: null });
    await element.updateComplete;
    equal([element.state, element.embedUrl, element.volume, element.fit], ['idle', '', 1, 'contain']);
    equal(element.shadowRoot?.querySelector('.surface')?.getAttribute('aria-label'), 'Remote browser');
    const opened = network.opened();
    element.embedUrl = URL_A;
    await opened;
    equal(network.host.last.url, SOCKET_A);
  });

  it('treats an attribute with the value false as off, and accepts names with dashes', async () => {
    const element = take(
      '<cloud-browser view-only="false" muted="false" resize-mode="auto"></cloud-browser>',
    );
    equal([element.viewOnly, element.muted, element.resizeMode], [false, false, 'auto']);
    element.setAttribute('view-only', '');
    equal(element.viewOnly, true);
    element.viewOnly = false;
    await element.updateComplete;
    equal(element.hasAttribute('view-only'), false);
  });

  it('resizes automatically if a framework sets the attribute `resize` as a property, and keeps the method', async () => {
    const element = take('<cloud-browser></cloud-browser>');
    Reflect.set(element, 'resize', 'auto');
    equal([element.resizeMode, typeof element.resize], ['auto', 'function']);
    Reflect.set(element, 'resize', undefined);
    equal(element.resizeMode, 'none');
    equal((await rejected(element.resize(800, 600))).name, 'NotConnectedError');
  });

  it('returns to the default volume when the attribute is removed', async () => {
    const element = take('<cloud-browser volume="0.25"></cloud-browser>');
    equal(element.volume, 0.25);
    element.removeAttribute('volume');
    await element.updateComplete;
    equal(element.volume, 1);
  });
});
