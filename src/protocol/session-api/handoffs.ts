/** Longest instructions of a hand-off, and longest note of its answer, in characters. */
export const MAX_HANDOFF_CHARS = 2_000;

/** Longest time for which a hand-off waits for an answer, in seconds. */
export const MAX_HANDOFF_SECONDS = 86_400;

/** Ways in which a person answers a hand-off. */
export const HANDOFF_ANSWERS = ['done', 'refused'] as const;

/** `done`: a person did it. `refused`: a person could not or did not want to do it. */
export type HandoffAnswer = (typeof HANDOFF_ANSWERS)[number];

/** `timeout`: no person answered in time. `withdrawn`: the agent or backend does not need it any more. */
export type HandoffOutcome = HandoffAnswer | 'timeout' | 'withdrawn';

/** An agent of the session, as viewers see it. */
export interface SessionAgent {
  id: string;
  name: string;
  /** Colour of its pointer, such as `#b3261e`. */
  color: string;
}

/** A request of an agent for the help of a person. It waits for an answer. */
export interface Handoff {
  id: string;
  /** Name that viewers see: of the agent, or as in {@link HandoffRequest.name}. */
  name: string;
  /** User id of the agent that waits. Null if all agents of the session wait. */
  agent: string | null;
  /** Instructions for the person, as plain text. */
  instructions: string;
  /** Time of the request. RFC 3339, UTC. */
  requestedAt: string;
  /** Time at which the hand-off ends if no user answers. RFC 3339, UTC. */
  expiresAt: string;
}

/** A hand-off with its result. */
export interface HandoffState extends Handoff {
  /** Null while the hand-off waits for an answer. */
  outcome: HandoffOutcome | null;
  /** Text that the person added to the answer. Empty if there is none. */
  note: string;
  /** User who answered. Null if no user did. */
  answeredBy: string | null;
}

/** Request for a hand-off by a backend. */
export interface HandoffRequest {
  instructions: string;
  /** Seconds until the hand-off ends without an answer, 1 to 86400. Default: 600. */
  timeout?: number;
  /** User id of the agent that waits. Default: all agents of the session wait. */
  agent?: string;
  /**
   * Name that viewers see. Default: the name of `agent`. Without `agent`, the name of the session's only
   * agent, or an empty name.
   */
  name?: string;
}

/**
 * Host to viewer: the agents of the session. Sent on each change. Also sent to each new viewer if the session
 * has agents.
 */
export interface AgentsNotice {
  type: 'agents';
  agents: SessionAgent[];
}

/**
 * Host to viewer: the open hand-offs that this user may answer, oldest first. Sent on each change. Also sent
 * to each new viewer if there are open hand-offs.
 */
export interface HandoffsNotice {
  type: 'handoffs';
  open: Handoff[];
}
