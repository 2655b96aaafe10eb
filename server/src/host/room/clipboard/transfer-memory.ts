/** Bytes that the transfers of a session may have in memory together: each way a picture and two texts of the largest size. */
const MAX_SESSION_BYTES = 48 * 1024 * 1024;

/** Counts what all transfers of a session have in memory. */
export class TransferMemory {
  #free = MAX_SESSION_BYTES;

  /** Takes so many bytes until the returned function is called. Undefined: there are not so many. */
  take(bytes: number): (() => void) | undefined {
    if (bytes > this.#free) return undefined;
    this.#free -= bytes;
    let held = true;
    return () => {
      if (held) this.#free += bytes;
      held = false;
    };
  }
}
