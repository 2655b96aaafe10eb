/** Milliseconds between two pictures of a session. */
export const PICTURE_PACE_MS = 10_000;
/**
 * Milliseconds between two pictures of an idle session. This is longer than the default of `STANDBY_SECONDS`,
 * because a picture counts as use and a session in use is never frozen.
 */
export const IDLE_PACE_MS = 90_000;
/** Number of idle results in a row after which the pictures slow down. */
export const IDLE_RESULTS = 3;
/** Maximum pause after failed requests. The pause doubles up to this value. */
export const LONGEST_PICTURE_PAUSE_MS = 120_000;
/** Maximum number of requests at a time. */
export const MAX_REQUESTS = 2;

/** Result of a request for a picture. `idle`: nobody watches the session, and its picture did not change. */
export type PictureResult = 'taken' | 'idle' | 'failed';

/** Options of a {@link PictureSchedule}. */
export interface PictureScheduleParts {
  /** Requests a picture of a session and shows it. It has its own timeout. */
  take: (id: string) => Promise<PictureResult>;
  clock: { now(): number; setTimeout(run: () => void, milliseconds: number): { cancel(): void } };
}

/** State of one session. */
interface Turn {
  wanted: boolean;
  pending: boolean;
  /** Time of the next request. 0 before the first picture. */
  due: number;
  idle: number;
  failures: number;
}

/** Decides which session is the next one to be pictured. */
export class PictureSchedule {
  readonly #turns = new Map<string, Turn>();
  #requests = 0;
  #paused = false;
  #timer: { cancel(): void } | undefined;

  constructor(private readonly parts: PictureScheduleParts) {}

  /** Starts or stops the pictures of a session. A session that is wanted again keeps its turn. */
  want(id: string, wanted: boolean): void {
    const turn = this.#turns.get(id) ?? { wanted: false, pending: false, due: 0, idle: 0, failures: 0 };
    this.#turns.set(id, turn);
    if (turn.wanted === wanted) return;
    turn.wanted = wanted;
    this.#next();
  }

  /** Takes the next picture of a session as soon as possible. */
  hasten(id: string): void {
    const turn = this.#turns.get(id);
    if (!turn) return;
    turn.idle = 0;
    turn.due = Math.min(turn.due, this.parts.clock.now());
    this.#next();
  }

  /** Forgets a session, because it has ended. */
  forget(id: string): void {
    this.#turns.delete(id);
    this.#next();
  }

  /** Forgets all sessions. Pending requests still count until they settle. */
  clear(): void {
    this.#turns.clear();
    this.#next();
  }

  /** Sends no more requests while the page is hidden. */
  pause(): void {
    this.#paused = true;
    this.#timer?.cancel();
  }

  /** Continues with the requests that are due. */
  resume(): void {
    this.#paused = false;
    this.#next();
  }

  #next(): void {
    this.#timer?.cancel();
    if (this.#paused) return;
    const { clock } = this.parts;
    const waiting = [...this.#turns].filter(([, { wanted, pending }]) => wanted && !pending);
    for (const [id, turn] of waiting.sort(([, a], [, b]) => a.due - b.due)) {
      // The end of a request calls this method again.
      if (this.#requests >= MAX_REQUESTS) return;
      const pause = turn.due - clock.now();
      if (pause > 0) {
        this.#timer = clock.setTimeout(() => this.#next(), pause);
        return;
      }
      void this.#take(id, turn);
    }
  }

  async #take(id: string, turn: Turn): Promise<void> {
    turn.pending = true;
    this.#requests += 1;
    const result = await this.parts.take(id).catch(() => 'failed' as const);
    this.#requests -= 1;
    turn.pending = false;
    turn.idle = result === 'idle' ? turn.idle + 1 : 0;
    turn.failures = result === 'failed' ? turn.failures + 1 : 0;
    turn.due = this.parts.clock.now() + pauseAfter(turn);
    this.#next();
  }
}

function pauseAfter({ idle, failures }: Turn): number {
  if (failures > 0) return Math.min(LONGEST_PICTURE_PAUSE_MS, PICTURE_PACE_MS * 2 ** (failures - 1));
  return idle >= IDLE_RESULTS ? IDLE_PACE_MS : PICTURE_PACE_MS;
}
