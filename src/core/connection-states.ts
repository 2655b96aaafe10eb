/**
 * Where a client stands.
 *
 * - `idle`: never connected
 * - `connecting`: the first connection is under way
 * - `playing`: connected
 * - `reconnecting`: the connection was lost and is sought again
 * - `failed`: given up, reason `unreachable`; worth another try later
 * - `closed`: ended for good by the session or by `disconnect()`, see the reason
 */
export type ConnectionState = 'idle' | 'connecting' | 'playing' | 'reconnecting' | 'failed' | 'closed';

/** The states that may follow each state. */
export const LEGAL_MOVES: Readonly<Record<ConnectionState, readonly ConnectionState[]>> = {
  idle: ['connecting'],
  connecting: ['playing', 'failed', 'closed'],
  // A policy that never tries again goes from a loss straight to `failed`.
  playing: ['reconnecting', 'failed', 'closed'],
  reconnecting: ['playing', 'failed', 'closed'],
  failed: ['connecting'],
  closed: ['connecting'],
};

/** Throws when a connection cannot go from one state to the other: that is a mistake of this SDK. */
export function assertLegalMove(from: ConnectionState, to: ConnectionState): void {
  if (!LEGAL_MOVES[from].includes(to)) throw new Error(`A connection cannot go from ${from} to ${to}.`);
}

/** Whether a connection exists or is sought. */
export function isUnderWay(state: ConnectionState): boolean {
  return state === 'connecting' || state === 'playing' || state === 'reconnecting';
}
