import type { Role } from 'cloud-browser/protocol';
import { hasRole, mayControl, type Rights } from './rights.js';

/** The parts of a user's connection that concern rights. */
export interface RightsHolder {
  /** True if the connection has sent the session's admin token. */
  readonly admin: boolean;
  /** True if another user has the browser alone. */
  readonly shutOut: boolean;
  readonly rights: Rights;
}

/**
 * Roles for mouse, keyboard and fingers. A key press carries no token, so the admin token does not replace
 * these roles.
 */
const ROLES_OF_HANDS: ReadonlySet<Role> = new Set(['control', 'field_masking']);

/**
 * Decides all questions of rights. Returns true if this user may now do what the role allows.
 *
 * - The admin token allows everything, even while another user has the browser alone. It does not replace the
 *   roles `control` and `field_masking`, which concern input. An admin takes control, or gives themselves the
 *   role.
 * - Without the token the user needs the role, and no other user may have the browser alone.
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
 * pointer, and its accessibility tree. All users may, unless another user has the browser alone. That also
 * hides it from admins. An admin who wants to see ends privacy mode, and its user notices that.
 */
export function canSee({ shutOut }: Pick<RightsHolder, 'shutOut'>): boolean {
  return !shutOut;
}
