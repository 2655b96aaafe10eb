import type { ServerDisconnectReason } from 'cloud-browser/protocol';

/**
 * Reason for which the cluster ended a session.
 * - `superseded`: another session with the same tag began while the machine of this session was cut off from
 *   the cluster.
 * - `cut_off`: the machine of this session could not reach the database for so long that another session with
 *   the same tag may begin.
 * - `taken_over`: another process took the name of this session's machine.
 */
export type ClusterEnd = 'superseded' | 'cut_off' | 'taken_over';

/** Reason for which a session ended, as in its record and its events. */
export type EndReason = ServerDisconnectReason | ClusterEnd;

/** Message in the record of a session that the cluster ended. */
export const CLUSTER_END_MESSAGES: Record<ClusterEnd, string> = {
  superseded: 'While the machine of this session was away, another session with the tag has begun.',
  cut_off:
    'The machine of this session was cut off from the database for so long that another session with the tag may begin.',
  taken_over: 'Another process has taken the name of the machine of this session.',
};

/** True if the cluster ended the session. */
export function isClusterEnd(reason: EndReason): reason is ClusterEnd {
  return reason in CLUSTER_END_MESSAGES;
}

/**
 * Returns the reason that viewers receive. Viewers do not need to know that the cluster has ended the
 * session.
 */
export function viewerReason(reason: EndReason): ServerDisconnectReason {
  return isClusterEnd(reason) ? 'ended' : reason;
}
