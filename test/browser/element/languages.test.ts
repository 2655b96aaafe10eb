import axe from './axe.js';
import { addTranslation } from '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import german from '../../../src/element/lang/words/de.js';
import english from '../../../src/element/lang/words/en.js';
import { closeCodeOf } from '../../../src/protocol/index.js';
import { equal, ok } from '../support/assert.js';
import { connectElement } from '../support/connected-element.js';
import { nextEvent } from '../support/events.js';
import { FakeNetwork } from '../support/fake-web-socket.js';

describe('the language of <cloud-browser>', () => {
  const { documentElement: page } = document;
  const { warn } = console;
  let warnings: string[];
  let network: FakeNetwork;
  let element: CloudBrowserElement;

  beforeEach(() => {
    warnings = [];
    console.warn = (message: string) => warnings.push(message);
    network = new FakeNetwork();
    element = document.createElement('cloud-browser');
  });

  afterEach(() => {
    element.remove();
    network.restore();
    page.removeAttribute('lang');
    console.warn = warn;
  });

  const shadow = (selector: string) => element.shadowRoot?.querySelector<HTMLElement>(selector) ?? undefined;
  const textOf = (selector: string) => shadow(selector)?.textContent.replace(/\s+/g, ' ').trim();
  const label = () => shadow('.surface')?.ariaLabel ?? '';
  /**
   * Resolves when the element has been drawn again and shows the text. Its texts may have to be loaded first.
   */
  const shows = async (expected: string, what = label) => {
    while (what() !== expected) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      await element.updateComplete;
    }
  };

  it("is English on a page without a language, whatever the browser's language is", async () => {
    await connectElement(network, element);
    equal([label(), shadow('.status')?.lang, warnings], ['Remote browser', '', []]);
  });

  it("is the page's language, and follows its changes", async () => {
    page.lang = 'de';
    await connectElement(network, element);
    await shows(german.label);
    page.lang = 'en';
    await shows(english.label);
    page.lang = 'de-AT';
    await shows(german.label);
    equal(warnings, []);
  });

  it('is its own language or that of the nearest ancestor, across shadow roots', async () => {
    page.lang = 'en';
    const [outer, inner] = [document.createElement('div'), document.createElement('div')];
    outer.append(inner);
    inner.attachShadow({ mode: 'open' }).append(element);
    document.body.append(outer);
    await shows(english.label);
    outer.lang = 'de';
    await shows(german.label);
    inner.lang = 'en-GB';
    await shows(english.label);
    element.lang = 'de';
    await shows(german.label);
    element.removeAttribute('lang');
    await shows(english.label);
    outer.remove();
  });

  it('applies to all words and numbers that users read or hear', async () => {
    element.lang = 'de';
    element.keyboardButton = true;
    await connectElement(network, element);
    await shows(german.label);
    const { last } = network.host;
    element.focus();
    const field = element.shadowRoot?.activeElement;
    equal([field?.ariaLabel, field?.getAttribute('aria-description')], [german.label, german.keys]);
    last.send({ type: 'close-warning', kind: 'inactive', delay: 65_000 });
    const told = nextEvent(element, 'notice');
    last.send({ type: 'notice', kind: 'page-crashed', message: 'A page crashed. Load it again to go on.' });
    equal((await told).message, german['notice.page-crashed']);
    await element.updateComplete;
    equal(textOf('[part=status]'), german['notice.page-crashed']);
    element.lang = 'en';
    await shows(english['notice.page-crashed'], () => textOf('[part=status]') ?? '');
    element.lang = 'de';
    await shows(german.label);
    equal(
      textOf('[part=warning]'),
      'Dieser Browser wurde länger nicht benutzt. Er schließt sich in 1:05. Bleiben',
    );
    equal(shadow('[part=keyboard]')?.ariaLabel, german.keyboard);
    const state = { state: 'waiting', message: 'Copied there.', code: 'waiting' };
    Object.defineProperty(element.viewer?.clipboard, 'state', { value: state });
    for (const name of ['photo.jpg', 'film.mkv'])
      last.send({
        ...{ type: 'event', name: 'files.onDownload' },
        args: [{ id: name, name, size: 2_400_000, received: 2_400_000, state: 'done', kind: 'download' }],
      });
    await shows('2 Dateien', () => textOf('.unfold') ?? '');
    shadow('.unfold')?.click();
    equal(textOf('.files h2'), german['files.title']);
    element.requestUpdate();
    await element.updateComplete;
    equal(textOf('.copy span'), german['copy.waiting']);
    equal(textOf('.files .detail'), 'Bereit · 2,4 MB');
    equal(shadow('.files')?.ariaLabel, 'Dateien');
    equal(shadow('.files .actions button')?.ariaLabel, 'Speichern: film.mkv');
    equal((await axe.run(element)).violations, []);
    element.lang = 'en';
    await shows('Files', () => textOf('.files h2') ?? '');
    equal(textOf('.files .detail'), 'Ready · 2.4 MB');
    last.close(closeCodeOf('inactive'));
    element.lang = 'de';
    await shows(german['inactive.detail'], () => textOf('.detail:not(.files *)') ?? '');
    equal(warnings, []);
  });

  it("applies to the reason for a refused session, or the session's own message is shown", async () => {
    const message = 'This address does not open a session. Ask for a new one.';
    await connectElement(network, element);
    network.host.last.close(closeCodeOf('unauthorized'), message);
    await shows(message, () => textOf('.status .detail') ?? '');
    element.lang = 'de';
    await shows(german['unauthorized.said'], () => textOf('.status .detail') ?? '');
  });

  it('accepts translations of the page for a language, for a region and for one element', async () => {
    addTranslation('pt', { label: 'Navegador remoto', stay: 'Ficar' });
    addTranslation('pt_BR', { stay: 'Continuar' });
    element.lang = 'pt-BR';
    element.texts = { 'step.close': 'Ir embora' };
    await connectElement(network, element);
    await shows('Navegador remoto');
    const { words } = element;
    equal([words.say('stay'), words.say('step.close'), words.lang], ['Continuar', 'Ir embora', 'pt-BR']);
    equal(element.shadowRoot?.querySelector('[lang]')?.getAttribute('lang'), undefined);
    addTranslation('pt', { label: 'Outro navegador' });
    await shows('Outro navegador');
  });

  it('becomes French by the file of the documentation', async () => {
    const guide = await (await fetch('/docs/embedding.md')).text();
    const file = /```js\n(\/\/ lang\/fr\.js[^`]*)```/.exec(guide)?.[1] ?? '';
    const module = new URL('../../../src/element/define.ts', import.meta.url).href;
    const code = file.replace('cloud-browser/element', module);
    await import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
    element.lang = 'fr-CA';
    await connectElement(network, element);
    await shows('Navigateur distant');
    network.host.last.send({ type: 'close-warning', kind: 'inactive', delay: 65_000 });
    await element.updateComplete;
    equal(textOf('[part=warning]'), 'Personne n’utilise ce navigateur. Il se ferme dans 1:05. Rester');
  });

  it('follows the plural rules of the language', async () => {
    addTranslation('pl', {
      label: 'Zdalna',
      'files.count.few': '{count} pliki',
      'files.count.other': '{count} pliku',
    });
    const { FileWords } = await import('../../../src/element/files/file-words.js');
    element.lang = 'pl';
    document.body.append(element);
    await shows('Zdalna');
    const words = new FileWords(element.words);
    equal([words.count(3), words.count(1.5)], ['3 pliki', '1,5 pliku']);
    element.lang = 'en';
    await shows(english.label);
    equal([words.count(1), words.count(1200)], ['1 file', '1,200 files']);
  });

  it('is English without a translation, with a lang attribute and one hint to developers', async () => {
    element.lang = 'fy';
    document.body.append(element);
    await element.updateComplete;
    while (warnings.length === 0) await new Promise((resolve) => setTimeout(resolve));
    equal([label(), shadow('.status')?.lang], [english.label, 'en']);
    ok(warnings[0]?.includes(`addTranslation('fy'`), warnings[0]);
    const other = document.createElement('cloud-browser');
    other.lang = 'fy';
    document.body.append(other);
    await other.updateComplete;
    await new Promise((resolve) => setTimeout(resolve));
    other.remove();
    equal(warnings.length, 1);
  });

  it('falls back to English for a missing text, and logs it once', async () => {
    addTranslation('eo', { label: 'Fora retumilo' });
    element.lang = 'eo';
    document.body.append(element);
    await shows('Fora retumilo');
    equal([element.words.say('stay'), element.words.say('stay')], ['Stay', 'Stay']);
    equal(warnings.filter((each) => each.includes('"stay"')).length, 1);
    ok(warnings.find((each) => each.includes(`addTranslation('eo', { 'stay': '…' })`)));
  });

  it('accepts any value that a page declares as its language', async () => {
    for (const lang of ['', ' ', 'de de', '@', 'constructor', '__proto__', 'x'.repeat(10_000), 'de-@@']) {
      element.lang = lang;
      document.body.append(element);
      await element.updateComplete;
      equal(label(), english.label);
      element.remove();
    }
    addTranslation('no language', {});
    while (warnings.length === 0) await new Promise((resolve) => setTimeout(resolve));
    ok(warnings.some((each) => each.includes('ignores texts for "no language"')));
  });
});
