import { ProtocolError } from '../bytes.js';

/** All roles that a user of a session can have. */
export const ROLES = [
  'chrome_apis',
  'resize',
  'control',
  'cursor_data',
  'clipboard_copy',
  'file_upload',
  'file_download',
  'field_masking',
  'privacy',
] as const;

/**
 * One of {@link ROLES}.
 *
 * - `chrome_apis`: to control the tabs, and to answer dialogs of pages
 * - `resize`: to change the size of the screen
 * - `control`: to use mouse, keyboard and touch
 * - `cursor_data`: to receive the other users' pointers
 * - `clipboard_copy`: to copy from the browser
 * - `file_upload`: to upload own files to pages
 * - `file_download`: to download files from pages, and printed pages
 * - `field_masking`: to type into masked fields
 * - `privacy`: to use privacy mode, while in control
 */
export type Role = (typeof ROLES)[number];

/** Settings that decide when a user has control, with the names of the public API. */
export interface Permissions {
  /**
   * A user blocks the input of users with a lower priority. After `idle_timeout` without input, the user no
   * longer blocks them. -2147483647 to 2147483647, default 0.
   */
  priority: number;
  /**
   * Milliseconds without input after which the user no longer blocks other users. 0 (default): no limit.
   * Maximum 2147483647.
   */
  idle_timeout: number;
  /** If true, the session accepts input of this user only after an admin has given them control. */
  control_disabled: boolean;
}

/** Largest number in {@link Permissions}. Larger numbers are an error. */
const PERMISSION_LIMIT = 2_147_483_647;

/**
 * Reads permissions, which are not trusted. Leaves out permissions that are missing or null, because programs
 * send null for values that they do not set. Ignores unknown keys. Throws {@link ProtocolError} with the
 * allowed values.
 */
export function readPermissions(fields: object): Partial<Permissions> {
  const { priority, idle_timeout, control_disabled } = fields as Record<string, unknown>;
  if (isGiven(control_disabled) && typeof control_disabled !== 'boolean')
    throw new ProtocolError('control_disabled must be true or false.');
  return {
    ...(isGiven(priority) && { priority: limited(priority, 'priority', -PERMISSION_LIMIT) }),
    ...(isGiven(idle_timeout) && { idle_timeout: limited(idle_timeout, 'idle_timeout', 0) }),
    ...(isGiven(control_disabled) && { control_disabled }),
  };
}

function isGiven<Value>(value: Value): value is NonNullable<Value> {
  return value !== undefined && value !== null;
}

function limited(value: unknown, name: string, lowest: number): number {
  if (typeof value === 'number' && value >= lowest && value <= PERMISSION_LIMIT) return value;
  throw new ProtocolError(`${name} must be a number from ${lowest} to ${PERMISSION_LIMIT}.`);
}

/** A user of a session. Admins see all users, other users see themselves. */
export interface SessionUser {
  id: string;
  /** `agent`: a program that drives the browser, without a viewer. */
  kind: 'person' | 'agent';
  /** Name of an agent, or of a person whose token has a name. */
  name?: string;
  /** Colour of an agent's pointer, such as `#b3261e`. Absent for persons. */
  color?: string;
  roles: Role[];
  permissions: Permissions;
  /** Time at which the user joined or reconnected. RFC 3339, UTC. */
  connectedAt: string;
  /** True if the host accepts the user's input now. */
  controlling: boolean;
  /**
   * Start and latest end of the user's privacy mode. RFC 3339, UTC. Absent if the user is not in privacy
   * mode. `until` is null if there is no time limit.
   */
  privacy?: { since: string; until: string | null };
}

/** Another user's pointer, as fractions of the screen's width and height, 0 to 1. */
export interface PeerPointer {
  userId: string;
  x: number;
  y: number;
  /** Name and pointer colour of the agent whose pointer this is. Absent for persons. */
  agent?: { name: string; color: string };
}

/**
 * Host to viewer: the user in privacy mode. The other users cannot see or use the browser. Sent to all
 * viewers on each start, renewal and end. Sent to each viewer that joins during privacy mode. Sent again to
 * the user in privacy mode, with `ending`, as a warning before privacy mode ends.
 */
export interface PrivacyNotice {
  type: 'privacy';
  /** Null if no user is in privacy mode. */
  userId: string | null;
  /** Milliseconds since the start of privacy mode. Absent if no user is in privacy mode. */
  elapsed?: number;
  /**
   * Milliseconds until privacy mode ends by itself. Null if there is no time limit. Absent if no user is in
   * privacy mode.
   */
  remaining?: number | null;
  /** True if privacy mode ends soon. The user in privacy mode can renew it with `enablePrivacyMode`. */
  ending?: boolean;
}
