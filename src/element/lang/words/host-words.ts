import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { needLanguage, textEvents, usedLanguages } from '../registry.js';
import type { ElementTexts } from '../texts.js';

/** The part of an element that {@link HostWords} needs. */
export interface WordsHost extends ReactiveControllerHost, HTMLElement {
  readonly texts: ElementTexts;
}

/**
 * Texts of one element. The order of sources is: its own `texts`, the language of its place on the page
 * (`lang`), English. The browser's language is not used, because all parts of a page should have the same
 * language.
 */
export class HostWords<Host extends WordsHost = WordsHost> implements ReactiveController {
  #marks: MutationObserver | undefined;
  #marked = '';

  constructor(protected readonly host: Host) {
    host.addController(this);
  }

  get lang(): string {
    return usedLanguages()?.shown(this.#marked) ?? 'en';
  }

  /**
   * Value for the `lang` attribute of the texts. Undefined if the page sets no language, or if the texts are
   * in the language that the page sets.
   */
  get mark(): string | undefined {
    return this.#marked && this.lang !== this.#marked ? this.lang : undefined;
  }

  find(key: string): string | undefined {
    const own: Readonly<Record<string, string | undefined>> = this.host.texts;
    return own[key] ?? usedLanguages()?.text(this.lang, key);
  }

  told(key: string, english: string): string {
    const text = this.find(key);
    if (text === undefined) usedLanguages()?.missing(this.lang, key);
    return text ?? english;
  }

  digits(number: string): string {
    return usedLanguages()?.digits(this.lang, number) ?? number;
  }

  hostConnected(): void {
    textEvents.on('change', this.#render);
    this.#marks = new MutationObserver(() => this.#follow());
    // Any ancestor can set the language, also outside of the enclosing shadow trees.
    for (let root = this.host.getRootNode(); ; root = root.host.getRootNode()) {
      this.#marks.observe(root, { subtree: true, attributeFilter: ['lang'] });
      if (!(root instanceof ShadowRoot)) break;
    }
    this.#follow();
  }

  hostDisconnected(): void {
    this.#marks?.disconnect();
    textEvents.off('change', this.#render);
  }

  readonly #render = (): void => this.host.requestUpdate();

  #follow(): void {
    this.#marked = markedLanguage(this.host);
    needLanguage(this.#marked);
    this.host.requestUpdate();
  }
}

/** Returns the language set for a place on the page. Empty if none is set. */
function markedLanguage(element: Element): string {
  const marked = element.closest('[lang]');
  if (marked) return marked.getAttribute('lang') ?? '';
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? markedLanguage(root.host) : '';
}
