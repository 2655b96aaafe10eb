import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { COMPUTER_METHODS, PICTURE_FORMATS, type ScreenshotOptions } from 'cloud-browser/protocol';
import type { FastifyReply } from 'fastify';
import { isRecord } from '../../../platform/is-record.js';
import { invalidParameter } from '../../../service-error.js';
import {
  COMPUTER_BODIES,
  COMPUTER_SUMMARIES,
  ComputerAnswer,
  ScreenshotQuery,
} from '../../schemas/session/computer.js';
import {
  forPrograms,
  patiently,
  programOf,
  withAutomation,
  type ProgramScopeParts,
} from '../../access/program-scope.js';
import { convertTypes } from '../../bodies/convert-types.js';
import { flagOf } from '../../bodies/query-flag.js';
import { Bytes } from '../../schemas/content.js';
import { AddressPath } from '../../schemas/session/session-control.js';
import {
  ADMIN_OR_KEY,
  adminSession,
  grantOf,
  openToPages,
  SESSION_PATH,
} from '../../access/session-scope.js';

const PICTURES = Object.fromEntries(PICTURE_FORMATS.map((format) => [`image/${format}`, Bytes]));
const base = { tags: ['A session'], security: ADMIN_OR_KEY, params: AddressPath };

/**
 * Lets programs see the screen, and use mouse and keyboard. Needs a token of the scope `automation` or
 * `admin`, or an API key. The session itself checks the arguments.
 */
export function computerRoutes(parts: ProgramScopeParts): FastifyPluginCallbackTypebox {
  const { sessions } = parts;
  const { onRequest, sessionAt } = forPrograms(parts);

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
          const session = sessionAt(request.params.address);
          const fields = withTypedSteps(request.body);
          const answer = await patiently(request, reply, (leaving) =>
            session.host.forward(`computer.${method}`, [fields], programOf(request), leaving),
          );
          return json(reply, answer);
        },
      );

    app.get(
      `${SESSION_PATH}/screenshot`,
      {
        onRequest,
        schema: { ...base, summary: 'Take a screenshot', querystring: ScreenshotQuery, answers: PICTURES },
      },
      async (request, reply) => {
        const session = adminSession(sessions, request.params.address);
        const options = optionsOf(request.query);
        // A program with an automation token takes the screenshot as an agent. A client with another
        // credential takes it as an observer.
        const method = grantOf(request)?.scope === 'automation' ? 'computer.screenshot' : 'screenshot';
        if (method !== 'screenshot') withAutomation(session);
        const picture = await patiently(request, reply, (leaving) =>
          session.host.forward(method, [options], programOf(request), leaving),
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

/** Converts the fields of the steps of a batch to their types, like the fields of a single action. */
function withTypedSteps(body: object): object {
  if (!('actions' in body) || !Array.isArray(body.actions)) return body;
  const actions = body.actions.map((step: unknown) => {
    const method = isRecord(step) ? COMPUTER_METHODS.find((name) => name === step['type']) : undefined;
    return method ? convertTypes(COMPUTER_BODIES[method], step) : step;
  });
  return { ...body, actions };
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
  if (query['cursor'] !== undefined) options.cursor = flagOf(query['cursor'], 'cursor');
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
