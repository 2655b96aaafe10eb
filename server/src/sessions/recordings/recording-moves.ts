import type { Log } from '../../platform/log.js';
import type { Clock } from '../../platform/time/clock.js';
import { Lanes } from '../../platform/time/lanes.js';
import type { RecordingFiles } from './recording-ports.js';

/** Pause after a failed move. It doubles up to the longest one. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Moves at the same time. */
const PARALLEL_MOVES = 2;

/** Dependencies of {@link RecordingMoves}. */
export interface RecordingMovesParts {
  files: Pick<RecordingFiles, 'move'>;
  clock: Pick<Clock, 'setTimeout'>;
  log: Log;
}

/** Moves complete recordings to their store. While the store does not answer, it tries again. */
export class RecordingMoves {
  readonly #lanes = new Lanes(PARALLEL_MOVES);
  readonly #pauses = new Set<() => void>();
  #closed = false;

  constructor(private readonly parts: RecordingMovesParts) {}

  /**
   * Moves a recording. Resolves to `moved`, to `lost` if it has no files, or to `open` if {@link close} was
   * called before it was moved.
   */
  async move(id: string): Promise<'moved' | 'lost' | 'open'> {
    const { files, log } = this.parts;
    for (let milliseconds = FIRST_PAUSE_MS; !this.#closed;) {
      try {
        return (await this.#lanes.run(() => files.move(id))) ? 'moved' : 'lost';
      } catch (error) {
        log.warn('could not move a recording to its store', { recording: id, error });
      }
      await this.#pause(milliseconds);
      milliseconds = Math.min(LONGEST_PAUSE_MS, milliseconds * 2);
    }
    return 'open';
  }

  /** Ends all waiting moves. A move under way still ends. */
  close(): void {
    this.#closed = true;
    for (const end of this.#pauses) end();
  }

  async #pause(milliseconds: number): Promise<void> {
    if (this.#closed) return;
    await new Promise<void>((resolve) => {
      const timer = this.parts.clock.setTimeout(() => end(), milliseconds);
      const end = () => {
        timer.cancel();
        this.#pauses.delete(end);
        resolve();
      };
      this.#pauses.add(end);
    });
  }
}
