import type { CopyState } from '../../viewer/index.js';
import { sentenceOf } from '../lang/error-sentence.js';
import type { Words } from '../lang/texts.js';

/**
 * Returns the text for the result of a copy or a paste in the element's language. Empty if there is nothing
 * to show.
 */
export function copyText({ code, message, state }: CopyState, words: Words): string {
  if (message && code && !code.startsWith('err_')) return words.told(`copy.${code}`, message);
  return state === 'failed' ? sentenceOf(code, words, 'copy') : message;
}
