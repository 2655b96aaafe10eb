import { ProtocolError } from '../bytes.js';

/** Everything that a user of a session can be allowed. */
export const ROLES = [
  'chrome_apis',
  'resize',
  'control',
  'cursor_data',
  'clipboard_copy',
  'file_upload',
  'file_download',
  'field_masking',
] as const;

/**
 * One of {@link ROLES}.
 *
 * - `chrome_apis`: to drive the tabs
 * - `resize`: to change the size of the screen
 * - `control`: mouse, keyboard and fingers
 * - `cursor_data`: to be told where the others point
 * - `clipboard_copy`: to copy out of the browser
 * - `file_upload`: to give files of one's own to pages
 * - `file_download`: to have what pages give out, and what is printed
 * - `field_masking`: to write into masked fields
 */
export type Role = (typeof ROLES)[number];

/** Values that rule the control of one user, with the names of the public API. */
export interface Permissions {
  /** A user of higher priority pre-empts those of lower. -2147483647 to 2147483647, default 0. */
  priority: number;
  /** Milliseconds without input after which the user pre-empts nobody; 0 (default): never idle. To 2147483647. */
  idle_timeout: number;
  /** Drops all input of this user. */
  control_disabled: boolean;
}

/** Bound of the numbers in {@link Permissions}; beyond it is a mistake. */
const PERMISSION_LIMIT = 2_147_483_647;

/**
 * Reads permissions that are not trusted: what is not named is left out, unknown keys mean nothing. Throws
 * {@link ProtocolError} with what a value must be.
 */
export function readPermissions(fields: object): Partial<Permissions> {
  const { priority, idle_timeout, control_disabled } = fields as Record<string, unknown>;
  if (control_disabled !== undefined && typeof control_disabled !== 'boolean')
    throw new ProtocolError('control_disabled must be true or false.');
  return {
    ...(priority !== undefined && { priority: limited(priority, 'priority', -PERMISSION_LIMIT) }),
    ...(idle_timeout !== undefined && { idle_timeout: limited(idle_timeout, 'idle_timeout', 0) }),
    ...(control_disabled !== undefined && { control_disabled }),
  };
}

function limited(value: unknown, name: string, lowest: number): number {
  if (typeof value === 'number' && value >= lowest && value <= PERMISSION_LIMIT) return value;
  throw new ProtocolError(`${name} must be a number from ${lowest} to ${PERMISSION_LIMIT}.`);
}

/** A user of a session, as admins see all users and everybody else sees their own. */
export interface SessionUser {
  id: string;
  roles: Role[];
  permissions: Permissions;
  /** When they came, or came back; RFC 3339, UTC. */
  connectedAt: string;
  /** Their input counts at this moment. */
  controlling: boolean;
}

/** Where another user points: shares of the screen's width and height, 0 to 1. */
export interface PeerPointer {
  userId: string;
  x: number;
  y: number;
}

/** Host to viewer: who has the browser alone, so that the others see and do nothing; null: nobody. */
export interface PrivacyNotice {
  type: 'privacy';
  userId: string | null;
}
