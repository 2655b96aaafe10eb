import type { Role } from '../protocol/index.js';

/** Time limits of a session in seconds, at most 31,536,000. Null means no limit. */
export interface TimeoutLimits {
  /**
   * Counted from the creation of the session. A change of the limits restarts the count, except with `reset:
   * false`.
   */
  absolute?: number | null;
  /** Counted from the last input of a person. */
  inactive?: number | null;
  /** Counted while no viewer is connected. Default 3600. */
  offline?: number | null;
  /** Time between the warning to viewers and the end of the session. Default 60. 0 turns the warning off. */
  warning?: number;
}

/** All time limits of a session after a change. */
export interface TimeoutState extends Required<TimeoutLimits> {
  /** One sentence for each value that the service changed. Absent if it changed none. */
  warnings?: string[];
}

/** An endpoint of your backend, which receives requests of the service. */
export interface Webhook {
  /** http or https. */
  url: string;
  /** Sent as a bearer token. */
  bearer: string;
}

/** The addresses and tokens for a session. */
export interface SessionAccess {
  session_id: string;
  /** For viewers. */
  embed_url: string;
  /** For your backend and for admins. */
  admin_token: string;
  /**
   * For programs: Playwright and Puppeteer. Present if `automation` is set. Always absent with the
   * `auth.type` `tokens`.
   */
  cdp_url?: string;
}

/** Response to the creation of a session. */
export interface SessionCreated extends SessionAccess {
  /** One sentence for each value that the service changed. Absent if it changed none. */
  warnings?: string[];
}

/** A session, live or ended. Dates are RFC 3339 in UTC. */
export interface SessionView extends SessionAccess {
  creation_date: string;
  termination_date: string | null;
  termination_reason: string | null;
  state: 'starting' | 'running' | 'ending' | 'ended';
  viewers: number;
  last_input_date: string | null;
  /** True while the browser is frozen, because nobody uses the session. */
  standby: boolean;
}

/** A row of the list of running sessions. */
export interface SessionRow {
  id: string;
  creation_date: string;
  state: 'starting' | 'running' | 'ending';
  viewers: number;
  /** True while the browser is frozen, because nobody uses the session. */
  standby: boolean;
  tag: string | null;
  tenant_id: string | null;
}

/** A month of usage. */
export interface UsageRow {
  /** Start of the month in UTC, RFC 3339. */
  date: string;
  seconds: number;
}

/**
 * The use that a token allows. `view`: to watch. `control`: to watch and control. `automation`: to drive the
 * session as a program. `admin`: the same as the session's `admin_token`.
 */
export type TokenScope = 'view' | 'control' | 'automation' | 'admin';

/** Request for a token. */
export interface NewToken {
  scope: TokenScope;
  /** Seconds until it expires. Default 3600. */
  ttl?: number | undefined;
  /** Roles of the user. */
  roles?: readonly Role[] | undefined;
  /** Id of the user. Without it, each connection is another user. */
  user_id?: string | undefined;
  /** Name of the user. */
  name?: string | undefined;
}

/** A new token, with its secret. */
export interface IssuedToken {
  token_id: string;
  scope: TokenScope;
  /** The secret. The service cannot return it again. */
  token: string;
  /** The embed URL with the token. Only for `view` and `control`. */
  url?: string;
  /** The WebSocket address with the token. Only for `automation`. */
  cdp_url?: string;
  /** RFC 3339, UTC. */
  expires: string;
}

/** A valid token, without its secret. */
export interface SessionToken extends Omit<NewToken, 'ttl'> {
  token_id: string;
  /** RFC 3339, UTC. */
  created: string;
  /** RFC 3339, UTC. */
  expires: string;
}
