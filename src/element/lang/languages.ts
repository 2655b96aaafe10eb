import type { ElementTexts, Texts, Words } from './texts.js';

/** Words by their names. */
type Dictionary = Readonly<Record<string, string | undefined>>;

const ENGLISH = 'en';
/** Languages that come with the element beside English; each is loaded when an element needs it. */
const LOADERS: ReadonlyMap<string, () => Promise<{ default: Texts }>> = new Map([
  ['de', () => import('./de.js')],
]);

/** Of some language tags the first in whose language the element has words of its own; undefined: of none. */
export function spokenLanguage(tags: readonly string[]): string | undefined {
  const spoken = (tag: string): boolean => tag === ENGLISH || LOADERS.has(tag);
  return tags.map(canonical).find((tag) => chain(tag).some(spoken));
}

/** The words of all languages but English that a page uses. Loaded when it uses one. */
export class Languages {
  readonly #loaded = new Map<string, Dictionary>();
  readonly #loading = new Set<string>();
  /** What the page has added, which counts before what comes with the element. */
  readonly #added = new Map<string, Dictionary>();
  readonly #warned = new Set<string>();
  /** What was said in English of what takes the keys. */
  readonly #descriptions = new WeakMap<Element, string>();

  /** @param changed called when there are other words */
  constructor(private readonly changed: () => void) {}

  /** See `addTranslation`. */
  add(lang: string, texts: ElementTexts): void {
    const tag = canonical(lang);
    if (!tag) this.#warn(lang, `knows no language tag "${lang}". Write one as "fr" or "pt-BR".`);
    else this.#added.set(tag, { ...this.#added.get(tag), ...texts });
    this.changed();
  }

  /** The language to show for a tag as a page has it: it, as it is written canonically, or English while there are no words in it. */
  shown(lang: string): string {
    const tag = canonical(lang);
    return chain(tag).some((each) => each === ENGLISH || this.#added.has(each) || this.#loaded.has(each))
      ? tag
      : ENGLISH;
  }

  /** Loads a language that comes with the element. What could not be loaded is loaded again for the next who needs it. */
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

  /** A text of a language, or of the one that its region belongs to; undefined where neither has it. */
  text(lang: string, key: string): string | undefined {
    for (const tag of chain(lang)) {
      const text = this.#added.get(tag)?.[key] ?? this.#loaded.get(tag)?.[key];
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** The digits of a number in those of a language. */
  digits(lang: string, number: string): string {
    const format = new Intl.NumberFormat(lang);
    return number.replace(/\d/g, (digit) => format.format(Number(digit)));
  }

  /** Names what takes the keys in an element; it is made with English names. */
  name(root: ParentNode, words: Words & { label: string }): void {
    for (const field of root.querySelectorAll('.surface textarea, .surface input')) {
      field.setAttribute('aria-label', words.label);
      const english = this.#descriptions.get(field) ?? field.getAttribute('aria-description') ?? '';
      this.#descriptions.set(field, english);
      field.setAttribute('aria-description', words.told('keys', english));
    }
  }

  /** Tells developers of a text that a language has not. */
  missing(lang: string, key: string): void {
    if (chain(lang).includes(ENGLISH)) return;
    const add = `addTranslation('${lang}', { '${key}': '…' })`;
    this.#warn(
      `${lang} ${key}`,
      `has no text "${key}" in "${lang}" and shows it in English. Add it: ${add}.`,
    );
  }

  /** Pages add their languages while they load. */
  #warnLater(lang: string): void {
    const check = (): void => {
      const add = `addTranslation('${lang}', { … })`;
      if (this.shown(lang) === ENGLISH)
        this.#warn(lang, `has no words in "${lang}" and shows English. Add them: ${add}.`);
    };
    if (document.readyState === 'complete') setTimeout(check);
    else window.addEventListener('load', check, { once: true });
  }

  /** Once for each thing. */
  #warn(of: string, message: string): void {
    if (this.#warned.has(of)) return;
    this.#warned.add(of);
    console.warn(`<cloud-browser> ${message} See "Languages" in its documentation.`);
  }
}

/** A tag in its usual form; empty for what is none. */
function canonical(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang.replaceAll('_', '-'))[0] ?? '';
  } catch {
    return '';
  }
}

/** A tag and those of which it is a kind: `de-AT`, `de`. */
function chain(tag: string): string[] {
  return tag ? [tag, ...chain(tag.replace(/-?[^-]*$/, ''))] : [];
}
