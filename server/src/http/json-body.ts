import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../service-error.js';

const JSON_TYPE = 'application/json';
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads every body as JSON. Customers send it under any content type (`curl -d` says it is a form) or send no body at all,
 * which counts as no parameters.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const type = request.headers['content-type'];
    const isMultipart = type !== undefined && /^\s*multipart\//i.test(type);
    // Said here once: types that do not parse are refused before any parser is asked.
    if (type !== undefined && !isMultipart) request.headers['content-type'] = JSON_TYPE;
    done(isMultipart ? new ServiceError('err_unsupported_media_type') : undefined);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    try {
      done(null, parse(body));
    } catch {
      done(new ServiceError('err_invalid_json'));
    }
  });
  app.addHook('preValidation', (request, _reply, done) => {
    request.body ??= {};
    done();
  });
}

function parse(body: Buffer): unknown {
  const text = decoder.decode(body);
  if (text.trim() === '') return {};
  // `__proto__` would become a prototype as soon as somebody spreads or assigns the object.
  return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value));
}
