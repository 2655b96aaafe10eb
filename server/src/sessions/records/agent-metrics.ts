import { Counter, Gauge, type Registry } from 'prom-client';
import type { HandoffState } from 'cloud-browser/protocol';
import type { AgentUse } from '../../host-protocol.js';

/** Metrics of the programs that drive sessions, for operators. */
export class AgentMetrics {
  /** Current number of agents, by session. */
  readonly #agents = new Map<string, number>();
  readonly #joined: Counter;
  readonly #commands: Counter<'class'>;
  readonly #refusals: Counter;
  readonly #handoffs: Counter<'outcome'>;

  constructor(registry: Registry) {
    const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
      new Counter({ name: `cloud_browser_${name}_total`, help, labelNames, registers: [registry] });
    this.#joined = counter('agent_connections', 'Programs that have joined a session as agents.');
    this.#commands = counter('agent_commands', 'Commands of agents, by class.', 'class');
    this.#refusals = counter('agent_refusals', 'Refused commands of agents.');
    this.#handoffs = counter(
      'handoffs',
      'Hand-offs from agents to people: requests and outcomes.',
      'outcome',
    );
    const agents: Gauge = new Gauge({
      name: 'cloud_browser_agents',
      help: 'Agents in all sessions.',
      registers: [registry],
      collect: (): void => agents.set(this.agents),
    });
  }

  /** Current number of agents in all sessions. */
  get agents(): number {
    return [...this.#agents.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Adds a session's report about its agents to the metrics. */
  used(sessionId: string, { agents, joined, commands, refusals }: AgentUse): void {
    if (agents > 0) this.#agents.set(sessionId, agents);
    else this.#agents.delete(sessionId);
    this.#joined.inc(joined);
    this.#refusals.inc(refusals);
    for (const [name, count] of Object.entries(commands)) this.#commands.inc({ class: name }, count);
  }

  /** Forgets a session that has ended. */
  ended(sessionId: string): void {
    this.#agents.delete(sessionId);
  }

  /** Counts the beginning or the outcome of a hand-off, which is an agent's request for a person. */
  handoff({ outcome }: HandoffState): void {
    this.#handoffs.inc({ outcome: outcome ?? 'requested' });
  }
}
