import { pause, type Clock, type Timer } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { NodeAddress } from '../sessions/placement.js';
import type { OwnSessions } from './custody.js';
import { inClockTime } from './in-clock-time.js';
import type { Lease } from './lease.js';
import { STEADY_MS } from './lost-nodes.js';
import type { Chance } from './retry-after.js';

/** Asks other nodes how they are. */
export interface PeerVoices {
  /** For how many milliseconds a node has reached the database: its `Lease.steadyFor`. Rejects when it does not answer. */
  steadyFor(node: NodeAddress): Promise<number>;
}

/** What {@link Fence} needs. */
export interface FenceParts {
  lease: Pick<Lease, 'untilFence' | 'renewNow'>;
  /** The other nodes that have neither left nor are lost, as far as was known last. */
  peers: () => readonly NodeAddress[];
  voices: PeerVoices;
  sessions: OwnSessions;
  clock: Clock;
  log: Log;
  chance?: Chance;
}

/** A peer that has not answered by then says nothing. */
export const VOICE_MS = 2_000;
/** Peers that are asked at a time; each time others. */
const VOICES = 5;
/** Between two questions while the database is gone for all. */
const ASK_AGAIN_MS = 2_000;
/** A timer that comes so late says that this process was stopped, and that its lease may well go on. */
const STOPPED_MS = 2_000;

/** This long before a peer may declare this node lost, the tagged sessions end. */
const AHEAD_MS = 10_000;

/**
 * Ends the tagged sessions of a node that is cut off from the database before anybody else may have their tags. Not when the database is gone for
 * its peers too, or has only just come back: who has not reached it for a minute declares nobody lost, see `LostNodes`. A node
 * without peers keeps its sessions: nobody is there to take their tags. One whose peers are all silent is cut off from everything.
 * Sessions without a tag are never ended.
 */
export class Fence {
  #timer: Timer | undefined;
  #stopped = false;
  #expected = 0;
  /** Ended already, or being ended. */
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

  /** Milliseconds until the next look. */
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

  /** For how long some peer has reached the database; 0 without peers, Infinity when all are silent. */
  async #ask(): Promise<number> {
    const { peers, voices, clock, chance = Math.random } = this.parts;
    const asked = someOf(peers(), VOICES, chance);
    if (asked.length === 0) return 0;
    const answers = await Promise.all(
      asked.map((peer) => inClockTime(clock, voices.steadyFor(peer), VOICE_MS).catch(() => -1)),
    );
    const heard = answers.filter((answer) => answer >= 0);
    return heard.length === 0 ? Infinity : Math.max(...heard);
  }
}

/** Up to so many of all, drawn. */
function someOf<Item>(items: readonly Item[], count: number, chance: Chance): Item[] {
  const left = [...items];
  const drawn: Item[] = [];
  while (drawn.length < count && left.length > 0)
    drawn.push(...left.splice(Math.floor(chance() * left.length), 1));
  return drawn;
}
