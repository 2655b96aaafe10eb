/** Limits of one file, and of all files of a session together, in bytes. */
export interface FileLimits {
  perFile: number;
  perSession: number;
}

/**
 * Counts the bytes of a session's files. The bytes of an upload count when it is offered. The bytes of a
 * download count as they arrive.
 */
export class FileQuota {
  #used = 0;

  constructor(readonly limits: FileLimits) {}

  /** Number of bytes that are left. */
  get left(): number {
    return this.limits.perSession - this.#used;
  }

  /** Reserves bytes for a file. Returns false, and reserves nothing, if too few bytes are left. */
  take(bytes: number): boolean {
    if (bytes > this.left) return false;
    this.#used += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#used -= bytes;
  }
}
