import type { Duplex } from 'node:stream';
import type { BulkReader } from './bulk-reader.js';

/** A tunnel in which nothing is said for this long is closed: it is somebody's who has gone. */
export const IDLE_TIMEOUT_MS = 15 * 60_000;

/** What of a socket a tunnel needs; TLS sockets and those of SOCKS have it too. */
export interface TunnelEnd extends Duplex {
  setTimeout(milliseconds: number, onTimeout: () => void): unknown;
}

/** How a tunnel may differ from the usual one. */
interface TunnelOptions {
  /** What the far end reads by, if not by its own events. */
  reader?: BulkReader | undefined;
  /** Milliseconds. */
  idleLimit?: number | undefined;
}

/** Joins two connections until both are closed. Each waits while the other cannot take more, and may end its half first. */
export function joinEnds(
  near: TunnelEnd,
  far: TunnelEnd,
  { reader, idleLimit = IDLE_TIMEOUT_MS }: TunnelOptions = {},
): void {
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
  if (reader) reader.pipe(far, near);
  else far.pipe(near);
}
