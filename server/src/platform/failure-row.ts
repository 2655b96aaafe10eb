/**
 * Finds the first of several failures in a row. A task that is repeated logs only this one, because an outage
 * may last for hours.
 */
export class FailureRow {
  #kind: string | undefined;

  /** True if the last attempt failed. */
  get isFailing(): boolean {
    return this.#kind !== undefined;
  }

  /**
   * Records a failure. Returns true if the attempt before succeeded, or failed in another way.
   *
   * @param kind text that equal failures share
   */
  failed(kind = 'failure'): boolean {
    const isFirst = kind !== this.#kind;
    this.#kind = kind;
    return isFirst;
  }

  /** Records a success. Returns true if the attempt before failed. */
  succeeded(): boolean {
    const failedBefore = this.isFailing;
    this.#kind = undefined;
    return failedBefore;
  }
}
