import { CallError } from '../../core/index.js';
import { sentenceFor } from '../lang/error-sentence.js';
import type { Download, FileChooser } from '../../protocol/index.js';
import { FILE_TEXTS } from '../lang/words/files-in-english.js';
import type { FileKey, Words } from '../lang/texts.js';

type Name = FileKey extends `files.${infer Rest}` ? Rest : never;

/** Errors whose message of the session names the limit that an upload exceeds. */
const LIMITS: ReadonlySet<string> = new Set(['err_file_too_large', 'err_file_quota']);

/** Texts of the file list in the language of its element. */
export class FileWords {
  constructor(private readonly words: Words) {}

  /** Language of the texts and of the numbers in them. */
  get lang(): string {
    return this.words.lang;
  }

  text(name: Name): string {
    const key = `files.${name}` as const;
    return this.words.told(key, FILE_TEXTS[key]);
  }

  /** Returns the text for a number of files. */
  count(count: number): string {
    const { lang, words } = this;
    const { 'files.count.one': one, 'files.count.other': other } = FILE_TEXTS;
    const form = new Intl.PluralRules(lang).select(count);
    // If a plural form has no text, the text of `other` is used.
    const rest = () => words.told('files.count.other', count === 1 ? one : other);
    const text = words.find(`files.count.${form}`) ?? rest();
    return text.replace('{count}', new Intl.NumberFormat(lang).format(count));
  }

  /** Returns the text for a page's file request. */
  asked({ directory, multiple }: FileChooser): string {
    return this.text(directory ? 'askedFolder' : multiple ? 'askedMany' : 'asked');
  }

  /** Returns the text for the state of a download. */
  outcome({ state, failure = 'interrupted', kind }: Download): string {
    if (state === 'running') return this.text(kind === 'print' ? 'printing' : 'coming');
    if (state === 'failed') return this.text(failure);
    return this.text(state === 'done' ? 'ready' : 'cancelled');
  }

  /**
   * Returns the message for a failed transfer. In English, this is the session's own message if an upload
   * exceeds a limit.
   */
  failure(error: unknown, context?: 'upload'): string {
    const general = sentenceFor(error, this.words, context);
    if (!(error instanceof CallError) || !LIMITS.has(error.code)) return general;
    return this.words.told(`error.${error.code}`, error.message);
  }
}
