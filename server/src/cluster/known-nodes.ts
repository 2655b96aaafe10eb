import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { NodeAddress } from '../sessions/placement.js';
import type { NodeCondition } from '../sessions/nodes.js';
import { REGIONS, type Region } from '../sessions/settings/region.js';
import { inClockTime } from './in-clock-time.js';
import { lateAfter, lostAfter } from './lateness.js';
import type { NodeRow, NodeStore } from './node-store.js';

/** What this node knows of another one, or of itself. */
export interface KnownNode extends NodeRow {
  condition: NodeCondition;
  /** Milliseconds since that was read. */
  readAgo: number;
}

/** What is known of a node is looked up again when it is older. */
const FRESH_MS = 10_000;
/** A look-up that takes longer has failed. */
const LOOK_UP_MS = 3_000;
/** Codes of nodes that there are not, of which so many are remembered: strangers may ask for sessions of any. */
const MAX_UNKNOWN = 1_000;

interface Known {
  /** Undefined: there is no such node. */
  row: NodeRow | undefined;
  /** When that was read, on this node's clock. */
  at: number;
}

/**
 * What this node knows of the nodes of its cluster: read whole from time to time, and one by one when somebody asks for one that
 * is not known. While the database is away, what was known last goes on holding.
 */
export class KnownNodes {
  /** What was read whole and is not in {@link #byCode} yet: most looks serve the lease alone, which needs no map of all nodes. */
  #read: { rows: readonly NodeRow[]; at: number } | undefined;
  #byCode = new Map<string, Known>();
  readonly #asked = new Map<string, Promise<KnownNode | undefined>>();

  constructor(
    private readonly store: Pick<NodeStore, 'list' | 'find'>,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Reads all nodes. Rejects with `DatabaseError`. */
  async refresh(): Promise<readonly NodeRow[]> {
    const rows = await this.store.list();
    this.#read = { rows, at: this.clock.now() };
    return rows;
  }

  /** All nodes, in the order of their names. */
  get all(): readonly KnownNode[] {
    return [...this.#known.values()].flatMap((known) => this.#condition(known) ?? []);
  }

  /** How many nodes are alive. */
  get alive(): number {
    return this.#rows.reduce((sum, row) => (conditionOf(row) === 'alive' ? sum + 1 : sum), 0);
  }

  /** The regions that live nodes serve. */
  get regions(): readonly Region[] {
    const served = new Set(
      this.#rows.filter(({ state }) => state === 'alive').flatMap(({ regions }) => regions),
    );
    return REGIONS.filter((region) => served.has(region));
  }

  /** The nodes beside one that have neither left nor are lost. */
  peersOf(own: string): readonly NodeAddress[] {
    return this.#rows.filter(({ code, state }) => code !== own && state === 'alive');
  }

  /** What is known of a node, at once; one that is not known, or not freshly, is looked up for the next who asks. */
  get(code: string): KnownNode | undefined {
    const known = this.#known.get(code);
    if (!known || this.clock.now() - known.at > FRESH_MS) void this.#lookUp(code);
    return known && this.#condition(known);
  }

  /** As {@link get}, but a node that is not known, or not freshly, is looked up first. Never rejects. */
  async find(code: string): Promise<KnownNode | undefined> {
    const known = this.#known.get(code);
    if (known && this.clock.now() - known.at <= FRESH_MS) return this.#condition(known);
    return this.#lookUp(code);
  }

  /** Where a node is reached. */
  async address(code: string): Promise<NodeAddress | undefined> {
    const known = await this.find(code);
    return known && { code, url: known.url, publicUrl: known.publicUrl };
  }

  get #known(): Map<string, Known> {
    if (this.#read) {
      const { rows, at } = this.#read;
      this.#byCode = new Map(rows.map((row) => [row.code, { row, at }]));
      this.#read = undefined;
    }
    return this.#byCode;
  }

  get #rows(): readonly NodeRow[] {
    return this.#read?.rows ?? [...this.#byCode.values()].flatMap(({ row }) => row ?? []);
  }

  #lookUp(code: string): Promise<KnownNode | undefined> {
    const under = this.#asked.get(code);
    if (under) return under;
    const asked = this.#ask(code).finally(() => this.#asked.delete(code));
    this.#asked.set(code, asked);
    return asked;
  }

  async #ask(code: string): Promise<KnownNode | undefined> {
    try {
      const row = await inClockTime(this.clock, this.store.find(code), LOOK_UP_MS);
      if (!row) this.#makeRoom();
      this.#known.set(code, { row, at: this.clock.now() });
    } catch (error) {
      this.log.debug('a node could not be looked up', { code, error });
    }
    const known = this.#known.get(code);
    return known && this.#condition(known);
  }

  #condition({ row, at }: Known): KnownNode | undefined {
    return row && { ...row, condition: conditionOf(row), readAgo: this.clock.now() - at };
  }

  #makeRoom(): void {
    const unknown = [...this.#known].filter(([, { row }]) => !row);
    for (const [code] of unknown.slice(0, Math.max(0, unknown.length + 1 - MAX_UNKNOWN)))
      this.#known.delete(code);
  }
}

/** How a node is by its row. What has passed since that was read counts for nothing: it was this node that has not looked. */
function conditionOf(row: NodeRow): NodeCondition {
  if (row.state !== 'alive') return row.state;
  if (isLate(row)) return 'late';
  return row.draining ? 'draining' : 'alive';
}

/** Whether a node is late with its lease. */
export function isLate({ state, age, interval }: NodeRow): boolean {
  return state === 'alive' && age > lateAfter(interval);
}

/** Whether a node is so late that it may be declared lost. */
export function isLosable({ state, age, interval }: NodeRow): boolean {
  return state === 'alive' && age > lostAfter(interval);
}
