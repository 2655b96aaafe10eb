import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FileAnswer } from '../../sessions/ports.js';
import { endUnread, tellRetry } from '../answers/answer-errors.js';

/** Lets the routes of an app forward the bodies of requests without parsing them. */
export function leaveBodiesUnread(
  app: Pick<FastifyInstance, 'removeAllContentTypeParsers' | 'addContentTypeParser'>,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
}

/** Sends the bytes of a file with its name, or the refusal of the host. */
export function sendFile(reply: FastifyReply, answer: FileAnswer): FastifyReply {
  if (answer.status !== 200) return sendAnswer(reply, answer);
  reply.header('content-disposition', disposition(answer.name ?? 'file'));
  if (answer.length !== undefined) reply.header('content-length', answer.length);
  return reply.type('application/octet-stream').send(answer.body);
}

/** Sends the host's answer, which is JSON, to the client. */
export function sendAnswer(reply: FastifyReply, { status, body }: FileAnswer): FastifyReply {
  if (!reply.request.raw.complete) endUnread(reply);
  tellRetry(reply, status);
  return reply.code(status).type('application/json; charset=utf-8').send(body);
}

/**
 * Returns the value of the header `Content-Disposition` (RFC 6266).
 *
 * @param name percent-encoded
 */
function disposition(name: string): string {
  return /^[\w.~!*'()%-]*$/.test(name)
    ? `attachment; filename*=UTF-8''${name.replace(/[*'()]/g, escaped)}`
    : 'attachment';
}

/**
 * Percent-encodes a character. Needed for characters that `encodeURIComponent` leaves unchanged and the
 * header does not allow (RFC 8187).
 */
function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
