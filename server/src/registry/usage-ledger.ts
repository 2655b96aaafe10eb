import { readFile } from 'node:fs/promises';
import { writeFileAtomic } from '../platform/atomic-file.js';
import { secondsOf, type SessionRecord } from '../sessions/session-record.js';
import { sumUsage, usageOf, type Usage } from '../sessions/usage.js';

interface Content {
  usage: Record<string, Record<string, number>>;
  /** Records that are counted above and may still be there. */
  retiring: string[];
}

/** What retired records have used, in one file. A record is counted once, wherever a crash falls. */
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

  /** Ids of records that were counted but perhaps not removed, because the service was killed in between. */
  get retiring(): readonly string[] {
    return this.#retiring;
  }

  /** Counts records that are about to be removed. */
  async count(records: readonly SessionRecord[]): Promise<void> {
    this.#usage = sumUsage(
      this.#usage,
      usageOf(records.map((record) => ({ record, seconds: secondsOf(record) }))),
    );
    this.#retiring = records.map(({ id }) => id);
    await this.#write();
  }

  /** The records that were counted are gone. */
  async removed(): Promise<void> {
    this.#retiring = [];
    await this.#write();
  }

  #write(): Promise<void> {
    const usage = Object.fromEntries(
      [...this.#usage].map(([tenant, months]) => [tenant, Object.fromEntries(months)]),
    );
    const content: Content = { usage, retiring: [...this.#retiring] };
    return writeFileAtomic(this.path, JSON.stringify(content));
  }
}
