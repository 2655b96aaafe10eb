import type { TreeNode } from './nodes/tree-node.js';

/** Maximum number of earlier values of masked fields that are kept. */
const MAX_PREVIOUS = 100;
/**
 * Minimum length of an earlier value that is kept, and the length to which longer values are cut. Characters.
 */
const [LEAST, MOST] = [4, 200];

/** The masked fields of a page. */
export class SecretFields {
  readonly #fields = new Set<TreeNode>();
  readonly #previousValues: string[] = [];

  get size(): number {
    return this.#fields.size + this.#previousValues.length;
  }

  /** The fields that are masked now. */
  get fields(): Iterable<TreeNode> {
    return this.#fields;
  }

  /**
   * Earlier values of masked fields. The browser may still send names of other nodes that contain these
   * values.
   */
  get previousValues(): readonly string[] {
    return this.#previousValues;
  }

  add(field: TreeNode): void {
    this.#fields.add(field);
  }

  /** Remembers the earlier value of a masked field before its value changes. */
  changes(field: TreeNode, value: string | undefined): void {
    if (this.#fields.has(field) && field.facts.value !== value) this.#remember(field);
  }

  /** Removes a field that is gone, or is no longer masked. */
  forget(field: TreeNode): void {
    if (this.#fields.delete(field)) this.#remember(field);
  }

  #remember({ facts: { value = '' } }: TreeNode): void {
    if (value.length < LEAST) return;
    this.#previousValues.push(value.slice(0, MOST));
    if (this.#previousValues.length > MAX_PREVIOUS) this.#previousValues.shift();
  }
}
