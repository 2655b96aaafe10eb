import type { Clock } from '../../../platform/time/clock.js';
import { withTimeout } from '../../../platform/time/timeout.js';

/**
 * Timeout of each step: the end of the agent's commands in progress, the release of its devices, and their
 * preparation for further commands. Milliseconds.
 */
export const DEVICE_TIMEOUT_MS = 300;

/** A connection or device through which an agent acts on the browser, such as its CDP connection. */
export interface AgentDevice {
  /** True if the agent holds a key or a button with this device. */
  readonly holdsAny: boolean;
  /**
   * Releases all keys and buttons that the agent holds. Called before the input of the person who took
   * control is performed, and when the agent leaves. Also remembers the state that {@link resume} needs.
   */
  release(): Promise<void> | void;
  /** Called before the agent's commands continue, for example to restore the focus of a page. */
  resume?(): Promise<void> | void;
}

/**
 * The devices of one agent, and its input commands in progress. No step waits longer than
 * {@link DEVICE_TIMEOUT_MS}, because the input of other users waits meanwhile.
 */
export class AgentDevices {
  readonly #devices = new Set<AgentDevice>();
  readonly #running = new Set<Promise<unknown>>();

  constructor(private readonly clock: Clock) {}

  /** Adds a device. Returns a function that removes it. */
  add(device: AgentDevice): () => void {
    this.#devices.add(device);
    return () => void this.#devices.delete(device);
  }

  get holdsAny(): boolean {
    return [...this.#devices].some(({ holdsAny }) => holdsAny);
  }

  /** True if {@link release} must run before another user's input. */
  get busy(): boolean {
    return this.#running.size > 0 || this.#devices.size > 0;
  }

  /** Records a command in progress. Returns the same promise. */
  track<T>(command: Promise<T>): Promise<T> {
    const ended = command.then(
      () => undefined,
      () => undefined,
    );
    this.#running.add(ended);
    void ended.then(() => this.#running.delete(ended));
    return command;
  }

  /** Waits for the commands in progress, then releases all keys and buttons that the agent holds. */
  async release(): Promise<void> {
    await this.within(Promise.all(this.#running));
    await this.#each((device) => device.release());
  }

  /** Prepares the devices for further commands. */
  resume(): Promise<void> {
    return this.#each((device) => device.resume?.());
  }

  async #each(act: (device: AgentDevice) => Promise<void> | void): Promise<void> {
    // A device whose connection has failed does not prevent the others from being released.
    const acts = [...this.#devices].map(async (device) => act(device));
    await this.within(Promise.allSettled(acts));
  }

  /** Waits for an answer of a page or a program, at most for {@link DEVICE_TIMEOUT_MS}. */
  async within(done: Promise<unknown>): Promise<void> {
    await withTimeout(done, DEVICE_TIMEOUT_MS, () => undefined, this.clock);
  }
}
