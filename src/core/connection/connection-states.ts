/**
 * The states of a client.
 *
 * - `idle`: never connected
 * - `connecting`: the first connection is under way
 * - `playing`: connected
 * - `reconnecting`: the connection was lost and the client tries to connect again
 * - `failed`: the client has given up, with the reason `unreachable`. A later attempt may succeed.
 * - `closed`: the session, `disconnect()` or an error has ended the connection, see the reason
 */
export type ConnectionState = 'idle' | 'connecting' | 'playing' | 'reconnecting' | 'failed' | 'closed';

/** The states that may follow each state. */
export const LEGAL_MOVES: Readonly<Record<ConnectionState, readonly ConnectionState[]>> = {
  idle: ['connecting'],
  connecting: ['playing', 'failed', 'closed'],
  // With a policy that never retries, a lost connection goes straight to `failed`.
  playing: ['reconnecting', 'failed', 'closed'],
  reconnecting: ['playing', 'failed', 'closed'],
  failed: ['connecting'],
  closed: ['connecting'],
};

/** Throws if a connection cannot go from one state to the other, which is a bug of this SDK. */
export function assertLegalMove(from: ConnectionState, to: ConnectionState): void {
  if (!LEGAL_MOVES[from].includes(to)) throw new Error(`A connection cannot go from ${from} to ${to}.`);
}

/** True if a connection exists or the client tries to connect. */
export function isUnderWay(state: ConnectionState): boolean {
  return state === 'connecting' || state === 'playing' || state === 'reconnecting';
}
