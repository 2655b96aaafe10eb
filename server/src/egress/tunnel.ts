import type { Duplex } from 'node:stream';
import type { BulkReader } from './answers/bulk-reader.js';

/** Milliseconds without data after which a tunnel is closed, because its client has probably disconnected. */
export const IDLE_TIMEOUT_MS = 15 * 60_000;

/** Part of a socket that a tunnel needs. TLS and SOCKS sockets have it too. */
export interface TunnelEnd extends Duplex {
  setTimeout(milliseconds: number, onTimeout: () => void): unknown;
}

/** Options of a tunnel. */
interface TunnelOptions {
  /**
   * Reader of the far connection. Undefined if the data of this connection arrives in events of its socket.
   */
  reader?: BulkReader | undefined;
  /** Milliseconds without data after which the tunnel is closed. */
  idleLimit?: number | undefined;
}

/**
 * Passes data in both directions between the near connection (to the browser) and the far connection (to a
 * host or a proxy). Reading from a connection pauses while the other one cannot accept more data. One side
 * may stop sending before the other. When one connection closes, the other is closed too.
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
  // All data in both directions passes the near connection, so its timeout covers the whole tunnel.
  near.setTimeout(idleLimit, closeBoth);
  near.pipe(far);
  if (reader) reader.pipe(far, near);
  else far.pipe(near);
}
