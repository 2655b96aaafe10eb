import type { Clock, Timer } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { inClockTime } from './in-clock-time.js';
import type { Lease } from './lease.js';
import { lateAfter } from './lateness.js';
import type { HeldPlace, NodeStore, TakenUp } from './node-store.js';
import type { PlacementStore } from './placement-store.js';
import type { Chance } from './retry-after.js';

/**
 * Why a node ends a session of its own accord: `cut_off`: it could not reach the database for so long that somebody else may get the
 * tag; `superseded`: somebody else has got it.
 */
export type CustodyEnd = 'cut_off' | 'superseded';

/** What is told of it: in the record of the session. */
export const CUSTODY_MESSAGES: Record<CustodyEnd, string> = {
  cut_off:
    'The machine of this session was cut off from the database for so long that another session with the tag may begin.',
  superseded:
    'superseded: while the machine of this session was away, another session with the tag has begun.',
};

/** The sessions that this node runs. */
export interface OwnSessions {
  /** Those that run, and those that are just beginning or ending: all that a tag must not be given away for. */
  live(): readonly HeldPlace[];
  /** Ends one; resolves when nothing of it runs any more. */
  end(sessionId: string, why: CustodyEnd): Promise<void>;
  /** These go on after others had ended them in the records, which have to be written anew. */
  tookUp(sessionIds: readonly string[]): void;
}

/** What {@link Custody} needs. */
export interface CustodyParts {
  store: Pick<NodeStore, 'takeUp' | 'booked'>;
  places: Pick<PlacementStore, 'release'>;
  lease: Pick<Lease, 'life' | 'sinceHeld' | 'interval'>;
  sessions: OwnSessions;
  clock: Clock;
  log: Log;
  chance?: Chance;
}

/** Between two comparisons of the books with what runs. */
export const COMPARE_MS = 60_000;
/** A place that is younger may be one whose session is still on its way here. */
const YOUNG_MS = 60_000;
const CALL_MS = 5_000;

/**
 * Keeps the books and what runs here in agreement: takes sessions up again that were declared lost, gives places back whose session never came, and
 * ends sessions whose tag somebody else has.
 */
export class Custody {
  #timer: Timer | undefined;
  #stopped = false;
  /** Not booked at the last comparison: one that begins or ends in this moment is not yet there at the next. */
  #unbooked = new Set<string>();

  constructor(private readonly parts: CustodyParts) {}

  start(): void {
    this.#schedule();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** This life was declared lost: takes up what nobody has taken. See `LeaseListener.onLost`. */
  async takeUp(): Promise<TakenUp | undefined> {
    const { store, sessions, lease, clock } = this.parts;
    const live = sessions.live();
    const taken = await inClockTime(clock, store.takeUp(lease.life, live), CALL_MS);
    if (taken) this.#supersede(live, taken);
    return taken;
  }

  /** The node goes on in a new life. See `LeaseListener.onReturned`. */
  onReturned({ held }: TakenUp): void {
    this.parts.log.warn('sessions were taken up again', { sessions: held.length });
    this.parts.sessions.tookUp(held);
  }

  #schedule(): void {
    if (this.#stopped) return;
    const { clock, chance = Math.random } = this.parts;
    const wait = COMPARE_MS * (0.75 + chance() / 2);
    this.#timer = clock.setTimeout(() => {
      void this.#compare()
        .catch((error: unknown) =>
          this.parts.log.warn('the books were not compared with what runs', { error }),
        )
        .then(() => this.#schedule());
    }, wait);
  }

  async #compare(): Promise<void> {
    const { store, places, lease, sessions, clock, log } = this.parts;
    // A node that is late first renews its lease, and learns what became of it.
    if (lease.sinceHeld > lateAfter(lease.interval)) return;
    const booked = await inClockTime(clock, store.booked(lease.life.code), CALL_MS);
    const live = sessions.live();
    const running = new Set(live.map(({ sessionId }) => sessionId));
    const never = booked.filter(({ sessionId, age }) => age > YOUNG_MS && !running.has(sessionId));
    if (never.length > 0) {
      log.warn('places are given back whose sessions never came', { sessions: never.length });
      await inClockTime(clock, places.release(never.map(({ sessionId }) => sessionId)), CALL_MS);
    }
    const inBooks = new Set(booked.map(({ sessionId }) => sessionId));
    const unbooked = live.filter(({ sessionId }) => !inBooks.has(sessionId));
    const twice = unbooked.filter(({ sessionId }) => this.#unbooked.has(sessionId));
    this.#unbooked = new Set(unbooked.map(({ sessionId }) => sessionId));
    if (twice.length === 0) return;
    const taken = await inClockTime(clock, store.takeUp(lease.life, twice), CALL_MS);
    if (taken) this.#supersede(twice, taken);
  }

  #supersede(sessions: readonly HeldPlace[], { held }: TakenUp): void {
    const holding = new Set(held);
    for (const { sessionId } of sessions.filter((session) => !holding.has(session.sessionId))) {
      this.parts.log.warn('a session is superseded by another one with its tag', { session: sessionId });
      this.parts.sessions
        .end(sessionId, 'superseded')
        .catch((error: unknown) =>
          this.parts.log.error('a superseded session could not be ended', { session: sessionId, error }),
        );
    }
  }
}
