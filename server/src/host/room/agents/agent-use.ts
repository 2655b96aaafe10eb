import type { AgentUse } from '../../../host-protocol.js';
import { PacedTask } from '../../../platform/time/paced-task.js';
import type { Clock } from '../../../platform/time/clock.js';

/** Rate of reports about the agents of a session. */
const REPORTS = { perSecond: 0.2, burst: 2 };

/** Numbers of commands and refusals of one agent since it has joined. */
export class CommandCounts {
  /** Number of commands, by class, such as `input`. */
  readonly commands: Record<string, number> = {};
  refused = 0;

  /** @param changed called after each change, with the class of a command, or undefined for a refusal */
  constructor(private readonly changed: (kind: string | undefined) => void = () => undefined) {}

  /** Counts a command. */
  command(kind: string): void {
    this.commands[kind] = (this.commands[kind] ?? 0) + 1;
    this.changed(kind);
  }

  /** Counts a refusal. */
  refusal(): void {
    this.refused += 1;
    this.changed(undefined);
  }
}

/**
 * Counts the joins, commands and refusals of a session's agents, and reports them for the metrics of the
 * service.
 */
export class AgentUseReport {
  /** Receives the current number of agents, and the counts since the last report. */
  onReport: (use: AgentUse) => void = () => undefined;
  #joined = 0;
  #commands: Record<string, number> = {};
  #refusals = 0;
  readonly #news: PacedTask;

  /** @param agents returns the current number of agents */
  constructor(
    private readonly agents: () => number,
    clock: Clock,
  ) {
    this.#news = new PacedTask(() => this.#report(), REPORTS, clock);
  }

  /**
   * Returns the counts of an agent that joins.
   *
   * @param onCommand called with the class of each command
   */
  joins(onCommand: (kind: string) => void = () => undefined): CommandCounts {
    this.#joined += 1;
    return new CommandCounts((kind) => {
      if (kind === undefined) this.#refusals += 1;
      else this.#commands[kind] = (this.#commands[kind] ?? 0) + 1;
      if (kind !== undefined) onCommand(kind);
      this.#news.ask();
    });
  }

  /** Reports soon, because an agent has joined or left. */
  changed(): void {
    this.#news.ask();
  }

  /** Ends the reports with a last one. */
  close(): void {
    this.#news.close();
    this.#report();
  }

  #report(): void {
    const use = { joined: this.#joined, commands: this.#commands, refusals: this.#refusals };
    [this.#joined, this.#commands, this.#refusals] = [0, {}, 0];
    this.onReport({ agents: this.agents(), ...use });
  }
}
