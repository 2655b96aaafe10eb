import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import {
  decodeViewerMessage,
  PROTOCOL_VERSION,
  ProtocolError,
  type Hello,
  type SecondHello,
  closeCodeOf,
  type ServerDisconnectReason,
} from 'cloud-browser/protocol';
import type { RawData, WebSocket } from 'ws';
import type { ViewerHandover } from '../../host-protocol.js';
import { closeReasonOf } from '../../platform/close-reason.js';

/** Timeout for the hello of a new connection. Milliseconds. */
const HELLO_TIMEOUT_MS = 10_000;

/**
 * Waits for the first message of a new connection. If the message is neither `hello` nor `second-hello`,
 * closes the connection and resolves to undefined.
 */
export function readHello(socket: WebSocket): Promise<Hello | SecondHello | undefined> {
  return new Promise((resolve) => {
    const refuse = (reason: 'rejected' | 'unsupported', message: string) => {
      closeSocket(socket, reason, message);
      settle(undefined);
    };
    const timer = setTimeout(() => refuse('rejected', 'The connection sent no message.'), HELLO_TIMEOUT_MS);
    const onClose = () => settle(undefined);
    const onMessage = (data: RawData, binary: boolean) => {
      try {
        const message = binary ? undefined : decodeViewerMessage(String(bytesOf(data)));
        if (message?.type !== 'hello' && message?.type !== 'second-hello')
          refuse('rejected', 'The first message must be a hello.');
        else if (message.version !== PROTOCOL_VERSION) {
          refuse('unsupported', `This server uses version ${PROTOCOL_VERSION} of the protocol.`);
        } else settle(message);
      } catch (error) {
        refuse('rejected', error instanceof ProtocolError ? error.message : 'A message could not be read.');
      }
    };
    const settle = (hello: Hello | SecondHello | undefined) => {
      clearTimeout(timer);
      socket.off('message', onMessage);
      socket.off('close', onClose);
      resolve(hello);
    };
    socket.on('message', onMessage);
    socket.on('close', onClose);
  });
}

/** Returns the bytes of a WebSocket message. The library provides them in different forms. */
export function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

/** Timeout for the client's close frame, after the host has sent its own. Milliseconds. */
export const GOODBYE_MS = 3_000;
/**
 * The same timeout for a client that broke the rules. Its messages are ignored. The time is long enough for
 * the client to receive the reason.
 */
export const SHORT_GOODBYE_MS = 500;

/**
 * Maximum number of messages and pings of a client after the host has sent the reason. They may be on their
 * way when the host closes the connection. A mouse of 1000 Hz sends this number in four seconds.
 */
const MAX_LATE_MESSAGES = 4_000;

/** Closes a connection with a reason. The end of a long sentence is cut. */
export function closeSocket(socket: WebSocket, reason: ServerDisconnectReason, message: string): void {
  socket.close(closeCodeOf(reason), closeReasonOf(message));
  const isUnruly = reason === 'rejected' || reason === 'flooding';
  if (isUnruly) socket.pause();
  else limitLateMessages(socket);
  terminateAfter(socket, isUnruly ? SHORT_GOODBYE_MS : GOODBYE_MS);
}

/** Terminates a connection that is being closed if its client goes on sending. */
function limitLateMessages(socket: WebSocket): void {
  let left = MAX_LATE_MESSAGES;
  const count = () => {
    if (left-- === 0) socket.terminate();
  };
  socket.on('message', count).on('ping', count).on('pong', count);
}

/** Terminates a connection if it is not closed within this time. Milliseconds. */
export function terminateAfter(socket: WebSocket, milliseconds: number): void {
  const timer = setTimeout(() => socket.terminate(), milliseconds);
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Returns an upgrade request in the form that `ws` needs. The service has parsed the request, so this process
 * receives the result and the socket.
 */
export function upgradeOf(
  { method, url, headers }: ViewerHandover['request'],
  socket: Socket,
): IncomingMessage {
  const upgrade = new IncomingMessage(socket);
  upgrade.method = method;
  upgrade.url = url;
  Object.assign(upgrade.headers, headers);
  return upgrade;
}
