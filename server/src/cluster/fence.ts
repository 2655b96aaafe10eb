import { pause, type Clock, type Timer } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { NodeAddress } from '../sessions/placement.js';
import type { OwnSessions } from './custody.js';
import { inClockTime } from './in-clock-time.js';
import type { Lease } from './lease.js';
import { STEADY_MS } from './lost-nodes.js';
import type { Chance } from './retry-after.js';

/** Asks other nodes about their contact with the database. */
export interface PeerVoices {
  /**
   * Returns the milliseconds for which a node has reached the database: its `Lease.steadyFor`. Rejects if it
   * does not answer.
   */
  steadyFor(node: NodeAddress): Promise<number>;
}

/** Dependencies of {@link Fence}. */
export interface FenceParts {
  lease: Pick<Lease, 'untilFence' | 'renewNow'>;
  /** Other nodes that have neither left nor are lost, by the last known state. */
  peers: () => readonly NodeAddress[];
  voices: PeerVoices;
  sessions: OwnSessions;
  clock: Clock;
  log: Log;
  chance?: Chance;
}

/** Time within which a peer must answer. */
export const VOICE_MS = 2_000;
/** Peers that are asked in one round, chosen at random. */
const PEERS_PER_ROUND = 5;
/** Interval of rounds while the database is away for all nodes. */
const ASK_AGAIN_MS = 2_000;
/** A timer that fires this late shows that this process was stopped. The lease may then still be valid. */
const STOPPED_MS = 2_000;

/** Time before a peer may declare this node lost. Sessions with tags end at this point. */
const AHEAD_MS = 10_000;

/**
 * Ends the sessions with tags on a node that is cut off from the database, before other sessions may get
 * their tags. It does not end them if the peers cannot reach the database either, or have only just reached
 * it again. Such peers declare no node lost, because a node does that only after it has reached the database
 * for a whole minute, see `LostNodes`. A node without peers keeps its sessions, since no other node can take
 * their tags. A node whose peers are all silent is cut off from everything. Sessions without a tag are never
 * ended.
 */
export class Fence {
  #timer: Timer | undefined;
  #stopped = false;
  #expected = 0;
  /** Sessions that are being ended. */
  readonly #ended = new Set<string>();

  constructor(private readonly parts: FenceParts) {}

  start(): void {
    this.#schedule(this.#untilQuestion);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  get #untilQuestion(): number {
    return this.parts.lease.untilFence - VOICE_MS;
  }

  #schedule(wait: number): void {
    if (this.#stopped) return;
    const { clock, log } = this.parts;
    const milliseconds = Math.max(100, wait);
    this.#expected = clock.now() + milliseconds;
    this.#timer = clock.setTimeout(() => {
      void this.#look()
        .catch((error: unknown): number => {
          log.error('the fence failed', { error });
          return ASK_AGAIN_MS;
        })
        .then((next) => this.#schedule(next));
    }, milliseconds);
  }

  /** Returns the milliseconds until the next check. */
  async #look(): Promise<number> {
    const { lease, clock, log } = this.parts;
    if (clock.now() - this.#expected > STOPPED_MS)
      await inClockTime(clock, lease.renewNow(), VOICE_MS).catch(() => undefined);
    if (this.#untilQuestion > 0) return this.#untilQuestion;
    const steadiest = await this.#ask();
    if (this.#untilQuestion > 0) return this.#untilQuestion;
    if (steadiest < STEADY_MS - AHEAD_MS - VOICE_MS) return ASK_AGAIN_MS;
    if (lease.untilFence > 0) {
      await pause(clock, lease.untilFence);
      if (this.#stopped || lease.untilFence > 0) return this.#untilQuestion;
    }
    const tagged = this.parts.sessions
      .live()
      .filter(({ tag, sessionId }) => tag !== null && !this.#ended.has(sessionId));
    if (tagged.length > 0)
      log.error('this node alone is cut off from the database, and ends its sessions with a tag', {
        sessions: tagged.length,
      });
    for (const { sessionId } of tagged) this.#end(sessionId);
    return ASK_AGAIN_MS;
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
   * Returns the longest time for which one of the asked peers has reached the database. 0 without peers,
   * Infinity if all are silent.
   */
  async #ask(): Promise<number> {
    const { peers, voices, clock, chance = Math.random } = this.parts;
    const asked = someOf(peers(), PEERS_PER_ROUND, chance);
    if (asked.length === 0) return 0;
    const answers = await Promise.all(
      asked.map((peer) => inClockTime(clock, voices.steadyFor(peer), VOICE_MS).catch(() => -1)),
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
