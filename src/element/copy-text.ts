import type { CopyState } from '../viewer/index.js';
import type { Words } from './lang/texts.js';

/** What became of a copy or a paste, in the words of the element; empty when there is nothing to say. */
export function copyText({ code, message }: CopyState, words: Words): string {
  const group = code?.startsWith('err_') ? 'error' : 'copy';
  return code && message ? words.told(`${group}.${code}`, message) : message;
}
