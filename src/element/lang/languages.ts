import type { ElementTexts, Texts } from './texts.js';

/** Texts by key. */
type Dictionary = Readonly<Record<string, string | undefined>>;

const ENGLISH = 'en';
/** Loaders of the built-in languages other than English. Each language loads when an element needs it. */
const LOADERS: ReadonlyMap<string, () => Promise<{ default: Texts }>> = new Map([
  ['de', () => import('./words/de.js')],
]);

/**
 * Returns the first tag whose language has built-in texts, in canonical form. `de-AT` uses the texts of
 * `de`. Undefined if there is no such tag.
 */
export function spokenLanguage(tags: readonly string[]): string | undefined {
  const spoken = (tag: string): boolean => tag === ENGLISH || LOADERS.has(tag);
  return tags.map(canonical).find((tag) => chain(tag).some(spoken));
}

/**
 * Texts of all languages of a page, except the built-in English texts. Loaded when the page first needs
 * another language or adds texts.
 */
export class Languages {
  readonly #loaded = new Map<string, Dictionary>();
  readonly #loading = new Set<string>();
  /** Texts that the page added. They take precedence over the built-in ones. */
  readonly #added = new Map<string, Dictionary>();
  readonly #warned = new Set<string>();

  /** @param changed called when texts change */
  constructor(private readonly changed: () => void) {}

  /** Adds texts. See `addTranslation`. */
  add(lang: string, texts: ElementTexts): void {
    const tag = canonical(lang);
    const advice = 'Use a tag such as "fr" or "pt-BR"';
    if (!tag) this.#warn(lang, `ignores texts for "${lang}", which is no valid language tag. ${advice}.`);
    else this.#added.set(tag, { ...this.#added.get(tag), ...texts });
    this.changed();
  }

  /**
   * Returns the language to show for a tag of the page: the tag in its canonical form, or English while
   * neither the tag nor its base language has texts.
   */
  shown(lang: string): string {
    const tag = canonical(lang);
    return chain(tag).some((each) => each === ENGLISH || this.#added.has(each) || this.#loaded.has(each))
      ? tag
      : ENGLISH;
  }

  /**
   * Loads the built-in texts of a language. If there are none and the page does not add any, warns the
   * developers. After a failed load, the next element that needs the language tries again.
   */
  need(lang: string): void {
    const tags = chain(canonical(lang));
    const [tag, load] = [...LOADERS].find(([each]) => tags.includes(each)) ?? [];
    if (!tag || !load) return this.#warnLater(lang);
    if (this.#loaded.has(tag) || this.#loading.has(tag)) return;
    this.#loading.add(tag);
    void load()
      .then(
        (texts) => {
          this.#loaded.set(tag, texts.default);
          this.changed();
        },
        () => this.#warn(tag, `could not load its words in "${tag}" and shows English for now.`),
      )
      .finally(() => this.#loading.delete(tag));
  }

  /** Returns a text of a language, or of its base language. Undefined if neither has it. */
  text(lang: string, key: string): string | undefined {
    for (const tag of chain(lang)) {
      const text = this.#added.get(tag)?.[key] ?? this.#loaded.get(tag)?.[key];
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** Converts the digits of a number to the digits of a language. */
  digits(lang: string, number: string): string {
    const format = new Intl.NumberFormat(lang);
    return number.replace(/\d/g, (digit) => format.format(Number(digit)));
  }

  /** Warns developers about a text that a language other than English lacks. */
  missing(lang: string, key: string): void {
    if (chain(lang).includes(ENGLISH)) return;
    const add = `addTranslation('${lang}', { '${key}': '…' })`;
    this.#warn(
      `${lang} ${key}`,
      `has no text "${key}" in "${lang}" and shows it in English. Add it: ${add}.`,
    );
  }

  /**
   * Warns about a missing language after the page has loaded, because pages may add languages while they
   * load.
   */
  #warnLater(lang: string): void {
    const check = (): void => {
      const add = `addTranslation('${lang}', { … })`;
      if (this.shown(lang) === ENGLISH)
        this.#warn(lang, `has no words in "${lang}" and shows English. Add them: ${add}.`);
    };
    if (document.readyState === 'complete') setTimeout(check);
    else window.addEventListener('load', check, { once: true });
  }

  /** Logs each warning once. */
  #warn(of: string, message: string): void {
    if (this.#warned.has(of)) return;
    this.#warned.add(of);
    console.warn(`<cloud-browser> ${message} See "Languages" in its documentation.`);
  }
}

/** Returns the canonical form of a tag. Empty if the tag is invalid. */
function canonical(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang.replaceAll('_', '-'))[0] ?? '';
  } catch {
    return '';
  }
}

/** Returns a tag and its more general forms: `de-AT`, `de`. */
function chain(tag: string): string[] {
  return tag ? [tag, ...chain(tag.replace(/-?[^-]*$/, ''))] : [];
}
