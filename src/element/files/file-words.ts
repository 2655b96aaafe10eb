import type { Download, FileChooser } from '../../protocol/index.js';
import { FILE_TEXTS } from '../lang/files-in-english.js';
import type { FileKey, Words } from '../lang/texts.js';

type Name = FileKey extends `files.${infer Rest}` ? Rest : never;

/** The words of the list of files, in the language of its element. */
export class FileWords {
  constructor(private readonly words: Words) {}

  /** Of the words, and of numbers in them. */
  get lang(): string {
    return this.words.lang;
  }

  text(name: Name): string {
    const key = `files.${name}` as const;
    return this.words.told(key, FILE_TEXTS[key]);
  }

  /** How many files. */
  count(count: number): string {
    const { lang, words } = this;
    const { 'files.count.one': one, 'files.count.other': other } = FILE_TEXTS;
    const form = new Intl.PluralRules(lang).select(count);
    // What has no form of its own is as all others.
    const rest = () => words.told('files.count.other', count === 1 ? one : other);
    const text = words.find(`files.count.${form}`) ?? rest();
    return text.replace('{count}', new Intl.NumberFormat(lang).format(count));
  }

  /** What a page wants. */
  asked({ directory, multiple }: FileChooser): string {
    return this.text(directory ? 'askedFolder' : multiple ? 'askedMany' : 'asked');
  }

  /** What became of a download. */
  outcome({ state, failure = 'interrupted', kind }: Download): string {
    if (state === 'running') return this.text(kind === 'print' ? 'printing' : 'coming');
    if (state === 'failed') return this.text(failure);
    return this.text(state === 'done' ? 'ready' : 'cancelled');
  }

  /** Why an upload failed. */
  failure(error: unknown): string {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return typeof code === 'string' ? this.words.told(`error.${code}`, message) : message;
  }
}
