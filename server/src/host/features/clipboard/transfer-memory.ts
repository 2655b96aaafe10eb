/**
 * Maximum memory of all transfers of a session, in bytes: in each direction a picture and two texts of the
 * maximum size.
 */
const MAX_SESSION_BYTES = 48 * 1024 * 1024;

/** Counts the memory of all transfers of a session. */
export class TransferMemory {
  #free = MAX_SESSION_BYTES;

  /** Reserves memory until the returned function is called. Returns undefined if there is not enough. */
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
