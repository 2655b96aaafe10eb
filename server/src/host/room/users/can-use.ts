import type { Role } from 'cloud-browser/protocol';
import { hasRole, mayControl, type Rights } from './rights.js';

/** The properties of a user's connection that determine rights. */
export interface RightsHolder {
  /** True if the connection has sent the session's admin token. */
  readonly admin: boolean;
  /** True if another user is in privacy mode. */
  readonly shutOut: boolean;
  readonly rights: Rights;
}

/**
 * Roles for mouse, keyboard and touch input. The admin token does not replace these roles, because input
 * events contain no token.
 */
const ROLES_OF_HANDS: ReadonlySet<Role> = new Set(['control', 'field_masking']);

/**
 * Returns true if this user currently has the rights of the role. All decisions about rights use this
 * function.
 *
 * - The admin token allows everything, even while another user is in privacy mode. It does not replace the
 *   roles `control` and `field_masking`, which are for input. An admin can take control, or give themselves
 *   the role.
 * - Without the token the user needs the role, and no other user may be in privacy mode.
 *
 * `control` means that the user may control. `Roster.controls` decides which of those users controls now.
 */
export function canUse({ admin, shutOut, rights }: RightsHolder, role: Role): boolean {
  if (admin && !ROLES_OF_HANDS.has(role)) return true;
  if (shutOut) return false;
  return role === 'control' ? mayControl(rights) : hasRole(rights, role);
}

/**
 * Returns true if this user may see, hear and read the browser: its frames, its sound, the shape of its
 * pointer, and its accessibility tree. Every user may, except while another user is in privacy mode. Privacy
 * mode also hides the browser from admins. An admin can end privacy mode, but the user in privacy mode is
 * notified then.
 */
export function canSee({ shutOut }: Pick<RightsHolder, 'shutOut'>): boolean {
  return !shutOut;
}
