import type { Role } from 'cloud-browser/protocol';
import type { CallingAgent } from '../../../host-protocol.js';
import { canUse, type RightsHolder } from '../users/can-use.js';
import type { Viewer } from '../viewers/viewer.js';
import { CallError, rolesRest } from './call-error.js';

/** An agent on whose behalf a method is performed. */
export interface ActingAgent {
  readonly agent: RightsHolder & {
    readonly id: string;
    /** False after the agent has left, and during another user's privacy mode. */
    readonly canRead: boolean;
    /** Performs a command when the agent has control. Rejects with {@link CallError}. */
    perform<T>(command: () => Promise<T>): Promise<T>;
  };
  /** Keeps the agent in the session until the returned function is called. */
  readonly stay: () => () => void;
}

/** Caller of a method: a viewer, or the service on behalf of a client with the admin token. */
export interface Caller {
  viewer: Viewer | undefined;
  /** True if the caller has the session's admin token. */
  admin: boolean;
  /**
   * Program on whose behalf the service calls. Absent if the holder of the admin token calls for themselves.
   */
  program?: CallingAgent | undefined;
  /** Signals that the client of the call has gone. A call that still waits must then not begin. */
  leaving?: AbortSignal | undefined;
  /** Agent of that program. Present only if the agent has joined and its rights were checked. */
  acting?: ActingAgent | undefined;
}

/** Checks a caller's access. Throws {@link CallError} to refuse. */
export type Access = (caller: Caller) => void;

/** Allows every caller: the method is open to all, or its handler decides. */
export const forAll: Access = () => undefined;

/** Allows admins. */
export const forAdmins: Access = ({ admin }) => {
  if (!admin) throw new CallError('err_forbidden', 'Only an admin may do this. Set the admin token first.');
};

/** Allows admins, and viewers with the role. */
export function forRole(role: Role): Access {
  return (caller) => {
    if (callerCanUse(caller, role)) return;
    // True if the caller has the role, but another user's privacy mode blocks it.
    const rests = caller.viewer !== undefined && canUse({ ...rightsOf(caller.viewer), shutOut: false }, role);
    if (rests) throw rolesRest();
    throw new CallError('err_forbidden', `This needs the role ${role}, or the session's admin token.`);
  };
}

/**
 * Returns true if a caller has the rights of a role, see {@link canUse}. A viewer is an admin only for calls
 * that contain the admin token. Tokens of the viewer's earlier calls have no effect.
 */
export function callerCanUse({ viewer, admin }: Caller, role: Role): boolean {
  return viewer ? canUse({ ...rightsOf(viewer), admin }, role) : admin;
}

function rightsOf({ shutOut, rights }: Viewer): RightsHolder {
  return { admin: false, shutOut, rights };
}

/** Returns the caller as a viewer. Throws if it is a backend. */
export function viewerOf({ viewer }: Caller): Viewer {
  if (!viewer)
    throw new CallError('err_viewer_required', 'Only a connected user can do this, and only for themselves.');
  return viewer;
}
