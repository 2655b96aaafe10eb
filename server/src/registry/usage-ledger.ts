import { readFile } from 'node:fs/promises';
import { writeFileAtomic } from '../platform/atomic-file.js';
import { secondsOf, type SessionRecord } from '../sessions/session-record.js';
import { sumUsage, usageOf, type Usage } from '../sessions/usage.js';

interface Content {
  usage: Record<string, Record<string, number>>;
  /** Ids of the records that were counted above last, and may still be there. */
  retiring: string[];
}

/** Counted records whose ids are kept: more than are retired while somebody copies the files. */
const MAX_RETIRING = 10_000;

/**
 * What retired records have used, in one file. A record is counted once, wherever a crash falls, and also by who starts on a copy that was
 * made meanwhile, if this file was copied after the records.
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

  /** Ids of records that were counted; some may not be removed, because the service was killed, or the files copied, in between. */
  get retiring(): readonly string[] {
    return this.#retiring;
  }

  /** Counts records that are about to be removed. Rejects when that could not be written: then they are not counted. */
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
