import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt, write, type GroupPart } from './group-files.js';

/**
 * Number of bytes that one request to the kernel moves. Requests are small, so that the last request ends
 * soon after the session continues.
 */
const PART_BYTES = 16 * 2 ** 20;
/**
 * Maximum number of requests. Together they move at most 4 GB. The kernel refuses a request when it can move
 * no more memory.
 */
const MAX_PARTS = 256;

/**
 * Moves the memory of a frozen session to the machine's swap. Does nothing on a machine without swap. There,
 * the kernel could free only pages of program files. Other sessions share these pages, and would have to read
 * them from the disk again.
 */
export class MemoryReclaim {
  /** Number of the current run. A run with an earlier number ends. */
  #run = 0;

  /**
   * @param memory the session's group for memory
   * @param swaps file with the kernel's list of swap areas. Its first line is a heading
   */
  constructor(
    private readonly memory: GroupPart,
    private readonly swaps = '/proc/swaps',
  ) {}

  /** Begins to move memory. */
  begin(): void {
    const run = ++this.#run;
    if (!hasSwap(this.swaps)) return;
    const { path, version } = this.memory;
    if (version === 2) {
      // Only a frozen session may use swap.
      attempt(() => write(path, 'memory.swap.max', 'max'));
      void this.#reclaim(run);
    } else {
      // Makes the kernel move the session's own memory rather than free pages of program files.
      attempt(() => write(path, 'memory.swappiness', 200));
      void writeFile(join(path, 'memory.force_empty'), '0').catch(() => undefined);
    }
  }

  /** Stops moving memory. The kernel moves memory back when the session uses it. */
  end(): void {
    this.#run++;
    const { path, version } = this.memory;
    if (version === 2) attempt(() => write(path, 'memory.swap.max', 0));
  }

  async #reclaim(run: number): Promise<void> {
    const file = join(this.memory.path, 'memory.reclaim');
    // Makes the kernel move the session's own memory rather than free pages of program files. Kernels before
    // 6.9 do not support `swappiness` here.
    let words = ' swappiness=200';
    for (let parts = 0; parts < MAX_PARTS && run === this.#run; parts++) {
      try {
        await writeFile(file, `${PART_BYTES}${words}`);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EINVAL' || words === '') return;
        words = '';
      }
    }
  }
}

function hasSwap(swaps: string): boolean {
  try {
    return readFileSync(swaps, 'utf8').trim().split('\n').length > 1;
  } catch {
    return false;
  }
}
