import type { TEXTS } from './built-in.js';
import type { DIALOG_TEXTS } from './words/dialogs-in-english.js';
import type { TOLD_TEXTS } from './words/en.js';
import type { ERROR_TEXTS } from './words/errors-in-english.js';
import type { FILE_TEXTS } from './words/files-in-english.js';
import type { MIRROR_TEXTS } from './words/mirror-in-english.js';
import type { REPLAY_TEXTS } from './words/replay-in-english.js';

/** Key of a text of the element itself. */
export type BuiltInKey = keyof typeof TEXTS;
/** Key of a text of the file list. */
export type FileKey = keyof typeof FILE_TEXTS;
/** Key of a text of the element that shows a recording. */
export type ReplayKey = keyof typeof REPLAY_TEXTS;
/** Key of any text. */
export type TextKey =
  | BuiltInKey
  | FileKey
  | ReplayKey
  | keyof typeof MIRROR_TEXTS
  | keyof typeof DIALOG_TEXTS
  | keyof typeof ERROR_TEXTS
  | keyof typeof TOLD_TEXTS;

/** Keys of plural forms: one for each category of `Intl.PluralRules`. Every language has `other`. */
type PluralKey = `files.count.${Intl.LDMLPluralRule}`;

/** All texts of a language. */
export type Texts = Record<Exclude<TextKey, PluralKey> | 'files.count.other', string> &
  Partial<Record<PluralKey, string>>;

/** Some texts of a language. */
export type ElementTexts = Partial<Texts>;

/** Returns texts by key in the language of an element. */
export interface Words {
  /** Language of the texts and of the numbers in them, as a BCP 47 tag. */
  readonly lang: string;
  say(key: BuiltInKey): string;
  /** Converts the English digits of a number to the digits of the language. */
  digits(number: string): string;
  /**
   * Returns the element's own text, or the text of the language or its base language. Undefined if there is
   * none.
   */
  find(key: string): string | undefined;
  /** Returns a text. Falls back to the given English text if the language has none. */
  told(key: string, english: string): string;
}
