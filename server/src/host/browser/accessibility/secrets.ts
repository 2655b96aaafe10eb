import { escapePattern } from '../../../platform/escape-pattern.js';
import type { LiveTree } from './live-tree.js';
import type { TreeNode } from './nodes/tree-node.js';

/**
 * A value shorter than this is searched only as a whole word, because short values occur in many other texts.
 * If it has no letter and no digit, such as a dash, only a text that is equal to it is found. Characters.
 */
const SHORT = 4;
/**
 * Only this number of leading characters of a long value is searched, because texts may be shortened.
 * Characters.
 */
const ENOUGH = 32;
/** Maximum number of secrets to search for. Users do not fill in so many fields. */
const MAX_SECRETS = 500;

/** Finds the contents of masked fields in the texts of other nodes, which may repeat them. */
export class Secrets {
  readonly #parts: string[] = [];
  /** The short values without a letter and without a digit. */
  readonly #signs = new Set<string>();
  /** Finds the other short values as whole words. Undefined if there are none. */
  readonly #words: RegExp | undefined;
  /** True if there are too many secrets to search for. Then no text is sent at all. */
  #all = false;

  constructor(tree: LiveTree) {
    const said = new Set<string>(tree.secrets.previousValues.map(plain));
    for (const field of tree.secrets.fields) for (const text of textsOf(field)) said.add(plain(text));
    said.delete('');
    this.#all = said.size > MAX_SECRETS;
    const words: string[] = [];
    for (const text of said) {
      if (text.length >= SHORT) this.#parts.push(text.slice(0, ENOUGH));
      else if (/[\p{L}\p{N}]/u.test(text)) words.push(text);
      else this.#signs.add(text);
    }
    if (words.length > 0 && !this.#all) this.#words = anyWordOf(words);
  }

  /** True if a text may contain a secret. */
  areIn(text: string | undefined): boolean {
    if (text === undefined) return false;
    if (this.#all) return true;
    const said = plain(text);
    if (this.#signs.has(said) || this.#words?.test(said)) return true;
    return this.#parts.some((part) => said.includes(part));
  }
}

/**
 * Returns a pattern that finds each of the words where no letter and no digit is next to it. A word may
 * contain punctuation.
 */
function anyWordOf(words: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.map(escapePattern).join('|')})(?![\\p{L}\\p{N}])`, 'u');
}

/** Returns all texts that a field contains, including those of the nodes inside it. */
export function* textsOf(field: TreeNode): Iterable<string> {
  const { value, valueText } = field.facts;
  for (const text of [value, valueText]) if (text !== undefined) yield text;
  for (const inside of field.inside) {
    // The options of a list are no secret, but the selected one is.
    if (inside.facts.role === 'option' && !inside.facts.selected) continue;
    if (inside.facts.name !== undefined) yield inside.facts.name;
    yield* textsOf(inside);
  }
}

/**
 * Normalises white space and case. In the names of nodes the browser joins lines, and pages may change the
 * case.
 */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
