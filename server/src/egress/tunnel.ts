import type { Duplex } from 'node:stream';
import type { BulkReader } from './bulk-reader.js';

/** Idle time after which a tunnel is closed, since its client has probably gone. */
export const IDLE_TIMEOUT_MS = 15 * 60_000;

/** Part of a socket that a tunnel needs. TLS and SOCKS sockets have it too. */
export interface TunnelEnd extends Duplex {
  setTimeout(milliseconds: number, onTimeout: () => void): unknown;
}

/** Options of a tunnel. */
interface TunnelOptions {
  /** Reader of the far end, if it does not use the socket's own events. */
  reader?: BulkReader | undefined;
  /** Milliseconds. */
  idleLimit?: number | undefined;
}

/**
 * Joins two connections until both are closed. Each one pauses while the other cannot take more data, and may
 * end its half first.
 */
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
