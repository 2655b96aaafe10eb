import type { Clock } from '../../platform/clock.js';
import { directoryBytes, freeBytes } from './disk-use.js';

/** Sizes are taken at least so often. */
export const SIZE_INTERVAL_MS = 30_000;
/** And at once when the file system has lost this share of the limit: nobody fills a disk unseen. */
const LOST_SHARE = 1 / 8;

/** How much the disk is asked; for tests. */
export interface Disk {
  size(directory: string): Promise<number>;
  free(directory: string): number;
}

const DISK: Disk = { size: directoryBytes, free: freeBytes };

/** Tells when a directory takes more of the disk than it may. To be asked often: it looks for itself whether sizes are worth taking. */
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

  look(): void {
    if (this.#sizing) return;
    const now = this.clock.now();
    const free = this.disk.free(this.directory);
    const lost = this.#freeThen - free > this.limitBytes * LOST_SHARE;
    if (!lost && now - this.#taken < SIZE_INTERVAL_MS) return;
    [this.#taken, this.#freeThen, this.#sizing] = [now, free, true];
    void this.#size().finally(() => (this.#sizing = false));
  }

  async #size(): Promise<void> {
    const bytes = await this.disk.size(this.directory).catch(() => 0);
    if (bytes > this.limitBytes) this.onExceeded(bytes);
  }
}
