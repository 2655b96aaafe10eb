import { Readable } from 'node:stream';
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Attempts } from '../../../platform/rates/attempts.js';
import { clientAddress } from '../../../platform/network/client-address.js';
import type { AllowedOrigins } from '../../../platform/network/origins.js';
import { ServiceError } from '../../../service-error.js';
import type { FileAnswer, FileRequest } from '../../../sessions/ports.js';
import { decodeSessionId } from '../../../sessions/viewers/session-address.js';
import type { SessionService } from '../../../sessions/session-service.js';
import { FILE_CONTENT } from '../../schemas/content.js';
import { FileOffset, FilePath, ReceivedBytes } from '../../schemas/session/files.js';
import { openToPages, SESSION_PATH } from '../../access/session-scope.js';
import { PRIVATE_FILE_HEADERS } from '../../files/private-file.js';
import { leaveBodiesUnread, sendAnswer, sendFile } from '../../files/send-file.js';

/** Parts that the routes of files need. */
export interface FileRoutesParts {
  sessions: SessionService;
  /** Slows down clients that guess tickets. */
  attempts: Attempts;
  /** Origins of the pages that may show sessions. */
  origins: AllowedOrigins;
  /** Number of the operator's reverse proxies in front of this service. */
  proxies: number;
}

const TICKET = /^[A-Za-z0-9_-]{43}$/;
const OFFSET = /^\d{1,15}$/;
const PATH = `${SESSION_PATH}/files/:ticket`;

const base = { tags: ['A session'], security: [] as never[], params: FilePath };
const schemas = {
  fetch: { ...base, summary: 'Fetch a download', answers: FILE_CONTENT },
  send: {
    ...{ ...base, summary: 'Send a part of a file', querystring: FileOffset, bodies: FILE_CONTENT },
    answers: { 'application/json': ReceivedBytes },
  },
};

/**
 * Transfers the bytes of files to and from clients with a ticket. A ticket is a secret in the address that
 * gives access to one file. The session's host issues and checks the tickets. The bytes are streamed, so this
 * process never holds more than a few kilobytes of a file.
 */
export function fileRoutes(parts: FileRoutesParts): FastifyPluginCallbackTypebox {
  const ask = async (request: FastifyRequest, address: string, file: FileRequest): Promise<FileAnswer> => {
    if (!parts.origins.allows(request.headers.origin)) throw new ServiceError('err_unauthorized_viewer');
    const session = parts.sessions.live(decodeSessionId(address));
    const answer = session && TICKET.test(file.ticket) ? await session.host.file(file) : undefined;
    if (answer && answer.status !== 404) return answer;
    answer?.body.destroy();
    const client = clientAddress(request.raw, parts.proxies);
    if (!parts.attempts.wrong(client))
      throw new ServiceError('err_too_many_attempts', parts.attempts.wait(client));
    throw new ServiceError('err_not_found', 'such file');
  };

  return (app, _options, done) => {
    openToPages(app);
    leaveBodiesUnread(app);

    app.get(PATH, { schema: schemas.fetch, exposeHeadRoute: false }, async (request, reply) => {
      const { address, ticket } = request.params;
      reply.headers(PRIVATE_FILE_HEADERS);
      // With this header, a click on a download link does not leave the page, even if the download is
      // refused.
      reply.header('content-disposition', 'attachment');
      return sendFile(reply, await ask(request, address, { method: 'GET', ticket, offset: 0 }));
    });

    app.post(PATH, { schema: schemas.send }, async (request, reply) => {
      const { address, ticket } = request.params;
      const offset = Number(OFFSET.exec(request.query.offset ?? '0')?.[0] ?? NaN);
      if (Number.isNaN(offset))
        throw new ServiceError('err_invalid_parameter', 'offset', 'a whole number of bytes');
      const { body } = request as { body: unknown };
      const sent = body instanceof Readable ? { body } : {};
      return sendAnswer(reply, await ask(request, address, { method: 'POST', ticket, offset, ...sent }));
    });
    done();
  };
}
