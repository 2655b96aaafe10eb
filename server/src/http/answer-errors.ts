import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../platform/log.js';
import { closeAtOnce } from '../platform/close-at-once.js';
import { isDatabaseError } from '../platform/storage-error.js';
import { databaseAway, ServiceError } from '../service-error.js';
import { HostCallError, type HostCallCode } from '../sessions/host-call-error.js';

/**
 * What a session answers to the calls of a backend beside the service's own codes, with the HTTP status of each. Other codes
 * of calls go to connected users alone.
 */
const CALL_STATUSES: Partial<Record<HostCallCode, number>> = {
  err_user_not_found: 404,
  err_chrome: 400,
  err_address_not_allowed: 400,
  err_call_failed: 400,
  err_dialog_open: 409,
  err_too_many_tabs: 409,
  err_page_unresponsive: 409,
  err_too_many_calls: 429,
  err_browser_unavailable: 503,
  err_call_timeout: 504,
};

/** Every code of such an answer. */
export const HOST_CALL_CODES = Object.keys(CALL_STATUSES);

/** What a session's host answers to requests for bytes of files. */
export const FILE_CODES = ['err_forbidden', 'err_upload_offset', 'err_file_too_large', 'err_file_quota'];

/** Answers every failure of a request as JSON `{code, message}` and reports its code to `onRefusal`. Unexpected errors are logged and answered as `err_internal`. */
export function answerErrors(app: FastifyInstance, log: Log, onRefusal: (code: string) => void): void {
  app.setErrorHandler((error: FastifyError | ServiceError | HostCallError, request, reply) => {
    if (error instanceof HostCallError) {
      onRefusal(error.code);
      const status = CALL_STATUSES[error.code] ?? 400;
      return reply.code(status).send({ code: error.code, message: error.message });
    }
    const told = toServiceError(error, app);
    onRefusal(told.code);
    if (told.code === 'err_internal') {
      log.error('a request failed', { method: request.method, route: request.routeOptions.url, error });
    }
    return sendError(reply, told);
  });
  app.setNotFoundHandler((_request, reply) =>
    sendError(reply, new ServiceError('err_not_found', 'such address')),
  );
}

/** Writes one refusal. */
export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  if (hasUnreadBody(reply.request.raw)) endUnread(reply);
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
  return reply.code(error.status).type('application/json; charset=utf-8').send(error.body);
}

/** Answers a request whose address Fastify cannot even route. */
export function answerFrameworkError(
  _error: FastifyError,
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  void sendError(reply, new ServiceError('err_bad_request', 'The address of the request is malformed.'));
}

/** Answers bytes that are not HTTP, and requests that came too slowly; either way the connection ends. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const told = new ServiceError('err_bad_request', 'The request is not valid HTTP, or took too long.');
  closeAtOnce(socket, told.rawAnswer);
}

function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  const announced = headers['transfer-encoding'] ?? headers['content-length'] ?? '0';
  return !complete && announced !== '0';
}

/** Nobody reads the body of a request that is refused: the connection ends with the answer. */
export function endUnread(reply: FastifyReply): void {
  const { socket } = reply.request.raw;
  reply.header('connection', 'close');
  // What Node calls when the answer is written; it would go on reading until that has left.
  socket.destroySoon = () => closeAtOnce(socket);
}

function toServiceError(error: FastifyError | ServiceError, app: FastifyInstance): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ServiceError('err_body_too_large', app.initialConfig.bodyLimit ?? 0);
  }
  if (isDatabaseError(error)) return databaseAway();
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return new ServiceError('err_bad_request', 'The request is malformed.');
  return new ServiceError('err_internal');
}
