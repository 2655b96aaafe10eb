/** What one file, and all files of a session together, may have; bytes. */
export interface FileLimits {
  perFile: number;
  perSession: number;
}

/** Keeps count of what a session's files take, from the moment in which they are announced. */
export class FileQuota {
  #used = 0;

  constructor(readonly limits: FileLimits) {}

  /** Bytes that are left. */
  get left(): number {
    return this.limits.perSession - this.#used;
  }

  /** Counts a file, or more of one. False, and nothing is counted, when there is no room for it. */
  take(bytes: number): boolean {
    if (bytes > this.left) return false;
    this.#used += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#used -= bytes;
  }
}
