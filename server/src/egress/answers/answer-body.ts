import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { readerOf } from '../host-agent.js';

/** Bodies with at least this many bytes left bypass the HTTP parser. Their connection is not reused. */
const LONG_BYTES = 4 * 1024 * 1024;
/** Statuses of answers that have no body, even if the header states a length (RFC 9112, section 6.3). */
const BODILESS = new Set([204, 304]);

/**
 * Sends the body of an answer to the browser, after its header. Short bodies go through the HTTP parser. Long
 * bodies bypass the parser, because this needs only a third of the processor time. A body that bypasses the
 * parser has the length from its header, or ends with its connection. In both cases the connection is closed
 * after the body. So later data of the host cannot be read as another answer.
 *
 * @param method HTTP method of the request
 */
export function passBody(answer: IncomingMessage, response: ServerResponse, method: string): void {
  const { socket } = answer;
  const reader = readerOf(socket);
  const left = reader && method === 'GET' && !socket.destroyed ? leftOf(answer) : 0;
  if (!reader || left < LONG_BYTES) {
    pipeline(answer, response, () => undefined);
    return;
  }
  // Ignores errors of the parser. It still waits for the rest of the body, and reports an error when the
  // connection closes.
  answer.on('error', () => undefined);
  // Takes the data that came with the header. From here on, no code reads from the parser.
  const first: unknown = answer.read();
  if (first instanceof Uint8Array) response.write(first);
  socket.once('close', () => {
    if (!response.writableEnded) response.destroy();
  });
  response.once('finish', () => socket.destroy());
  reader.pipe(socket, response, left);
}

/**
 * Returns the number of remaining bytes of a body. `Infinity` if the body ends with the connection. 0 if only
 * the parser can find the end, or if the parser already has the rest.
 */
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
