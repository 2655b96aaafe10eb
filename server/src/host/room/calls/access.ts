import type { Role } from 'cloud-browser/protocol';
import { hasRole } from '../users/rights.js';
import type { Viewer } from '../viewer.js';
import { CallError } from './call-error.js';

/** Who calls. Without a viewer it is the service, on behalf of whoever holds the admin token. */
export interface Caller {
  viewer: Viewer | undefined;
  /** Holds the session's admin token. */
  admin: boolean;
}

/** Decides who may; throws {@link CallError} to refuse. */
export type Access = (caller: Caller) => void;

/** Lets every caller pass: the method is open to all, or its handler decides. */
export const forAll: Access = () => undefined;

/** Lets admins pass. */
export const forAdmins: Access = ({ admin }) => {
  if (!admin) throw new CallError('err_forbidden', 'Only an admin may do this. Set the admin token first.');
};

/** Lets admins pass, and viewers with the role. */
export function forRole(role: Role): Access {
  return ({ viewer, admin }) => {
    if (admin || (viewer && hasRole(viewer.rights, role))) return;
    throw new CallError('err_forbidden', `This needs the role ${role}, or the session's admin token.`);
  };
}

/** The caller as a user; throws when it is a backend. */
export function viewerOf({ viewer }: Caller): Viewer {
  if (!viewer)
    throw new CallError('err_viewer_required', 'Only a connected user can do this for themselves.');
  return viewer;
}
