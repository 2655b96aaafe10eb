import type { TreeNode } from './tree-node.js';

/** Values that stood in masked fields: so many are remembered, of these lengths. Characters. */
const MAX_FORMER = 100;
const [LEAST, MOST] = [4, 200];

/** The fields of a page whose content is for some users alone. */
export class SecretFields {
  readonly #fields = new Set<TreeNode>();
  readonly #former: string[] = [];

  get size(): number {
    return this.#fields.size + this.#former.length;
  }

  /** The fields as they are. */
  get fields(): Iterable<TreeNode> {
    return this.#fields;
  }

  /** What stood in fields before: names that are made of it may come later. */
  get former(): readonly string[] {
    return this.#former;
  }

  add(field: TreeNode): void {
    this.#fields.add(field);
  }

  /** A field has another value. */
  changes(field: TreeNode, value: string | undefined): void {
    if (this.#fields.has(field) && field.facts.value !== value) this.#remember(field);
  }

  /** A field is gone, or is for everybody. */
  forget(field: TreeNode): void {
    if (this.#fields.delete(field)) this.#remember(field);
  }

  #remember({ facts: { value = '' } }: TreeNode): void {
    if (value.length < LEAST) return;
    this.#former.push(value.slice(0, MOST));
    if (this.#former.length > MAX_FORMER) this.#former.shift();
  }
}
