import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { ERROR_CODES } from '../service-error.js';
import { FILE_CODES, HOST_CALL_CODES } from './answers/answer-errors.js';
import { isSessionPath, SESSION_PATH } from './access/session-scope.js';
import { Text } from './schemas/content.js';

declare module 'fastify' {
  interface FastifySchema {
    /** Summary for the documentation. */
    summary?: string;
    tags?: string[];
    /**
     * Credentials that the route accepts. Empty: the route needs no credential. Default: the admin token of
     * the session if the path contains a session's own address, otherwise an API key.
     */
    security?: readonly Partial<
      Record<'adminToken' | 'apiKey' | 'operatorKey' | 'replayToken', readonly never[]>
    >[];
    /** True if the answer may have the header `Cloud-Browser-Warnings`. */
    warns?: boolean;
    /**
     * Schemas of an answer that `response` does not describe, by content type. The service does not check
     * answers against these schemas. Default: `text/plain`.
     */
    answers?: Readonly<Record<string, object>>;
    /** Schemas of a body that the route does not parse, by content type. */
    bodies?: Readonly<Record<string, object>>;
  }
}

type Json = Record<string, unknown>;
interface ObjectSchema {
  properties?: Record<string, Json>;
  required?: string[];
}

const VERSION = '0';
const WARNINGS = {
  headers: {
    'Cloud-Browser-Warnings': {
      description:
        'A JSON array with one sentence for each value that the service changed. Absent if it changed none.',
      schema: { type: 'string' },
    },
  },
};
/** Parameters of a path in Fastify's form: `:name`, with an optional pattern. */
const PARAMETER = /:(\w+)(\([^/]*\))?/g;

/**
 * Watches the routes that are added after this call. Returns a function that describes these routes in
 * OpenAPI 3.1. Only routes with a summary are described. The description uses the same schemas that validate
 * requests.
 */
export function describeRoutes(app: FastifyInstance, publicUrl: () => string): () => Json {
  const paths: Record<string, Record<string, Json>> = {};
  app.addHook('onRoute', (route: RouteOptions) => {
    const { schema } = route;
    if (schema?.summary === undefined) return;
    const methods = [route.method].flat().filter((method) => method !== 'HEAD');
    const path = route.url.replace(PARAMETER, '{$1}');
    for (const method of methods) {
      (paths[path] ??= {})[method.toLowerCase()] = operation(method, route, schema);
    }
  });
  return () => ({
    openapi: '3.1.0',
    info: {
      title: 'cloud-browser',
      version: VERSION,
      description: 'Starts and controls browsers that run on a server and are shown on your page.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl() }],
    tags: [
      { name: 'Sessions', description: 'For your backend, with an API key.' },
      { name: 'A session', description: 'Under the address of one session, with its admin token.' },
      { name: 'Recordings', description: 'The recordings of all sessions, with an API key.' },
      { name: 'Health', description: 'For operators.' },
    ],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'One of the keys of API_KEYS.' },
        operatorKey: { type: 'http', scheme: 'bearer', description: 'One of the keys of OPERATOR_KEYS.' },
        adminToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The admin_token of the session, or a token with the scope admin. Requests of programs also accept a token with the scope automation.',
        },
        replayToken: { type: 'http', scheme: 'bearer', description: 'A token of the recording.' },
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: {
              type: 'string',
              enum: [...ERROR_CODES, ...HOST_CALL_CODES, ...FILE_CODES],
              description: 'Stable; for programs.',
            },
            message: { type: 'string', description: 'A sentence for people: the problem and the remedy.' },
          },
        },
      },
      responses: {
        Error: {
          description: 'A refusal.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    },
  });
}

function operation(method: string, route: RouteOptions, schema: FastifySchema): Json {
  const { body } = schema as { body?: Json };
  const credential = isSessionPath(route.url) ? 'adminToken' : 'apiKey';
  return {
    operationId: operationId(method, route.url),
    summary: schema.summary,
    tags: schema.tags,
    security: schema.security ?? [{ [credential]: [] }],
    parameters: [...parameters('path', schema.params), ...parameters('query', schema.querystring)],
    ...(body && { requestBody: requestBody(body, route.config?.body) }),
    ...(schema.bodies && { requestBody: { content: described(schema.bodies) } }),
    responses: {
      '200': { description: 'Done.', ...(schema.warns && WARNINGS), content: content(schema) },
      '4XX': { $ref: '#/components/responses/Error' },
      '5XX': { $ref: '#/components/responses/Error' },
    },
  };
}

function content({ response, answers }: FastifySchema): Json {
  const schema = (response as Record<string, Json> | undefined)?.['200'];
  return schema ? { 'application/json': { schema } } : described(answers ?? { 'text/plain': Text });
}

function described(schemas: Readonly<Record<string, object>>): Json {
  return Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }]));
}

function requestBody(body: Json, kind: 'parts' | 'list' | 'text' | undefined): Json {
  if (kind === 'text') return { required: true, content: { 'text/html': { schema: body } } };
  const json = { 'application/json': { schema: body } };
  if (kind !== 'parts') return { content: json };
  const parts = {
    type: 'object',
    properties: { body },
    additionalProperties: { type: 'string', contentMediaType: 'application/octet-stream' },
  };
  return { content: { ...json, 'multipart/form-data': { schema: parts } } };
}

function parameters(place: 'path' | 'query', schema: unknown): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema;
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }));
}

/** Converts `POST /:address(…)/timeout` to `postSessionTimeout`. */
function operationId(method: string, url: string): string {
  const words = url.replace(SESSION_PATH, 'session').match(/\w+/g) ?? [];
  const name = words.map((word) => word.split('_').map(capital).join('')).join('');
  return method.toLowerCase() + name;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
