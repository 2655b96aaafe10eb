import {
  decodeViewerMessage,
  PROTOCOL_VERSION,
  ProtocolError,
  type Hello,
  closeCodeOf,
  type ServerDisconnectReason,
} from 'cloud-browser/protocol';
import type { RawData, WebSocket } from 'ws';

/** How long a new connection may take to say hello. */
const HELLO_TIMEOUT_MS = 10_000;

/** Waits for the first message of a new connection. Closes the connection and resolves to undefined when it is not a hello. */
export function readHello(socket: WebSocket): Promise<Hello | undefined> {
  return new Promise((resolve) => {
    const refuse = (reason: 'rejected' | 'unsupported', message: string) => {
      closeSocket(socket, reason, message);
      settle(undefined);
    };
    const timer = setTimeout(() => refuse('rejected', 'The connection said nothing.'), HELLO_TIMEOUT_MS);
    const onClose = () => settle(undefined);
    const onMessage = (data: RawData, binary: boolean) => {
      try {
        const message = binary ? undefined : decodeViewerMessage(String(bytesOf(data)));
        if (message?.type !== 'hello') refuse('rejected', 'The first message must be a hello.');
        else if (message.version !== PROTOCOL_VERSION) {
          refuse('unsupported', `This server speaks version ${PROTOCOL_VERSION} of the protocol.`);
        } else settle(message);
      } catch (error) {
        refuse('rejected', error instanceof ProtocolError ? error.message : 'A message could not be read.');
      }
    };
    const settle = (hello: Hello | undefined) => {
      clearTimeout(timer);
      socket.off('message', onMessage);
      socket.off('close', onClose);
      resolve(hello);
    };
    socket.on('message', onMessage);
    socket.on('close', onClose);
  });
}

/** The bytes of a WebSocket message, however the library split it. */
export function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

/** A close frame holds 125 bytes, two of them the code (RFC 6455, 5.5). */
const MAX_REASON_BYTES = 120;

/** How long the other side may take to close a connection that is over. */
const GOODBYE_MS = 3_000;
/** The same for who broke the rules, who is not listened to any more: time to read the reason. */
const SHORT_GOODBYE_MS = 500;

/** Closes a connection and says why; a sentence that is too long loses its end. */
export function closeSocket(socket: WebSocket, reason: ServerDisconnectReason, message: string): void {
  let text = message;
  while (Buffer.byteLength(text) > MAX_REASON_BYTES) text = text.slice(0, -1);
  socket.close(closeCodeOf(reason), text);
  const isUnruly = reason === 'rejected' || reason === 'flooding';
  if (isUnruly) socket.pause();
  const timer = setTimeout(() => socket.terminate(), isUnruly ? SHORT_GOODBYE_MS : GOODBYE_MS);
  socket.once('close', () => clearTimeout(timer));
}
