import { readFile } from 'node:fs/promises';
import { writeFileAtomic } from '../platform/files/atomic-file.js';
import { secondsOf, type SessionRecord } from '../sessions/records/session-record.js';
import { sumUsage, usageOf, type Usage } from '../sessions/records/usage.js';

interface Content {
  usage: Record<string, Record<string, number>>;
  /** Ids of the records that were counted last. Files of these records may still exist. */
  retiring: string[];
}

/**
 * Maximum number of ids in `retiring`. It is higher than the number of records that the service retires while
 * an operator copies the files for a backup.
 */
const MAX_RETIRING = 10_000;

/**
 * The usage of retired records, in one file. Each record is counted exactly once, even after a crash. This is
 * also true for a service that starts from a backup, if this file was copied to the backup after the records.
 */
export class UsageLedger {
  #usage: Usage;
  #retiring: readonly string[];

  private constructor(
    private readonly path: string,
    content: Content,
  ) {
    this.#usage = new Map(
      Object.entries(content.usage).map(([tenant, months]) => [tenant, new Map(Object.entries(months))]),
    );
    this.#retiring = content.retiring;
  }

  static async open(path: string): Promise<UsageLedger> {
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return new UsageLedger(path, { usage: {}, retiring: [] });
    }
    return new UsageLedger(path, JSON.parse(text) as Content);
  }

  get usage(): Usage {
    return this.#usage;
  }

  /**
   * Ids of the records that were counted last. Their files may still exist if the service was killed before
   * it removed them. They may also exist in a backup that was made before the removal.
   */
  get retiring(): readonly string[] {
    return this.#retiring;
  }

  /**
   * Counts records that are about to be removed. Rejects and counts nothing if the file cannot be written.
   */
  async count(records: readonly SessionRecord[]): Promise<void> {
    const used = usageOf(records.map((record) => ({ record, seconds: secondsOf(record) })));
    const usage = sumUsage(this.#usage, used);
    const retiring = [...this.#retiring, ...records.map(({ id }) => id)].slice(-MAX_RETIRING);
    const tenants = [...usage].map(([tenant, months]) => [tenant, Object.fromEntries(months)] as const);
    const content: Content = { usage: Object.fromEntries(tenants), retiring };
    await writeFileAtomic(this.path, JSON.stringify(content));
    this.#usage = usage;
    this.#retiring = retiring;
  }
}
