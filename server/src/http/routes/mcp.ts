import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { CallingAgent } from '../../host-protocol.js';
import { ServiceError } from '../../service-error.js';
import type { Session } from '../../sessions/session.js';
import type { McpBrowser } from '../../mcp/mcp-browser.js';
import { convertTypes } from '../bodies/convert-types.js';
import { COMPUTER_BODIES, McpMessage } from '../schemas/session/computer.js';
import { Text } from '../schemas/content.js';
import { AddressPath } from '../schemas/session/session-control.js';
import { readDownload, uploadBytes } from '../files/program-files.js';
import {
  endedHandoff,
  forPrograms,
  patiently,
  programOf,
  type ProgramScopeParts,
} from '../access/program-scope.js';
import { ADMIN_OR_KEY, grantOf, openToPages, SESSION_PATH } from '../access/session-scope.js';

/** Headers of MCP that clients send with their requests. */
const MCP_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];
/** Headers of a request that the MCP library reads. */
const HEADERS = ['accept', 'content-type', ...MCP_HEADERS];
/** Headers that a page may send. */
const ALLOWED_HEADERS = ['authorization', 'content-type', ...MCP_HEADERS].join(', ');

/**
 * The MCP server of a session, for AI applications (Streamable HTTP, without MCP sessions). Needs a token of
 * the scope `automation` or `admin`, or an API key. As MCP requires, the server refuses pages whose origin is
 * not in the operator's list. The first request loads the MCP library.
 */
export function mcpRoutes(parts: ProgramScopeParts): FastifyPluginCallbackTypebox {
  const { origins, requestRates } = parts;
  const { onRequest, sessionAt } = forPrograms(parts);

  return (app, _options, done) => {
    openToPages(app, { 'access-control-allow-headers': ALLOWED_HEADERS });
    app.addHook('onRequest', ({ headers, method }, _reply, next) => {
      const refused = method === 'POST' && !origins.mayAutomate(headers.origin);
      next(refused ? new ServiceError('err_foreign_page') : undefined);
    });
    app.post(
      `${SESSION_PATH}/mcp`,
      {
        onRequest,
        schema: {
          ...{ tags: ['A session'], summary: 'Use the browser through MCP' },
          ...{ params: AddressPath, body: McpMessage, security: ADMIN_OR_KEY },
          answers: { 'application/json': McpMessage, 'text/event-stream': Text },
        },
      },
      async (request, reply) => {
        const session = sessionAt(request.params.address);
        const more = Array.isArray(request.body) ? request.body.length - 1 : 0;
        const refusal = more > 0 ? requestRates.requests(session.id, grantOf(request), more) : undefined;
        if (refusal) throw refusal;
        const { answerMcp } = await import('../../mcp/mcp-server.js');
        if (reply.raw.destroyed) return reply;
        // If a batch cancels one of its own calls, the library never ends the answer to the batch. So the
        // answer is aborted when the client's connection closes.
        const { answer, text } = await patiently(request, reply, async (leaving) => {
          const browser = browserOf(session, programOf(request), leaving);
          const begun = await answerMcp(browser, webRequest(request, leaving), request.body);
          return { answer: begun, text: await begun.text() };
        });
        const type = answer.headers.get('content-type');
        if (type !== null) reply.header('content-type', type);
        return reply.code(answer.status).send(text);
      },
    );
    done();
  };
}

/** @param leaving signals that the client has gone */
function browserOf(session: Session, program: CallingAgent, leaving: AbortSignal): McpBrowser {
  return {
    call: (method, options) => {
      // Models send the same types as clients over HTTP do, such as numbers as texts.
      const fields = convertTypes(COMPUTER_BODIES[method], options);
      return session.host.forward(`computer.${method}`, [fields], program, leaving);
    },
    readDownload: (id) => readDownload(session, program, id),
    uploadFile: (name, bytes) => uploadBytes(session, program, name, bytes),
    requestHuman: async (instructions, timeout) => {
      const asked = await session.host.forward('handoffs.request', [{ instructions, timeout }], program);
      // The client has not received the id. So it could not withdraw the request, which takes its control.
      const withdraw = () =>
        void session.host.forward('handoffs.withdraw', [asked.id], program).catch(() => undefined);
      if (leaving.aborted) withdraw();
      else leaving.addEventListener('abort', withdraw, { once: true });
      return asked;
    },
    humanAnswer: (id, seconds) => endedHandoff(session, id, seconds, program, leaving),
    withdrawHuman: (id) => session.host.forward('handoffs.withdraw', [id], program),
  };
}

/**
 * Returns the request in the form that the library reads, without the body. Fastify has read the body
 * already.
 */
function webRequest({ headers }: FastifyRequest, signal: AbortSignal): Request {
  const kept = HEADERS.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  return new Request('http://session/mcp', { method: 'POST', headers: kept, signal });
}
