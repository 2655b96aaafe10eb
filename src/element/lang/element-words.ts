import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { TEXTS } from './built-in.js';
import { needLanguage, onTexts, usedLanguages } from './registry.js';
import type { BuiltInKey, ElementTexts, Words } from './texts.js';

/** What the words need of their element. */
export interface WordsHost extends ReactiveControllerHost, HTMLElement {
  readonly texts: ElementTexts;
  /** Of the picture, where the page has one. */
  readonly label: string;
  readonly renderRoot: ParentNode;
}

/**
 * The words of one element: its own `texts`, then those of the language that its place on the page is in, then English. The language of
 * the page decides and not that of the browser: an element is a part of a page, and a page in one language should not speak two.
 */
export class ElementWords implements ReactiveController, Words {
  readonly #host: WordsHost;
  #marks: MutationObserver | undefined;
  #unsubscribe: (() => void) | undefined;
  #marked = '';

  constructor(host: WordsHost) {
    this.#host = host;
    host.addController(this);
  }

  get lang(): string {
    return usedLanguages()?.shown(this.#marked) ?? 'en';
  }

  /** To mark the words with, where they are not in the language around them. */
  get mark(): string | undefined {
    return this.#marked && this.lang !== this.#marked ? this.lang : undefined;
  }

  /** What assistive technology calls the picture. */
  get label(): string {
    return this.#host.label || this.say('label');
  }

  say(key: BuiltInKey): string {
    return this.told(key, TEXTS[key]);
  }

  find(key: string): string | undefined {
    const own: Readonly<Record<string, string | undefined>> = this.#host.texts;
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
    this.#unsubscribe = onTexts(() => this.#host.requestUpdate());
    this.#marks = new MutationObserver(() => this.#follow());
    // The language is said anywhere above, also around the shadow trees that the element is in.
    for (let root = this.#host.getRootNode(); ; root = root.host.getRootNode()) {
      this.#marks.observe(root, { subtree: true, attributeFilter: ['lang'] });
      if (!(root instanceof ShadowRoot)) break;
    }
    // What takes the keys may be made by and by.
    this.#host.addEventListener('focusin', this.#name);
    this.#follow();
  }

  hostUpdated(): void {
    this.#name();
  }

  hostDisconnected(): void {
    this.#marks?.disconnect();
    this.#host.removeEventListener('focusin', this.#name);
    this.#unsubscribe?.();
  }

  readonly #name = (): void => usedLanguages()?.name(this.#host.renderRoot, this);

  #follow(): void {
    this.#marked = markedLanguage(this.#host);
    needLanguage(this.#marked);
    this.#host.requestUpdate();
  }
}

/** The language that a place on the page is said to be in; empty: it is not said. */
function markedLanguage(element: Element): string {
  const marked = element.closest('[lang]');
  if (marked) return marked.getAttribute('lang') ?? '';
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? markedLanguage(root.host) : '';
}
