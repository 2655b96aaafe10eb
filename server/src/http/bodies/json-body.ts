import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../service-error.js';
import { isMultipart, parseMultipart } from './multipart.js';
import { convertTypes } from './convert-types.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `parts`: JSON, or a multipart body with the JSON in its part `body`. `list`: JSON, where an empty body
     * is an empty array. `text`: any text. Default: JSON, where an empty body is an empty object.
     */
    body?: 'parts' | 'list' | 'text';
  }
  interface FastifyRequest {
    /** All parts of a multipart body, by name. Null for other bodies. */
    parts: ReadonlyMap<string, Buffer> | null;
  }
}

const JSON_TYPE = 'application/json';
/** Name of the part with the parameters in a multipart body. */
const PARAMETERS = 'body';
/**
 * Maximum nesting depth of JSON. No valid request is deeper, and every recursive function can handle this
 * depth.
 */
const MAX_DEPTH = 64;
/** Values for an empty body. */
const EMPTY = { parts: () => ({}), list: () => [], text: () => '' };
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads bodies in the form that their routes expect, mostly JSON. Converts the values to the types of the
 * route's schema. Only a multipart content type matters. All other types are ignored, because many clients
 * send a wrong type. For example, `curl -d` sends the type of a form. A request without a body has no
 * parameters.
 */
export function readBodies(app: FastifyInstance): void {
  app.decorateRequest('parts', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const type = request.headers['content-type'];
    const inParts = isMultipart(type);
    const refused = inParts && request.routeOptions.config.body !== 'parts';
    // Sets the content type here, because Fastify refuses a malformed content type before it calls a parser.
    if (type !== undefined && !inParts) request.headers['content-type'] = JSON_TYPE;
    done(refused ? new ServiceError('err_unsupported_media_type') : undefined);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      done(null, read(request, body));
    } catch (error) {
      done(error instanceof ServiceError ? error : unreadable(request));
    }
  });
  app.addHook('preValidation', (request, _reply, done) => {
    request.body ??= EMPTY[request.routeOptions.config.body ?? 'parts']();
    const { body: schema } = request.routeOptions.schema ?? {};
    if (schema instanceof Object) request.body = convertTypes(schema, request.body);
    done();
  });
}

/** Returns the error for a body that is not JSON. */
function unreadable({ headers }: FastifyRequest): ServiceError {
  const encoding = headers['content-encoding'] ?? 'identity';
  // The names of encodings are not case-sensitive: RFC 9110, section 8.4.1.
  return encoding.toLowerCase() === 'identity'
    ? new ServiceError('err_invalid_json')
    : new ServiceError('err_bad_request', 'The body has a Content-Encoding. Send it without compression.');
}

function read(request: FastifyRequest, body: Buffer): unknown {
  const type = request.headers['content-type'];
  if (request.routeOptions.config.body === 'text') return decoder.decode(body);
  if (!isMultipart(type) || type === undefined) return parse(body);
  const parts = parseMultipart(type, body);
  request.parts = parts;
  return parse(parts.get(PARAMETERS) ?? Buffer.alloc(0));
}

function parse(body: Buffer): unknown {
  const text = decoder.decode(body);
  if (text.trim() === '') return undefined;
  if (depthOf(text) > MAX_DEPTH) throw new ServiceError('err_invalid_json');
  // Removes `__proto__`, which would become a prototype when other code copies the object.
  return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value));
}

/** Returns the nesting depth of objects and arrays in a JSON text. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (quoted) {
      if (char === '\\') index++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth);
    else if (char === '}' || char === ']') depth--;
  }
  return deepest;
}
