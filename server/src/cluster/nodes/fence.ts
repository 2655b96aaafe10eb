import { pause, type Clock } from '../../platform/time/clock.js';
import type { Log } from '../../platform/log.js';
import { repeat, type Repetition } from '../../platform/time/repeat.js';
import type { NodeAddress } from '../../sessions/placement/placement.js';
import type { LocalSessions } from '../placement/placement-reconciler.js';
import { withClockTimeout } from '../clock-timeout.js';
import type { Lease } from './lease.js';
import { STEADY_MS } from './lost-nodes.js';
import type { Chance } from '../retry-after.js';

/** Asks other nodes how long they have been connected to the database. */
export interface PeerContacts {
  /**
   * Returns the milliseconds for which a node has been connected to the database (`Lease.connectedFor`).
   * Rejects if the node does not answer.
   */
  connectedFor(node: NodeAddress): Promise<number>;
}

/** Dependencies of {@link Fence}. */
export interface FenceParts {
  lease: Pick<Lease, 'untilFence' | 'renewNow'>;
  /** Other nodes that have not left and are not lost, by the last known state. */
  peers: () => readonly NodeAddress[];
  contacts: PeerContacts;
  sessions: LocalSessions;
  clock: Clock;
  log: Log;
  chance?: Chance;
}

/** Time within which a peer must answer, in milliseconds. */
export const PEER_ANSWER_MS = 2_000;
/** Maximum number of peers that this node asks in one check. They are chosen at random. */
const PEERS_PER_ROUND = 5;
/** Interval of checks in milliseconds, while the renewal of the lease is overdue. */
const ASK_AGAIN_MS = 2_000;
/**
 * If a check starts more than this number of milliseconds late, the process was probably stopped meanwhile.
 * Then the check first tries to renew the lease.
 */
const STOPPED_MS = 2_000;

/**
 * Minimum time in milliseconds from the end of the sessions with tags until a peer may declare this node
 * lost.
 */
const AHEAD_MS = 10_000;

/**
 * Ends the sessions with tags on this node if the node is cut off from the database. At most one session with
 * the same tag may run in the cluster. So these sessions end before another node may start sessions with
 * their tags. The sessions continue if the peers cannot reach the database either, or have only just reached
 * it again. Such peers declare no node lost: a node may declare others lost only after it has been connected
 * to the database for a whole minute, see `LostNodes`. A node without peers keeps its sessions, because no
 * other node can take their tags. If no peer answers, the node counts as cut off from the whole network, and
 * its sessions with tags end. The fence never ends sessions without a tag.
 */
export class Fence {
  #looks: Repetition | undefined;
  #stopped = false;
  /** Sessions that are being ended. */
  readonly #ended = new Set<string>();

  constructor(private readonly parts: FenceParts) {}

  start(): void {
    const { clock, log } = this.parts;
    const onError = (error: unknown) =>
      log.error('could not check if this node is cut off from the database', { error });
    const looks = repeat(clock, { every: ASK_AGAIN_MS, first: this.#nextLook, onError }, async (late) => {
      if ((await this.#look(late)) === 'valid') looks.runIn(this.#nextLook);
    });
    this.#looks = looks;
  }

  stop(): void {
    this.#stopped = true;
    this.#looks?.stop();
  }

  get #untilQuestion(): number {
    return this.parts.lease.untilFence - PEER_ANSWER_MS;
  }

  /** Milliseconds until the next check while the lease is valid. */
  get #nextLook(): number {
    return Math.max(100, this.#untilQuestion);
  }

  /**
   * Returns the state of the lease. Ends the sessions with tags if the lease is overdue and other nodes may
   * declare this node lost.
   */
  async #look(late: number): Promise<'valid' | 'overdue'> {
    const { lease, clock, log } = this.parts;
    if (late > STOPPED_MS)
      await withClockTimeout(clock, lease.renewNow(), PEER_ANSWER_MS).catch(() => undefined);
    if (this.#untilQuestion > 0) return 'valid';
    const steadiest = await this.#ask();
    if (this.#untilQuestion > 0) return 'valid';
    if (steadiest < STEADY_MS - AHEAD_MS - PEER_ANSWER_MS) return 'overdue';
    if (lease.untilFence > 0) {
      await pause(clock, lease.untilFence);
      if (this.#stopped || lease.untilFence > 0) return 'valid';
    }
    const tagged = this.parts.sessions
      .live()
      .filter(({ tag, sessionId }) => tag !== null && !this.#ended.has(sessionId));
    if (tagged.length > 0)
      log.error('ending sessions with a tag, because this node is cut off from the database', {
        sessions: tagged.length,
      });
    for (const { sessionId } of tagged) this.#end(sessionId);
    return 'overdue';
  }

  #end(sessionId: string): void {
    const { sessions, log } = this.parts;
    this.#ended.add(sessionId);
    sessions
      .end(sessionId, 'cut_off')
      .catch((error: unknown) =>
        log.error('a session that was cut off could not be ended', { session: sessionId, error }),
      )
      .finally(() => this.#ended.delete(sessionId));
  }

  /**
   * Asks some peers for how long they have been connected to the database. Returns the longest of these
   * times, in milliseconds. Returns 0 if there are no peers, and Infinity if no peer answers.
   */
  async #ask(): Promise<number> {
    const { peers, contacts, clock, chance = Math.random } = this.parts;
    const asked = someOf(peers(), PEERS_PER_ROUND, chance);
    if (asked.length === 0) return 0;
    const answers = await Promise.all(
      asked.map((peer) =>
        withClockTimeout(clock, contacts.connectedFor(peer), PEER_ANSWER_MS).catch(() => -1),
      ),
    );
    const heard = answers.filter((answer) => answer >= 0);
    return heard.length === 0 ? Infinity : Math.max(...heard);
  }
}

/** Returns up to `count` of the items, drawn at random. */
function someOf<Item>(items: readonly Item[], count: number, chance: Chance): Item[] {
  const left = [...items];
  const drawn: Item[] = [];
  while (drawn.length < count && left.length > 0)
    drawn.push(...left.splice(Math.floor(chance() * left.length), 1));
  return drawn;
}
