import type { LiveTree } from '../browser/accessibility/live-tree.js';
import type { TreeNode } from '../browser/accessibility/tree-node.js';

/** A shorter value is found in too many texts that do not have it from there: as a word of its own alone. Characters. */
const SHORT = 4;
/** Of a long value the beginning is looked for: texts are cut, and may hold no more of it. Characters. */
const ENOUGH = 32;
/** More fields than anybody fills in. */
const MAX_SECRETS = 500;

/** What stands in masked fields: the names of other things may be made of it. */
export class Secrets {
  readonly #parts: string[] = [];
  readonly #words = new Set<string>();
  /** There are too many to be looked for: no text at all is told. */
  #all = false;

  constructor(tree: LiveTree) {
    const said = new Set<string>(tree.secrets.former);
    for (const field of tree.secrets.fields) for (const text of textsOf(field)) said.add(plain(text));
    said.delete('');
    this.#all = said.size > MAX_SECRETS;
    for (const text of said) {
      if (text.length < SHORT) this.#words.add(text);
      else this.#parts.push(text.slice(0, ENOUGH));
    }
  }

  /** Whether a text may hold one of them. */
  areIn(text: string | undefined): boolean {
    if (text === undefined) return false;
    if (this.#all) return true;
    const said = plain(text);
    if (this.#words.size > 0 && said.split(/[^\p{L}\p{N}]+/u).some((word) => this.#words.has(word)))
      return true;
    return this.#words.has(said) || this.#parts.some((part) => said.includes(part));
  }
}

/** All that a field holds, and what is inside of it. */
export function* textsOf(field: TreeNode): Iterable<string> {
  const { value, valueText } = field.facts;
  for (const text of [value, valueText]) if (text !== undefined) yield text;
  for (const inside of field.inside) {
    // What can be chosen is no secret, but what was.
    if (inside.facts.role === 'option' && !inside.facts.selected) continue;
    if (inside.facts.name !== undefined) yield inside.facts.name;
    yield* textsOf(inside);
  }
}

/** A text without what names lose: the browser joins lines, and pages write in capitals. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
