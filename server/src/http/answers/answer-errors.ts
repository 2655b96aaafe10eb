import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { COMPUTER_METHODS } from 'cloud-browser/protocol';
import type { Log } from '../../platform/log.js';
import { closeAtOnce } from '../../platform/network/connections/close-at-once.js';
import { hasLongUnreadBody, leaveUnread } from '../../platform/network/connections/unread-body.js';
import { isDatabaseError, isStorageError } from '../../platform/storage-error.js';
import { databaseAway, ServiceError } from '../../service-error.js';
import { HostCallError, type HostCallCode } from '../../sessions/host-call-error.js';

/** Address of a call of computer use. */
const COMPUTER_CALL = /^\/[^/?]+\/computer\/[^/?]+(?:\?|$)/;
/** Models guess names of methods, so the error names all of them. */
const UNKNOWN_METHOD = `such method of computer use. Use one of ${COMPUTER_METHODS.join(', ')}`;

/**
 * HTTP status of each error code that a session's host returns for calls over HTTP. A session has further
 * codes, which only connected users receive. For the codes of the service itself see {@link ServiceError}.
 */
const CALL_STATUSES: Partial<Record<HostCallCode, number>> = {
  err_forbidden: 403,
  err_field_masked: 403,
  err_user_not_found: 404,
  err_handoff_gone: 404,
  err_download_gone: 404,
  err_upload_gone: 404,
  err_chooser_gone: 409,
  err_file_too_large: 413,
  err_file_quota: 507,
  err_too_many_handoffs: 409,
  err_chrome: 400,
  err_address_not_allowed: 400,
  err_call_failed: 400,
  err_dialog_open: 409,
  err_too_many_tabs: 409,
  err_page_unresponsive: 409,
  err_node_gone: 409,
  err_person_has_control: 409,
  err_agent_gone: 409,
  err_agent_kicked: 403,
  err_picture_too_large: 413,
  err_too_many_agents: 429,
  err_too_many_calls: 429,
  err_browser_unavailable: 503,
  err_call_timeout: 504,
};

/** Statuses of requests that a session cannot perform now, and their `Retry-After` in seconds. */
const TEMPORARY = new Set([429, 503]);
const HOST_RETRY_SECONDS = 2;

/** All error codes that a session returns for calls over HTTP. */
export const HOST_CALL_CODES = Object.keys(CALL_STATUSES);

/** Further error codes that a session's host returns for transfers of files. */
export const FILE_CODES = ['err_upload_offset'];

/**
 * Answers every failed request with JSON `{code, message}` and reports its code to `onRefusal`. Logs
 * unexpected errors and answers them with `err_internal`. Also logs errors of a full or failing disk, and
 * answers them with `err_storage`. Closes the connection after an answer if the rest of the request's body
 * may be long.
 */
export function answerErrors(app: FastifyInstance, log: Log, onRefusal: (code: string) => void): void {
  app.setErrorHandler((error: FastifyError | ServiceError | HostCallError, request, reply) => {
    if (error instanceof HostCallError) {
      onRefusal(error.code);
      const status = CALL_STATUSES[error.code] ?? 400;
      tellRetry(reply, status);
      return reply.code(status).send({ code: error.code, message: error.message });
    }
    const told = toServiceError(error, app);
    onRefusal(told.code);
    // A full disk is a matter for the operator too, and the line says which request met it.
    if (told.code === 'err_internal' || isStorageError(error)) {
      log.error('a request failed', { method: request.method, route: request.routeOptions.url, error });
    }
    return sendError(reply, told);
  });
  // Closes the connection if no route has read a long body. Otherwise, Node would read and discard this body,
  // at the speed of the client.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (hasLongUnreadBody(request.raw)) endUnread(reply);
    done();
  });
  app.setNotFoundHandler(({ url }, reply) =>
    sendError(
      reply,
      new ServiceError('err_not_found', COMPUTER_CALL.test(url) ? UNKNOWN_METHOD : 'such address'),
    ),
  );
}

/** Adds `Retry-After` to a session's answer if the session may perform the same request soon. */
export function tellRetry(reply: FastifyReply, status: number): void {
  if (TEMPORARY.has(status)) reply.header('retry-after', HOST_RETRY_SECONDS);
}

/** Sends an error response. */
export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
  return reply.code(error.status).type('application/json; charset=utf-8').send(error.body);
}

/**
 * Answers a request whose address Fastify cannot parse. Fastify calls no hooks for this answer, so this
 * function itself handles an unread body.
 */
export function answerFrameworkError(
  _error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (hasLongUnreadBody(request.raw)) endUnread(reply);
  void sendError(reply, new ServiceError('err_bad_request', 'The address of the request is malformed.'));
}

/**
 * Answers data that is not HTTP, and requests that arrive too slowly. In both cases it closes the connection.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const told = new ServiceError('err_bad_request', 'The request is not valid HTTP, or took too long.');
  closeAtOnce(socket, told.rawAnswer);
}

/** Closes the connection after the answer, because the body of the request is not read. */
export function endUnread(reply: FastifyReply): void {
  reply.header('connection', 'close');
  leaveUnread(reply.request.raw.socket);
}

function toServiceError(error: FastifyError | ServiceError, app: FastifyInstance): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ServiceError('err_body_too_large', app.initialConfig.bodyLimit ?? 0);
  }
  if (isStorageError(error)) return new ServiceError('err_storage');
  if (isDatabaseError(error)) return databaseAway('this request cannot be answered');
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return new ServiceError('err_bad_request', 'The request is malformed.');
  return new ServiceError('err_internal');
}
