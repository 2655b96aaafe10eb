import type { FromHost } from '../host-protocol.js';
import { systemClock } from '../platform/time/clock.js';
import type { Sound } from './audio/sound.js';
import type { StartOrder } from './enforce-limits.js';
import { ProgramFreezer } from './standby/program-freezer.js';
import { Standby } from './standby/standby.js';
import type { Workstation } from './workstation/workstation.js';

/** Time for which a session still counts as used after its last sound. Milliseconds. */
const SOUND_PAUSE_MS = 2_000;

/** Parts of a session that its {@link SessionStandby} uses. */
export interface StandbyOfSession {
  sound: Pick<Sound, 'soundedAt' | 'pauseWatch'>;
  workstation(): Pick<Workstation, 'trimMemory' | 'pauseWatches'> | undefined;
  tell: (message: FromHost) => void;
  /** Returns true if a viewer, a program or a feature uses the session. The sound is checked separately. */
  isUsed(): boolean;
  /** Called when the programs could not be continued. */
  onFailure(error: unknown): void;
}

/** Freezes one session while it is not in use, if the session allows that. */
export class SessionStandby {
  readonly #freezer: ProgramFreezer;
  readonly #standby: Standby;

  constructor({ session, limits }: Pick<StartOrder, 'session' | 'limits'>, parts: StandbyOfSession) {
    const clock = systemClock;
    const { sound, tell } = parts;
    this.#freezer = new ProgramFreezer({
      clock,
      askFile: () => tell({ type: 'freezer' }),
      onFailure: (error) => parts.onFailure(error),
    });
    this.#standby = new Standby({
      clock,
      programs: this.#freezer,
      afterMs: session.standby ? limits.standbySeconds * 1_000 : Infinity,
      isUsed: () => parts.isUsed() || clock.now() - sound.soundedAt < SOUND_PAUSE_MS,
      trim: async () => parts.workstation()?.trimMemory(),
      onPause: (paused) => {
        sound.pauseWatch(paused);
        parts.workstation()?.pauseWatches(paused);
      },
      onChange: (standby) => tell({ type: 'standby', standby }),
    });
  }

  /** True while the programs are frozen. */
  get frozen(): boolean {
    return this.#standby.frozen;
  }

  /**
   * Continues the session's programs. Called for example when a viewer, or a program that drives the session,
   * connects.
   */
  wake(): void {
    this.#standby.wake();
  }

  /** Performs a task that needs the programs. Continues the programs first. */
  during<T>(task: () => Promise<T>): Promise<T> {
    return this.#standby.during(task);
  }

  /** Handles the service's answer to the message `freezer`. */
  takeFreezer(file: string | null): void {
    this.#freezer.take(file);
  }

  /** Continues the programs and never freezes them again, because the session ends. */
  end(): void {
    this.#standby.end();
  }

  /** Releases the control group. Call it when the programs have ended. */
  close(): void {
    this.#freezer.close();
  }
}
