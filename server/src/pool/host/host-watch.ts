import type { Clock } from '../../platform/time/clock.js';
import { StoppedWatch } from '../../platform/process/stopped-watch.js';
import { Watchdog } from '../../platform/process/watchdog.js';

/** The host that is watched. */
export interface WatchedHost {
  clock: Clock;
  /** Process id of the host. */
  pid: number;
  /** Sends a ping. The caller passes the host's answer to {@link HostWatch.pong}. */
  ping: () => void;
  /** Called after the watch has continued a host that a signal had stopped. */
  onContinued: () => void;
  /** Called when the host has not answered for this many milliseconds. */
  onHang: (milliseconds: number) => void;
}

/** Detects that a host no longer answers, and continues a host that a signal has stopped. */
export class HostWatch {
  readonly #watchdog: Watchdog;
  readonly #stopped: StoppedWatch;
  #onPong: () => void = () => undefined;

  constructor({ clock, pid, ping, onContinued, onHang }: WatchedHost) {
    const ask = (): Promise<void> => {
      ping();
      return new Promise((resolve) => (this.#onPong = resolve));
    };
    this.#watchdog = Watchdog.start({ clock, ask, onHang });
    this.#stopped = StoppedWatch.start({ clock, pid, onContinued });
  }

  /** Handles the answer to a ping. */
  pong(): void {
    this.#onPong();
  }

  stop(): void {
    this.#watchdog.stop();
    this.#stopped.stop();
  }
}
