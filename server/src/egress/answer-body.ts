import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { readerOf } from './host-agent.js';

/** What of a body is to come yet so that it is worth a connection, which cannot be used again afterwards. */
const LONG_BYTES = 4 * 1024 * 1024;
/** Answers that have no body, whatever their head says: RFC 9112, section 6.3. */
const BODILESS = new Set([204, 304]);

/**
 * Passes an answer's body on, whose head has been: through the parser, or past it when it is long, at a third of the processor time.
 * What goes past it is as long as its head says, or ends with its connection, which is closed in either case: nothing that a host says
 * afterwards can become another answer.
 *
 * @param method what was asked with
 */
export function passBody(answer: IncomingMessage, response: ServerResponse, method: string): void {
  const { socket } = answer;
  const reader = readerOf(socket);
  const left = reader && method === 'GET' && !socket.destroyed ? leftOf(answer) : 0;
  if (!reader || left < LONG_BYTES) {
    pipeline(answer, response, () => undefined);
    return;
  }
  // The parser waits for the rest until the connection is closed.
  answer.on('error', () => undefined);
  // What came with the head; from here on nothing asks for more.
  const first: unknown = answer.read();
  if (first instanceof Uint8Array) response.write(first);
  socket.once('close', () => {
    if (!response.writableEnded) response.destroy();
  });
  response.once('finish', () => socket.destroy());
  reader.pipe(socket, response, left);
}

/** Bytes of a body that are still to come, `Infinity` when the connection's end is its end, 0 when only the parser knows. */
function leftOf(answer: IncomingMessage): number {
  const { statusCode = 0, rawHeaders, readableLength, complete, socket } = answer;
  const parsed = complete || socket.readableLength > 0 || BODILESS.has(statusCode);
  const names = rawHeaders.filter((_text, index) => index % 2 === 0).map((name) => name.toLowerCase());
  if (parsed || names.includes('transfer-encoding')) return 0;
  const at = names.indexOf('content-length');
  if (at < 0) return Infinity;
  const length = rawHeaders[2 * at + 1] ?? '';
  const plain = at === names.lastIndexOf('content-length') && /^\d{1,15}$/.test(length);
  return plain ? Number(length) - readableLength : 0;
}
