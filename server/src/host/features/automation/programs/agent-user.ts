import type { AutomationHandover, HostSession } from '../../../../host-protocol.js';
import type { Agent } from '../../../room/agents/agent.js';
import type { Agents } from '../../../room/agents/agents.js';

/**
 * The functions of an agent that the relay needs. In the session, each program is an agent. An agent is a
 * kind of user.
 */
export type AgentUser = Pick<
  Agent,
  | 'act'
  | 'acted'
  | 'counts'
  | 'canRead'
  | 'checkControl'
  | 'fetchesFiles'
  | 'givesFiles'
  | 'id'
  | 'leave'
  | 'mayAct'
  | 'onControlReturned'
  | 'onHandoffDone'
  | 'onKicked'
  | 'opensMasked'
  | 'perform'
  | 'performs'
  | 'pointer'
  | 'removePasteOfOthers'
  | 'requestHuman'
  | 'use'
>;

/**
 * Adds a program as a user of the session. An earlier program with the same user id leaves, like an earlier
 * connection of a person. It may be a lost connection of the same program. Throws `CallError`.
 */
export function joinAs(
  agents: Pick<Agents, 'join'>,
  { userId, roles, name, tokenId }: AutomationHandover,
  settings: NonNullable<HostSession['automation']>,
): AgentUser {
  const entry = { userId, name: name ?? settings.name, roles: roles ?? settings.roles, tokenId };
  return agents.join({ ...entry, replaces: true });
}
