/**
 * Why a viewer's connection ended for good. A dropped network is not here: the client reconnects from that by itself.
 *
 * - `request`: the session was ended through the API, or this client was asked to disconnect
 * - `absolute`, `inactive`, `offline`: a session timeout ran out
 * - `kicked`: an admin removed this user
 * - `unauthorized`: the token or the customer's webhook refused this user
 * - `ended`: the session is over, or never existed
 * - `crashed`: the hosted browser or its display could not be kept running
 * - `resource_limit`: the session used more memory, processes or disk than it may
 * - `full`: the session has as many viewers as it takes
 * - `unsupported`: the two sides speak different protocol versions, or this browser can show no frames at all
 * - `rejected`: the server closed the connection because of a message that it could not accept
 * - `flooding`: this user sent, or connected, more than any person or program needs to
 * - `unreachable`: the reconnect attempts ran out
 */
export type DisconnectReason = ServerDisconnectReason | 'unreachable';

/**
 * WebSocket close codes in the range that RFC 6455 leaves to applications. A browser hides the status of a refused
 * upgrade from the page, so refusals are told by accepting the socket and closing it with one of these.
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
} as const;

/** A reason that the server can give. `unreachable` is the client's own verdict. */
export type ServerDisconnectReason = keyof typeof CLOSE_CODES;

const SERVER_REASONS = Object.keys(CLOSE_CODES) as ServerDisconnectReason[];

/** Every {@link DisconnectReason}. */
export const DISCONNECT_REASONS: readonly DisconnectReason[] = [...SERVER_REASONS, 'unreachable'];

/** The WebSocket close code that carries a reason. */
export function closeCodeOf(reason: ServerDisconnectReason): number {
  return CLOSE_CODES[reason];
}

/** The reason behind a WebSocket close code, or undefined when the connection was merely lost. */
export function reasonOfCloseCode(code: number): ServerDisconnectReason | undefined {
  return SERVER_REASONS.find((reason) => CLOSE_CODES[reason] === code);
}
