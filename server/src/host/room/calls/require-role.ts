import { CallError, type Caller } from './calls.js';
import { hasRole } from '../users/rights.js';

/** Lets admins pass, and viewers with the role. Throws {@link CallError}. */
export function requireRole({ viewer, admin }: Caller, role: string): void {
  if (admin || (viewer && hasRole(viewer.rights, role))) return;
  throw new CallError('err_forbidden', `This needs the role ${role}, or the session's admin token.`);
}
