import type { TEXTS } from './built-in.js';
import type { TOLD_TEXTS } from './en.js';
import type { FILE_TEXTS } from './files-in-english.js';
import type { MIRROR_TEXTS } from './mirror-in-english.js';

/** What a text of the element itself is for. */
export type BuiltInKey = keyof typeof TEXTS;
/** What a text of the list of files is for. */
export type FileKey = keyof typeof FILE_TEXTS;
/** What a text is for. */
export type TextKey = BuiltInKey | FileKey | keyof typeof MIRROR_TEXTS | keyof typeof TOLD_TEXTS;

/** Languages count in other ways than English: a text for each category of `Intl.PluralRules`, of which all have `other`. */
type PluralKey = `files.count.${Intl.LDMLPluralRule}`;

/** All words of a language. */
export type Texts = Record<Exclude<TextKey, PluralKey> | 'files.count.other', string> &
  Partial<Record<PluralKey, string>>;

/** Some words of a language; what is missing is English. */
export type ElementTexts = Partial<Texts>;

/** Gives the words for a purpose, in the language of an element. */
export interface Words {
  /** Of the words, and of numbers in them: a BCP 47 tag. */
  readonly lang: string;
  say(key: BuiltInKey): string;
  /** A number that was written with the digits of English. */
  digits(number: string): string;
  /** What this language itself has; undefined: nothing. */
  find(key: string): string | undefined;
  /** For what has English words elsewhere, which are used where the language has none. */
  told(key: string, english: string): string;
}
