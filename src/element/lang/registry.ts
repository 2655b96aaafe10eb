import type { Languages } from './languages.js';
import type { ElementTexts } from './texts.js';

/** No other language, which needs nothing to be loaded. */
const ENGLISH = /^(en\b|$)/i;

let languages: Languages | undefined;
let loading = false;
const waiting: ((languages: Languages) => void)[] = [];
const listeners = new Set<() => void>();

/**
 * Adds words of a language, or other words for some, for all elements of the page: `addTranslation('fr', { stay: 'Rester' })`. A region
 * takes what it has not from its language: `pt-BR` from `pt`. What nobody has is English.
 */
export function addTranslation(lang: string, texts: ElementTexts): void {
  use((all) => all.add(lang, texts));
}

/** Loads what an element needs in a language. */
export function needLanguage(lang: string): void {
  if (!ENGLISH.test(lang)) use((all) => all.need(lang));
}

/** The languages of this page; undefined as long as there is English alone. */
export function usedLanguages(): Languages | undefined {
  return languages;
}

/** Calls a listener whenever there are other words; returns what ends that. */
export function onTexts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What could not be loaded is loaded again for the next who needs it. */
function use(act: (languages: Languages) => void): void {
  if (languages) return act(languages);
  waiting.push(act);
  if (loading) return;
  loading = true;
  import('./languages.js').then(
    (loaded) => {
      languages = new loaded.Languages(() => listeners.forEach((listener) => listener()));
      for (const each of waiting) each(languages);
    },
    () => (loading = false),
  );
}
