import { setViewport } from '@web/test-runner-commands';
import { addTranslation } from '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import type { Download } from '../../../src/protocol/index.js';
import { equal, ok } from '../support/assert.js';
import { settled } from '../support/connected-element.js';
import { FakeNetwork } from '../support/fake-web-socket.js';

/** Pixels of the page. */
const [WIDTH, HEIGHT] = [1000, 600];
/** As wide, so that it keeps its pixels, and lies in the middle. */
const REMOTE = { width: 1000, height: 500 };
const DOWNLOAD: Download = {
  ...{ id: 'a', name: 'annual report (final).pdf', size: 4e6, received: 1e6 },
  ...{ state: 'running', kind: 'download' },
};

/**
 * Mirrors the boxes of the page horizontally. Boxes with the same place from the opposite side get equal
 * numbers.
 */
const mirrored = ({ left, right, top, bottom }: DOMRect) =>
  [WIDTH - right, WIDTH - left, top, bottom].map(Math.round);
const plain = ({ left, right, top, bottom }: DOMRect) => [left, right, top, bottom].map(Math.round);

describe('<cloud-browser> on a right-to-left page', () => {
  const { documentElement: page } = document;
  let network: FakeNetwork;
  let element: CloudBrowserElement;

  beforeEach(async () => {
    await setViewport({ width: WIDTH, height: HEIGHT });
    network = new FakeNetwork();
    element = document.createElement('cloud-browser');
    element.keyboardButton = true;
    element.fit = 'none';
    Object.assign(element.style, { position: 'fixed', inset: '0', aspectRatio: 'auto' });
    const opened = network.opened();
    element.embedUrl = 'https://host.example/a?token=t';
    document.body.append(element);
    (await opened).welcome(REMOTE);
    await settled(element);
    const phone = new CSSStyleSheet();
    phone.replaceSync('.keyboard { display: block } *, *::before { animation: none !important }');
    element.shadowRoot?.adoptedStyleSheets.push(phone);
  });

  afterEach(async () => {
    element.remove();
    network.restore();
    page.removeAttribute('dir');
    await setViewport({ width: 800, height: 600 });
  });

  const find = (selector: string): HTMLElement => {
    const found = element.shadowRoot?.querySelector<HTMLElement>(selector);
    if (!found) throw new Error(`There is no ${selector}.`);
    return found;
  };
  const box = (selector: string) => find(selector).getBoundingClientRect();
  const unfoldFiles = async () => {
    while (!element.shadowRoot?.querySelector('.unfold')) await new Promise(requestAnimationFrame);
    find('.unfold').click();
  };
  const turn = async (dir: 'ltr' | 'rtl') => {
    page.dir = dir;
    element.requestUpdate();
    await element.updateComplete;
    await new Promise(requestAnimationFrame);
  };

  it('mirrors its panels, buttons and lines, and nothing else', async () => {
    const { last } = network.host;
    last.send({ type: 'close-warning', kind: 'inactive', delay: 42_000 });
    last.send({ type: 'event', name: 'files.onDownload', args: [DOWNLOAD] });
    const state = { state: 'waiting', message: 'Copied.', code: 'waiting' };
    Object.defineProperty(element.viewer?.clipboard, 'state', { value: state });
    // Words of one width, whatever their direction.
    element.texts = {
      'warning.inactive': 'אא {time} אא',
      'copy.waiting': 'אאאא',
      copy: 'אא',
      dismiss: 'א',
      stay: 'אא',
    };
    await unfoldFiles();
    const parts = [
      '.files',
      '.keyboard',
      '.playing',
      '.files .hide',
      '[part=copy]',
      '[part=copy-button]',
      '.dismiss',
    ];
    parts.push('[part=warning]', '[part=stay]');
    await turn('ltr');
    const before = parts.map((part) => [part, ...mirrored(box(part))]);
    await turn('rtl');
    const after = parts.map((part) => [part, ...plain(box(part))]);
    // Text starts at the start edge of its own language, whatever the direction of the page.
    const reads = new Set(['[part=copy-button]', '.dismiss', '[part=stay]']);
    const turned = (rows: typeof before) => rows.filter(([part]) => !reads.has(String(part)));
    equal(turned(after), turned(before));
    ok(box('.files').right < WIDTH / 2 && box('.keyboard').right < WIDTH / 2);
    ok(box('.files .hide').left - box('.files').left < 20);
    ok(box('[part=stay]').right < box('time').left, 'the button follows the sentence');
    ok(box('.dismiss').right < box('[part=copy-button]').left);
  });

  it('does not mirror the picture or the remote pointer', async () => {
    const { canvas } = element.viewer ?? {};
    if (!canvas) throw new Error('There is no picture.');
    await turn('ltr');
    const before = plain(canvas.getBoundingClientRect());
    await turn('rtl');
    equal(plain(canvas.getBoundingClientRect()), before);
    const { direction, transform, cursor } = getComputedStyle(canvas);
    equal([direction, transform, cursor], ['ltr', 'none', 'auto']);
    // The field for input methods is where its text is written.
    equal(getComputedStyle(find('.surface textarea')).direction, 'ltr');
  });

  it('writes an English sentence from left to right', async () => {
    await turn('rtl');
    element.notify('It crashed, and was started again.');
    await element.updateComplete;
    equal(getComputedStyle(find('[part=panel]')).direction, 'ltr');
    element.notify('قُطع الاتصال.');
    await element.updateComplete;
    equal(getComputedStyle(find('[part=panel]')).direction, 'rtl');
  });

  it('shows file names in their own direction, aligned with the list', async () => {
    network.host.last.send({ type: 'event', name: 'files.onDownload', args: [DOWNLOAD] });
    await unfoldFiles();
    await turn('rtl');
    const name = find('.files .name');
    equal(getComputedStyle(name).direction, 'ltr');
    const amounts = find('.files bdi');
    equal(getComputedStyle(amounts).unicodeBidi, 'isolate');
    const text = new Range();
    text.selectNodeContents(name);
    equal(Math.round(text.getBoundingClientRect().right), Math.round(box('.files .name').right));
  });

  it("shows a page's request for files in the direction of its text, aligned with the list", async () => {
    const chooser = { id: 'a', multiple: false, directory: false, accept: '', timeout: 300_000 };
    network.host.last.send({ type: 'event', name: 'files.onChooser', args: [chooser] });
    while (!element.shadowRoot?.querySelector('.files h2')) await new Promise(requestAnimationFrame);
    await turn('rtl');
    const asked = find('.files li > div');
    equal(getComputedStyle(asked).direction, 'ltr');
    const text = new Range();
    text.selectNodeContents(asked);
    equal(Math.round(text.getBoundingClientRect().right), Math.round(asked.getBoundingClientRect().right));
  });

  it('uses the digits of the language', async () => {
    addTranslation('ar-EG', { 'warning.inactive': 'يُغلق خلال {time}.', stay: 'ابقَ' });
    element.lang = 'ar-EG';
    network.host.last.send({ type: 'close-warning', kind: 'inactive', delay: 65_000 });
    await turn('rtl');
    while (find('time').textContent !== '١:٠٥') await new Promise(requestAnimationFrame);
    equal(getComputedStyle(find('[part=warning]')).direction, 'rtl');
  });
});
