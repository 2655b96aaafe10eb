import type { Clock } from '../../platform/time/clock.js';
import { deletedBytes, directoryBytes, freeBytes } from './disk-use.js';

/** Maximum interval between two measurements. Milliseconds. */
export const SIZE_INTERVAL_MS = 30_000;
/**
 * If the free space of the disk falls by this share of the session's limit, the session's directory is
 * measured at once. So no session fills the disk unnoticed.
 */
const LOST_SHARE = 1 / 8;

/** Functions that measure the disk. Tests replace them. */
export interface Disk {
  /** @param pids processes whose deleted files also count while they are open */
  size(directory: string, pids: readonly number[]): Promise<number>;
  free(directory: string): number;
}

const DISK: Disk = {
  // Measures deleted files first. Otherwise a file that is deleted between the two measurements counts twice.
  size: async (directory, pids) => (await deletedBytes(directory, pids)) + (await directoryBytes(directory)),
  free: freeBytes,
};

/**
 * Reports when a directory exceeds its disk limit. Call `look` often. It measures only if the last
 * measurement is too old, or if the disk has lost much free space.
 */
export class DiskWatch {
  #taken = -Infinity;
  #freeThen = Infinity;
  #sizing = false;

  constructor(
    private readonly directory: string,
    private readonly limitBytes: number,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly onExceeded: (bytes: number) => void,
    private readonly disk: Disk = DISK,
  ) {}

  /** @param pids all processes of the session */
  look(pids: readonly number[]): void {
    if (this.#sizing) return;
    const now = this.clock.now();
    const free = this.disk.free(this.directory);
    const lost = this.#freeThen - free > this.limitBytes * LOST_SHARE;
    if (!lost && now - this.#taken < SIZE_INTERVAL_MS) return;
    [this.#taken, this.#freeThen, this.#sizing] = [now, free, true];
    void this.#size(pids).finally(() => (this.#sizing = false));
  }

  async #size(pids: readonly number[]): Promise<void> {
    const bytes = await this.disk.size(this.directory, pids).catch(() => 0);
    if (bytes > this.limitBytes) this.onExceeded(bytes);
  }
}
