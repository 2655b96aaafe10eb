/** A step that closes a resource. */
type Closing = () => Promise<void> | void;

/** Owns resources that were opened one after the other, and closes them in reverse order. */
export class Scope {
  readonly #closings: Closing[] = [];
  #closed: Promise<void> | undefined;

  /** True if the scope is being closed, or has been. */
  get isClosing(): boolean {
    return this.#closed !== undefined;
  }

  /** Adds a step for the end. */
  atEnd(closing: Closing): void {
    this.#closings.push(closing);
  }

  /**
   * Owns a resource that is still being opened, and returns `opening`. If another step fails in the meantime,
   * {@link close} waits for the resource and closes it. If the resource cannot be opened, there is nothing to
   * close.
   */
  own<T>(opening: Promise<T>, close: (opened: T) => Promise<void> | void): Promise<T> {
    this.#closings.push(() => opening.then(close, () => undefined));
    return opening;
  }

  /**
   * Closes everything, the newest resource first. An error does not prevent the other steps. Rejects with the
   * first error after the last step. A second call closes nothing, but waits for the same end.
   */
  close(): Promise<void> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  async #closeAll(): Promise<void> {
    const errors: unknown[] = [];
    for (let closing = this.#closings.pop(); closing; closing = this.#closings.pop()) {
      try {
        await closing();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
