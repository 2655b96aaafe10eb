import { systemClock, type Clock } from '../../../platform/time/clock.js';
import { AGENT_DEFAULTS, Agents, type AgentSettings } from '../agents/agents.js';
import type { Calls } from '../calls/calls.js';
import { Control } from './control.js';
import { KnownUsers } from './known-users.js';
import { Roster } from './roster.js';

/** The users of a session, with and without a connection, and their control of the browser. */
export class SessionUsers {
  readonly control: Control;
  readonly roster: Roster;
  readonly known: KnownUsers;
  /** The agents: programs that are users. */
  readonly agents: Agents;

  /** @param settings settings of the session for its agents */
  constructor(calls: Calls, settings: AgentSettings = AGENT_DEFAULTS, clock: Clock = systemClock) {
    this.control = new Control(() => clock.now());
    this.roster = new Roster(calls, this.control);
    this.known = new KnownUsers((id) => this.roster.isHere(id), clock);
    this.agents = new Agents(this.roster, this.known, settings, clock);
  }
}
