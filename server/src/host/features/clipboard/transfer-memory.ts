/**
 * Maximum memory of all transfers of a session, in bytes. It is enough for one picture and two texts of the
 * maximum size in each direction.
 */
const MAX_SESSION_BYTES = 48 * 1024 * 1024;

/** Counts the memory of all transfers of a session. */
export class TransferMemory {
  #free = MAX_SESSION_BYTES;

  /**
   * Reserves memory until the returned function is called. Returns undefined if too little memory is free.
   */
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
