import { readFile } from 'node:fs/promises';
import { CodedError } from '../platform/coded-error.js';
import { writeFileAtomic } from '../platform/files/atomic-file.js';
import { ignoreMissing } from '../platform/files/ignore-missing.js';
import { isRecord } from '../platform/is-record.js';
import { parseJson } from '../platform/parse-json.js';
import { secondsOf, type SessionRecord } from '../sessions/records/session-record.js';
import { sumUsage, usageOf, type Usage } from '../sessions/records/usage.js';

interface Content {
  usage: Record<string, Record<string, number>>;
  /** Ids of the records that were counted last. Files of these records may still exist. */
  retiring: string[];
}

/** Thrown if the file of a ledger was damaged. The message is for the operator. */
export class UsageLedgerError extends CodedError {
  readonly code = 'err_usage_ledger';

  constructor(path: string) {
    super(
      `${path} is damaged. Restore the file, or remove it. After a removal, the usage of removed records is lost.`,
    );
  }
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
    const text = await readFile(path, 'utf8').catch(ignoreMissing);
    if (text === undefined) return new UsageLedger(path, { usage: {}, retiring: [] });
    const content = parse(text);
    if (!content) throw new UsageLedgerError(path);
    return new UsageLedger(path, content);
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

/** Parses the content of the file. Returns undefined if the text is not such a content. */
function parse(text: string): Content | undefined {
  const value = parseJson(text);
  const complete = isRecord(value) && isRecord(value['usage']) && Array.isArray(value['retiring']);
  return complete ? (value as unknown as Content) : undefined;
}
