/**
 * The reason for the final end of a viewer's connection. A lost network is not a reason, because the client
 * reconnects by itself.
 *
 * - `request`: the session was ended through the API
 * - `disconnected`: this page called `disconnect()`
 * - `removed`: the element was removed from the page
 * - `url_changed`: the element got another embed URL
 * - `absolute`, `inactive`, `offline`: a session timeout ran out
 * - `kicked`: an admin removed this user
 * - `unauthorized`: the token or the customer's webhook refused this user
 * - `ended`: the service was stopped, or it ended the session
 * - `crashed`: the hosted browser or its display could not be kept running
 * - `resource_limit`: the session exceeded its limit of memory, processes or disk
 * - `full`: the session has the maximum number of viewers
 * - `unsupported`: the two sides use different protocol versions, or this browser lacks a needed feature
 * - `rejected`: the server closed the connection because it could not accept a message
 * - `flooding`: this user sent too many messages or connected too often
 * - `token_expired`, `token_revoked`: the token that admitted this user has ended
 * - `replaced`: another connection has joined with the user id of this user's token
 * - `unreachable`: the client gave up, because all attempts to connect failed
 */
export type DisconnectReason = ServerDisconnectReason | LeaveReason | 'unreachable';

/** The reason why this client ended a connection. */
export type LeaveReason = (typeof LEAVE_REASONS)[number];

/** All {@link LeaveReason} values. */
export const LEAVE_REASONS = ['disconnected', 'removed', 'url_changed'] as const;

/**
 * WebSocket close codes in the range that RFC 6455 leaves to applications. A browser hides the HTTP status of
 * a refused WebSocket upgrade from the page. So to refuse a viewer, the server accepts the socket and closes
 * it with one of these codes.
 */
const CLOSE_CODES = {
  request: 4000,
  absolute: 4001,
  inactive: 4002,
  offline: 4003,
  kicked: 4004,
  unauthorized: 4005,
  ended: 4006,
  crashed: 4007,
  unsupported: 4008,
  rejected: 4009,
  flooding: 4010,
  resource_limit: 4011,
  full: 4012,
  token_expired: 4013,
  token_revoked: 4014,
  replaced: 4015,
} as const;

/** A reason that the server can send. The client sets all other reasons. */
export type ServerDisconnectReason = keyof typeof CLOSE_CODES;

/** All {@link ServerDisconnectReason} values. */
export const SERVER_REASONS: readonly ServerDisconnectReason[] = Object.keys(
  CLOSE_CODES,
) as ServerDisconnectReason[];

/** All {@link DisconnectReason} values. */
export const DISCONNECT_REASONS: readonly DisconnectReason[] = [
  ...SERVER_REASONS,
  ...LEAVE_REASONS,
  'unreachable',
];

/** Returns the WebSocket close code of a reason. */
export function closeCodeOf(reason: ServerDisconnectReason): number {
  return CLOSE_CODES[reason];
}

/**
 * Returns the reason of a WebSocket close code. Undefined for a code that is not in the list. Then the
 * connection was lost.
 */
export function reasonOfCloseCode(code: number): ServerDisconnectReason | undefined {
  return SERVER_REASONS.find((reason) => CLOSE_CODES[reason] === code);
}
