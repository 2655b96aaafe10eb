import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { COMPUTER_METHODS, type ScreenshotOptions } from 'cloud-browser/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeys } from '../../auth/api-keys.js';
import type { CallingAgent, TokenScope } from '../../host-protocol.js';
import { invalidParameter, ServiceError } from '../../service-error.js';
import type { Session } from '../../sessions/session.js';
import { COMPUTER_BODIES, COMPUTER_SUMMARIES, ComputerAnswer, ScreenshotQuery } from '../schemas/computer.js';
import { AddressPath } from '../schemas/session-control.js';
import {
  adminSession,
  grantOf,
  openToPages,
  orKey,
  requireScope,
  SESSION_PATH,
  type SessionScopeParts,
} from '../session-scope.js';

/**
 * Time for which a connection may be silent while a call waits: longer than the longest wait for a person who
 * has control. Milliseconds.
 */
const CALL_SILENCE_MS = 700_000;

/** Scopes of tokens that may use the routes. */
const SCOPES: ReadonlySet<TokenScope> = new Set(['automation', 'admin']);

const base = { tags: ['A session'], params: AddressPath };

/**
 * Lets programs see the screen, and use mouse and keyboard. Needs a token of the scope `automation` or
 * `admin`, or an API key. The session itself checks the arguments.
 */
export function computerRoutes(
  parts: SessionScopeParts & { apiKeys: ApiKeys },
): FastifyPluginCallbackTypebox {
  const { sessions } = parts;
  const onRequest = orKey(requireScope(parts, SCOPES), parts, parts.apiKeys);

  return (app, _options, done) => {
    openToPages(app);
    for (const method of COMPUTER_METHODS)
      app.post(
        `${SESSION_PATH}/computer/${method}`,
        {
          onRequest,
          schema: {
            ...base,
            summary: COMPUTER_SUMMARIES[method],
            body: COMPUTER_BODIES[method],
            response: { 200: ComputerAnswer },
          },
        },
        async (request, reply) => {
          const session = withAutomation(adminSession(sessions, request.params.address));
          const answer = await patiently(request, () =>
            session.forward(`computer.${method}`, [request.body], programOf(request)),
          );
          return json(reply, answer);
        },
      );

    app.get(
      `${SESSION_PATH}/screenshot`,
      {
        onRequest,
        schema: { ...base, summary: 'Take a screenshot', querystring: ScreenshotQuery },
      },
      async (request, reply) => {
        const session = adminSession(sessions, request.params.address);
        const options = optionsOf(request.query);
        // A program sees the screen as an agent. The holder of the admin token sees it as an observer.
        const method = grantOf(request)?.scope === 'automation' ? 'computer.screenshot' : 'screenshot';
        if (method !== 'screenshot') withAutomation(session);
        const picture = await patiently(request, () =>
          session.forward(method, [options], programOf(request)),
        );
        return reply
          .header('cache-control', 'no-store')
          .header('x-content-type-options', 'nosniff')
          .type(`image/${picture.format}`)
          .send(Buffer.from(picture.data, 'base64'));
      },
    );
    done();
  };
}

/** Throws {@link ServiceError} if programs may not use the session. */
function withAutomation(session: Session): Session {
  if (!session.hasAutomation) throw new ServiceError('err_no_automation');
  return session;
}

/** Returns the agent on whose behalf a request calls. */
function programOf(request: FastifyRequest): CallingAgent {
  const grant = grantOf(request);
  if (!grant) return {};
  const { tokenId, userId, name, roles } = grant;
  return {
    ...(tokenId !== undefined && { tokenId }),
    ...(userId !== undefined && { userId }),
    ...(name !== undefined && { name }),
    ...(roles !== undefined && { roles }),
  };
}

/** Lets the connection of a request be silent for longer than usual during a call. */
async function patiently<T>({ raw: { socket } }: FastifyRequest, call: () => Promise<T>): Promise<T> {
  const usual = socket.timeout ?? 0;
  socket.setTimeout(CALL_SILENCE_MS);
  try {
    return await call();
  } finally {
    socket.setTimeout(usual);
  }
}

/** Sends the answer as a text, because the framework accepts only objects as JSON answers. */
function json(reply: FastifyReply, answer: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
}

/** Reads the options of a query. The session checks the values. */
function optionsOf(query: Readonly<Record<string, string | undefined>>): Record<string, unknown> {
  const options: { [Name in keyof ScreenshotOptions]: unknown } = {};
  if (query['format'] !== undefined) options.format = query['format'];
  for (const name of ['quality', 'scale', 'wait_for_stable', 'timeout'] as const)
    if (query[name] !== undefined) options[name] = numberOf(query[name], name);
  if (query['cursor'] !== undefined) options.cursor = query['cursor'] === 'true' || query['cursor'] === '1';
  if (query['region'] !== undefined) {
    const sides = query['region'].split(',').map((side) => numberOf(side, 'region', 'x,y,width,height'));
    const [x, y, width, height, ...others] = sides;
    if (height === undefined || others.length > 0) throw invalidParameter('region', 'x,y,width,height');
    options.region = { x, y, width, height };
  }
  return { ...options };
}

function numberOf(text: string, name: string, expected = 'a number'): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw invalidParameter(name, expected);
  return value;
}
