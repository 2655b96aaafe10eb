/** Returns the id of the target that users see. */
type FindFront = () => Promise<string | undefined>;

/**
 * Pages that customers' programs keep visible and focused while other tabs are in front. Such pages report
 * that they are visible. So the host asks the project's extension in the browser which page users see.
 */
export class EmulatedFocus {
  /** Asks the project's extension in the browser. */
  findFront: FindFront = () => Promise.resolve(undefined);
  readonly #owners = new Map<string, Set<object>>();

  /** True if any page is kept visible. */
  get any(): boolean {
    return this.#owners.size > 0;
  }

  /** Records that a program keeps a page visible, or no longer keeps it visible. */
  set(target: string, owner: object, enabled: boolean): void {
    const owners = this.#owners.get(target) ?? new Set();
    if (enabled) owners.add(owner);
    else owners.delete(owner);
    if (owners.size > 0) this.#owners.set(target, owners);
    else this.#owners.delete(target);
  }

  /** Forgets a program that has left. */
  leave(owner: object): void {
    for (const target of [...this.#owners.keys()]) this.set(target, owner, false);
  }

  /** Forgets a page that was closed. */
  closed(target: string): void {
    this.#owners.delete(target);
  }
}
