import type { Duplex } from 'node:stream';

/** A tunnel in which nothing is said for this long is closed: it is somebody's who has gone. */
export const IDLE_TIMEOUT_MS = 15 * 60_000;

/** What of a socket a tunnel needs; TLS sockets and those of SOCKS have it too. */
export interface TunnelEnd extends Duplex {
  setTimeout(milliseconds: number, onTimeout: () => void): unknown;
}

/**
 * Joins two connections until both are closed. Each waits while the other cannot take more, and may end its half first.
 *
 * @param idleLimit milliseconds
 */
export function joinEnds(near: TunnelEnd, far: TunnelEnd, idleLimit: number = IDLE_TIMEOUT_MS): void {
  const ends = [near, far];
  const closeBoth = () => {
    for (const end of ends) end.destroy();
  };
  for (const end of ends) {
    end.on('error', closeBoth);
    end.once('close', closeBoth);
  }
  // Every byte passes this end, in one direction or the other.
  near.setTimeout(idleLimit, closeBoth);
  near.pipe(far);
  far.pipe(near);
}
