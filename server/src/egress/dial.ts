import { connect, type LookupFunction, type OnReadOpts, type Socket } from 'node:net';
import { CodedError } from '../platform/coded-error.js';
import type { EgressGuard } from './guard.js';
import type { Address } from './name-resolver.js';
import type { SessionSockets } from './session-sockets.js';

/** A host cannot be connected to. The message is a sentence for the person at the viewer. */
export class DialError extends CodedError {
  readonly code = 'err_egress_unreachable';
}

/** How long a connection may take until it stands, whatever it takes. */
export const CONNECT_TIMEOUT_MS = 20_000;
/** After this long without a byte the kernel asks a peer whether it is still there. */
const KEEP_ALIVE_MS = 60_000;

/** What hosts are dialled by for a session. */
export interface Dialler {
  guard: EgressGuard;
  sockets: SessionSockets;
}

/** Has Node connect to these addresses for whatever name it asks: the name is not looked up a second time. */
export function pinned(addresses: readonly Address[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
}

/**
 * Connects to a checked address of a host, the quickest of them (RFC 8305). Rejects with `EgressRefusal`, `ResolveError` or
 * {@link DialError}.
 *
 * @param onread takes what is read, from `socket.resume()` on, in place of the socket's own events
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
  // Whoever takes what is read is there later.
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

/** What is told when a host cannot be connected to. */
export function unreachable(host: string, error: Error): DialError {
  const why = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  return new DialError(`${host} cannot be reached (${why}). Try again later.`);
}
