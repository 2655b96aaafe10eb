import { TEXTS } from './built-in.js';
import type { ERROR_TEXTS } from './words/errors-in-english.js';
import type { Words } from './texts.js';

/** Action of the user that failed. */
export type ErrorContext = 'upload' | 'copy' | 'paste' | 'privacy';

/**
 * English error messages by key. Empty until the file handling is loaded. Its loading starts when the
 * session connects.
 */
let known: Readonly<Record<string, string | undefined>> = {};

/** Sets the English error messages after they are loaded. */
export function useErrorTexts(texts: typeof ERROR_TEXTS): void {
  known = texts;
}

/** Returns the user message for an error code. A code without its own message gets a general one. */
export function sentenceOf(code: string | undefined, words: Words, context?: ErrorContext): string {
  for (const key of [`error.${code}.${context}`, `error.${code}`]) {
    const english = known[key];
    if (english !== undefined) return words.told(key, english);
  }
  return words.told('error.unknown', TEXTS['error.unknown']);
}

/** Returns the user message for an error. Logs the original error to the console for developers. */
export function sentenceFor(error: unknown, words: Words, context?: ErrorContext): string {
  console.warn('<cloud-browser>', error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return sentenceOf(typeof code === 'string' ? code : undefined, words, context);
}
