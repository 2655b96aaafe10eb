import { Modifier, type InputEvent } from 'cloud-browser/protocol';
import { meaningOf } from './key-meaning.js';

/** Maximum number of remembered typed texts, and maximum length of one typed text in characters. */
const [MAX_TEXTS, MAX_CHARS] = [100, 500];
/**
 * Maximum number of remembered parts of longer typed texts. They are counted separately, because a single
 * text of a program has dozens of them. So they do not replace the short texts of users.
 */
const MAX_PARTS = 100;
/**
 * Maximum number of remembered pasted and set texts. They are counted separately, so that they do not replace
 * typed texts.
 */
const MAX_ENTERED = 30;
/** Number of leading characters of a pasted text that are remembered. The whole text may have megabytes. */
export const MAX_ENTERED_CHARS = 5_000;
/**
 * Maximum length in characters of a pasted text whose long words are also searched one by one. A longer text,
 * such as a letter, contains many words that also occur in ordinary names. Of a longer text, only the
 * beginnings of the lines are searched.
 */
const SHORT_TEXT = 100;
/**
 * Minimum length of a typed text that is searched in names and titles, in characters. A shorter text occurs
 * in many names by chance.
 */
const SHORTEST = 3;
/** Number of leading characters of a text that are searched. A name may show only the beginning of a text. */
const ENOUGH = 32;
/**
 * Minimum length in characters of a word that is also searched by itself. A word with a digit needs only half
 * of this length.
 */
const LONG_WORD = 8;
/** Splits a text into words in the same way as Chromium does for Control+Backspace. */
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Parts of texts, by text. */
type SearchedParts = Map<string, readonly string[]>;

/**
 * Remembers the texts that users typed, pasted or set while the session is recorded. A text is set through
 * the accessibility tree, or as the answer of a dialog. Pages may show such text in titles and in the names
 * of elements. Such titles and names must not be recorded.
 */
export class TypedText {
  /** The text that each user is still typing. */
  readonly #open = new Map<string, string>();
  /** Parts of typed texts that are searched in names and titles, by text, oldest text first. */
  readonly #typed: SearchedParts = new Map();
  /** The same for the parts of typed texts that are longer than {@link MAX_CHARS}, except the last parts. */
  readonly #long: SearchedParts = new Map();
  /** Parts of pasted and set texts that are searched in names and titles, by text, oldest text first. */
  readonly #entered: SearchedParts = new Map();

  /** Adds input of a user. A press of a button, a touch, or a key that is not typing ends the user's text. */
  add(user: string, event: InputEvent): void {
    if (event.type === 'text') this.#append(user, event.text);
    else if (event.type === 'key') this.#key(user, event);
    else if (event.type === 'button' || event.type === 'touch') this.#end(user);
  }

  /** Adds a text that a user has pasted or set. */
  enter(text: string): void {
    const start = text.slice(0, MAX_ENTERED_CHARS);
    const parts = start.length <= SHORT_TEXT ? searchedIn(start) : beginningsOf(start);
    remember(this.#entered, start, parts, MAX_ENTERED);
  }

  /** True if a text contains text that a user typed, pasted or set. */
  isIn(text: string): boolean {
    const said = plain(text);
    const open = [...this.#open.values()].map(searchedIn);
    const known = [this.#typed, this.#long, this.#entered].flatMap((texts) => [...texts.values()]);
    return [...open, ...known].flat().some((part) => said.includes(part));
  }

  #key(user: string, event: Extract<InputEvent, { type: 'key' }>): void {
    if (!event.pressed) return;
    const { kind } = meaningOf(event);
    if (kind === 'typing' && [...event.key].length === 1) this.#append(user, event.key);
    else if (event.key === 'Backspace') this.#erase(user, (event.modifiers & Modifier.control) !== 0);
    else if (kind !== 'none') this.#end(user);
  }

  #append(user: string, text: string): void {
    let typed = `${this.#open.get(user) ?? ''}${text}`;
    while (typed.length >= MAX_CHARS) {
      const part = firstPart(typed);
      remember(this.#long, part, searchedIn(part), MAX_PARTS);
      typed = typed.slice(part.length);
    }
    this.#open.set(user, typed);
  }

  #erase(user: string, word: boolean): void {
    const typed = this.#open.get(user) ?? '';
    this.#open.set(user, word ? withoutLastWord(typed) : typed.replace(/.$/su, ''));
  }

  #end(user: string): void {
    const typed = this.#open.get(user) ?? '';
    this.#open.delete(user);
    remember(this.#typed, typed, searchedIn(typed), MAX_TEXTS);
  }
}

/**
 * Remembers the parts of a text, and forgets the oldest text if there are too many. A text without parts,
 * such as a single letter, replaces no other text.
 */
function remember(texts: SearchedParts, text: string, parts: readonly string[], max: number): void {
  if (parts.length === 0) return;
  texts.delete(text);
  texts.set(text, parts);
  const [oldest] = texts.keys();
  if (texts.size > max && oldest !== undefined) texts.delete(oldest);
}

/**
 * Returns at most {@link MAX_CHARS} leading characters of a text, up to a blank if there is one. A word is
 * searched as a whole, so it must not be divided.
 */
function firstPart(text: string): string {
  const start = text.slice(0, MAX_CHARS);
  const last = start.search(/\s\S*$/);
  return last > 0 ? start.slice(0, last) : start;
}

/** Returns the parts of a text that are searched in names and titles: its beginning and its long words. */
function searchedIn(text: string): string[] {
  const whole = plain(text);
  return [...(whole.length >= SHORTEST ? [whole.slice(0, ENOUGH)] : []), ...wordsOf(whole)];
}

/** Returns the beginnings of the long lines of a text. */
function beginningsOf(text: string): string[] {
  return text
    .split(/\n/)
    .map(plain)
    .filter(({ length }) => length >= LONG_WORD)
    .map((line) => line.slice(0, ENOUGH));
}

function wordsOf(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u);
  return words.filter(({ length }, index) => {
    const hasDigit = /\p{N}/u.test(words[index] ?? '');
    return length >= (hasDigit ? LONG_WORD / 2 : LONG_WORD);
  });
}

/** Returns a text as Control+Backspace leaves it: without its last word and the blanks after it. */
function withoutLastWord(text: string): string {
  const words = text.trimEnd();
  return words.slice(0, [...WORDS.segment(words)].at(-1)?.index);
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
