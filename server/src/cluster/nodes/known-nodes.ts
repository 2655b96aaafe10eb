import type { Clock } from '../../platform/time/clock.js';
import type { Log } from '../../platform/log.js';
import type { NodeAddress } from '../../sessions/placement/placement.js';
import type { NodeCondition } from '../../sessions/placement/nodes.js';
import { REGIONS, type Region } from '../../create-fields/values/region.js';
import { withClockTimeout } from '../clock-timeout.js';
import { lateAfter, lostAfter } from './lateness.js';
import type { NodeRow, NodeStore } from './node-store.js';

/** State of a node, as this node last read it. */
export interface KnownNode extends NodeRow {
  condition: NodeCondition;
  /** Milliseconds since this state was read. */
  readAgo: number;
}

/** Age in milliseconds up to which a node's state counts as fresh. */
const FRESH_MS = 10_000;
/** Milliseconds after which a look-up counts as failed. */
const LOOK_UP_MS = 3_000;
/**
 * Maximum number of remembered codes that belong to no node. A session id contains the code of a node.
 * Callers may send session ids with any number of invented codes, so the memory for such codes needs a limit.
 */
const MAX_UNKNOWN = 1_000;

interface Known {
  /** Undefined if there is no such node. */
  row: NodeRow | undefined;
  /** Time of the read, on this node's clock. */
  at: number;
}

/**
 * The nodes of the cluster, as this node last read them. {@link refresh} reads all nodes. {@link find} reads
 * a single node if its state is unknown or not fresh. While the database is unavailable, the last known state
 * stays valid.
 */
export class KnownNodes {
  /**
   * Rows of the last full read that are not in {@link #byCode} yet. Most reads serve only the lease, which
   * needs no map of all nodes. So {@link #known} adds the rows only when a caller needs the map.
   */
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

  /** Number of nodes in the condition `alive`. */
  get alive(): number {
    return this.#rows.reduce((sum, row) => (conditionOf(row) === 'alive' ? sum + 1 : sum), 0);
  }

  /** Regions that live nodes serve. */
  get regions(): readonly Region[] {
    const served = new Set(
      this.#rows.filter(({ state }) => state === 'alive').flatMap(({ regions }) => regions),
    );
    return REGIONS.filter((region) => served.has(region));
  }

  /** Returns the nodes that have not left and are not lost. Leaves out the node with the code `own`. */
  peersOf(own: string): readonly NodeAddress[] {
    return this.#rows.filter(({ code, state }) => code !== own && state === 'alive');
  }

  /**
   * Returns the last known state of a node, without waiting. If the node is unknown or its state is not
   * fresh, starts a look-up for later callers.
   */
  get(code: string): KnownNode | undefined {
    const known = this.#known.get(code);
    if (!known || this.clock.now() - known.at > FRESH_MS) void this.#lookUp(code);
    return known && this.#condition(known);
  }

  /** Same as {@link get}, but waits for the look-up of a node that is unknown or not fresh. Never rejects. */
  async find(code: string): Promise<KnownNode | undefined> {
    const known = this.#known.get(code);
    if (known && this.clock.now() - known.at <= FRESH_MS) return this.#condition(known);
    return this.#lookUp(code);
  }

  /** Returns the address of a node. Undefined if the node is unknown. */
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
      const row = await withClockTimeout(this.clock, this.store.find(code), LOOK_UP_MS);
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

/**
 * Returns the condition of a node by its row. Uses the age that the lease had when the row was read. So a row
 * that was read long ago does not make a live node look late.
 */
function conditionOf(row: NodeRow): NodeCondition {
  if (row.state !== 'alive') return row.state;
  if (isLate(row)) return 'late';
  return row.draining ? 'draining' : 'alive';
}

/** True if a node is late with its lease. */
export function isLate({ state, age, interval }: NodeRow): boolean {
  return state === 'alive' && age > lateAfter(interval);
}

/** True if a node is so late that it may be declared lost. */
export function isLosable({ state, age, interval }: NodeRow): boolean {
  return state === 'alive' && age > lostAfter(interval);
}
