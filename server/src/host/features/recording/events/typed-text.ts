import { Modifier, type InputEvent } from 'cloud-browser/protocol';
import { meaningOf } from './key-meaning.js';

/** Maximum number of remembered texts, and maximum length of one text in characters. */
const [MAX_TEXTS, MAX_CHARS] = [100, 500];
/** Number of leading characters of a pasted text that are remembered. It may have megabytes. */
const MAX_ENTERED_CHARS = 5_000;
/**
 * Minimum length of a typed text that is searched in names and titles, in characters. A shorter text occurs
 * in many names by chance.
 */
const SHORTEST = 3;
/** Number of leading characters of a text that are searched. A name may show only the beginning of a text. */
const ENOUGH = 32;
/**
 * Minimum length of a word that is also searched alone, in characters. A word with a digit needs only half of
 * this length.
 */
const LONG_WORD = 8;
/** Finds words in the same way as Chromium. */
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * Remembers the texts that users typed, pasted or set while the session is recorded. Pages may show such text
 * in titles and in the names of elements. Such titles and names must not be recorded.
 */
export class TypedText {
  /** The text that each user is still typing. */
  readonly #open = new Map<string, string>();
  #texts: string[] = [];

  /** Adds input of a user. A press of a button, a touch, or a key that is not typing ends the user's text. */
  add(user: string, event: InputEvent): void {
    if (event.type === 'text') this.#append(user, event.text);
    else if (event.type === 'key') this.#key(user, event);
    else if (event.type === 'button' || event.type === 'touch') this.#end(user);
  }

  /** Adds a text that a user did not enter with keys. */
  enter(text: string): void {
    for (let at = 0; at < Math.min(text.length, MAX_ENTERED_CHARS); at += MAX_CHARS)
      this.#remember(text.slice(at, at + MAX_CHARS));
  }

  /** True if a text contains text that a user typed, pasted or set. */
  isIn(text: string): boolean {
    const said = plain(text);
    return [...this.#texts, ...this.#open.values()].some((typed) => {
      const whole = plain(typed);
      if (whole.length >= SHORTEST && said.includes(whole.slice(0, ENOUGH))) return true;
      return wordsOf(whole).some((word) => said.includes(word));
    });
  }

  #key(user: string, event: Extract<InputEvent, { type: 'key' }>): void {
    if (!event.pressed) return;
    const { kind } = meaningOf(event);
    if (kind === 'typing' && [...event.key].length === 1) this.#append(user, event.key);
    else if (event.key === 'Backspace') this.#erase(user, (event.modifiers & Modifier.control) !== 0);
    else if (kind !== 'none') this.#end(user);
  }

  #append(user: string, text: string): void {
    const typed = `${this.#open.get(user) ?? ''}${text}`;
    this.#open.set(user, typed);
    if (typed.length >= MAX_CHARS) this.#end(user);
  }

  #erase(user: string, word: boolean): void {
    const typed = this.#open.get(user) ?? '';
    this.#open.set(user, word ? withoutLastWord(typed) : typed.replace(/.$/su, ''));
  }

  #end(user: string): void {
    const typed = this.#open.get(user) ?? '';
    this.#open.delete(user);
    if (typed !== '') this.#remember(typed);
  }

  #remember(text: string): void {
    this.#texts = [...this.#texts, text].slice(-MAX_TEXTS);
  }
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
