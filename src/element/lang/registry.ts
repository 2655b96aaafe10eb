import { EventEmitter } from 'eventemitter3';
import type { Languages } from './languages.js';
import type { ElementTexts } from './texts.js';

/** Language tags that need no loading: English tags and the empty tag. */
const ENGLISH = /^(en([-_]|$)|$)/i;

let languages: Languages | undefined;
let loading = false;
const waiting: ((languages: Languages) => void)[] = [];

/** Emits `change` when texts change. */
export const textEvents = new EventEmitter<{ change: [] }>();

/**
 * Adds or replaces texts of a language for all elements of the page: `addTranslation('fr', { stay: 'Rester'
 * })`. A regional language falls back to its base language: `pt-BR` to `pt`. A missing text is shown in
 * English.
 */
export function addTranslation(lang: string, texts: ElementTexts): void {
  use((all) => all.add(lang, texts));
}

/** Loads a language for an element. Does nothing for English. */
export function needLanguage(lang: string): void {
  if (!ENGLISH.test(lang)) use((all) => all.need(lang));
}

/**
 * Returns the languages of this page. Undefined until they are loaded, and while the page uses only English.
 */
export function usedLanguages(): Languages | undefined {
  return languages;
}

/**
 * Runs an action on the languages module. Loads the module if needed. After a failed load the next call tries
 * again.
 */
function use(act: (languages: Languages) => void): void {
  if (languages) return act(languages);
  waiting.push(act);
  if (loading) return;
  loading = true;
  import('./languages.js').then(
    (loaded) => {
      languages = new loaded.Languages(() => textEvents.emit('change'));
      for (const each of waiting) each(languages);
    },
    () => (loading = false),
  );
}
