import { connect, type OnReadOpts, type Socket } from 'node:net';
import { CodedError } from '../platform/coded-error.js';
import { pinned } from '../platform/network/addresses/pinned-lookup.js';
import type { EgressGuard } from './guard.js';
import type { SessionSockets } from './session-sockets.js';

/** A host cannot be reached. The message is a sentence for the viewer. */
export class DialError extends CodedError {
  readonly code = 'err_egress_unreachable';
}

/**
 * Timeout for each step of opening a connection: the TCP connection, TLS with a proxy, the answer of a proxy.
 */
export const CONNECT_TIMEOUT_MS = 20_000;
/** Time without data after which the kernel checks that a peer still exists. */
const KEEP_ALIVE_MS = 60_000;

/** Parts of a session that {@link dial} needs. */
export interface Dialler {
  guard: EgressGuard;
  sockets: SessionSockets;
}

/**
 * Connects to the fastest of a host's checked addresses (RFC 8305). Rejects with `EgressRefusal`,
 * `ResolveError` or {@link DialError}.
 *
 * @param onread receives the data after `socket.resume()`, instead of the socket's `data` events
 */
export async function dial(
  { guard, sockets }: Dialler,
  host: string,
  port: number,
  onread?: OnReadOpts,
): Promise<Socket> {
  const addresses = await guard.addresses(host, port);
  const socket = connect({
    ...{ host, port, lookup: pinned(addresses), autoSelectFamily: true, allowHalfOpen: true },
    ...{ noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS, ...(onread && { onread }) },
  });
  sockets.hold(socket);
  // Pauses the socket until the receiver of the data starts.
  if (onread) socket.pause();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error('it took too long')), CONNECT_TIMEOUT_MS);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', onError);
      resolve(socket);
    });
    const onError = (error: Error) => {
      clearTimeout(timer);
      reject(unreachable(host, error));
    };
    socket.on('error', onError);
  });
}

/** Returns the error for a host that cannot be reached. */
export function unreachable(host: string, error: Error): DialError {
  const why = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  return new DialError(`${host} cannot be reached (${why}). Try again later.`);
}
