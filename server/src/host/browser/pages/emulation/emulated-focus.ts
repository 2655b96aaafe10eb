import { withTimeout } from '../../../../platform/time/timeout.js';

/** Maximum time for which the input of all users waits for the project's extension. Milliseconds. */
const INPUT_TIMEOUT_MS = 250;

/** Returns the id of the target that users see. */
type FindFront = () => Promise<string | undefined>;

/**
 * Pages that customers' programs keep visible and focused while other tabs are in front. Such pages report
 * that they are visible. So the host asks the project's extension in the browser which page users see.
 */
export class EmulatedFocus {
  /** Asks the project's extension in the browser which page users see. */
  findFront: FindFront = () => Promise.resolve(undefined);
  /** True while the extension has not answered a question for which input waited. */
  #isLate = false;
  /** The extension's last answer, which is used while the next one is late. */
  #last: string | undefined;
  readonly #owners = new Map<string, Set<object>>();

  /** True if any page is kept visible. */
  get any(): boolean {
    return this.#owners.size > 0;
  }

  /**
   * Returns the id of the target that users see. Resolves to undefined if no page is kept visible, or if the
   * extension does not know which page users see.
   *
   * @param urgent true if the input of users waits for the answer. Then the result is the last answer if the
   *   extension is late
   */
  async front(urgent: boolean): Promise<string | undefined> {
    if (!this.any) return undefined;
    if (urgent && this.#isLate) return this.#last;
    const asked = this.findFront().then(
      (id) => (this.#last = id),
      () => undefined,
    );
    if (!urgent) return asked;
    return withTimeout(asked, INPUT_TIMEOUT_MS, () => {
      this.#isLate = true;
      void asked.then(() => (this.#isLate = false));
      return this.#last;
    });
  }

  /** Records that a program keeps a page visible, or no longer keeps it visible. */
  set(target: string, owner: object, enabled: boolean): void {
    const owners = this.#owners.get(target) ?? new Set();
    if (enabled) owners.add(owner);
    else owners.delete(owner);
    if (owners.size > 0) this.#owners.set(target, owners);
    else this.#owners.delete(target);
    // Asks now, before any input waits for the answer, because the first question also loads the extension.
    if (enabled) void this.front(false);
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
