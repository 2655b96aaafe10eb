import type { Role } from 'cloud-browser/protocol';
import type { Warnings } from '../warnings.js';
import { DEFAULT_ROLES, knownRoles } from './roles.js';

/** Form of the creation field `automation`. */
export type AutomationRequest =
  boolean | { keep_alive?: boolean; hold_seconds?: number; roles?: readonly string[]; name?: string };

/** Settings of a session's automation endpoint, checked and complete. */
export interface AutomationSettings {
  /** True if commands of agents restart the inactive and the offline timeout. */
  keepAlive: boolean;
  /** Seconds for which a command that acts on the browser waits while a person has control. */
  holdSeconds: number;
  /** Roles of agents. */
  roles: readonly Role[];
  /** Name of agents that viewers see. */
  name: string;
}

/** Default of `hold_seconds`. */
export const STANDARD_HOLD_SECONDS = 30;
/** Maximum of `hold_seconds`. A longer wait would be of little use, because most clients time out earlier. */
export const MAX_HOLD_SECONDS = 600;
/** Default of `name`. */
export const STANDARD_AGENT_NAME = 'Agent';
/**
 * Default roles of agents: the default roles of viewers except `privacy`, because an agent must not lock
 * people out.
 */
const AGENT_ROLES: readonly Role[] = DEFAULT_ROLES.filter((role) => role !== 'privacy');

/** Returns the settings of a request. Null if the session gets no automation endpoint. */
export function automationOf(
  request: AutomationRequest | undefined,
  warnings: Warnings,
): AutomationSettings | null {
  if (request === undefined || request === false) return null;
  const { keep_alive: keepAlive, hold_seconds: hold, roles, name } = request === true ? {} : request;
  return {
    keepAlive: keepAlive ?? false,
    holdSeconds: holdWithin(hold ?? STANDARD_HOLD_SECONDS, warnings),
    roles: roles === undefined ? AGENT_ROLES : knownRoles('automation.roles', roles, warnings),
    name: name ?? STANDARD_AGENT_NAME,
  };
}

function holdWithin(asked: number, warnings: Warnings): number {
  if (asked <= MAX_HOLD_SECONDS) return asked;
  warnings.push(
    `automation.hold_seconds ${asked} becomes ${MAX_HOLD_SECONDS}: no command waits longer than ${MAX_HOLD_SECONDS} seconds.`,
  );
  return MAX_HOLD_SECONDS;
}
