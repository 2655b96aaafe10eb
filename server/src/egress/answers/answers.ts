import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { DialError } from '../dial.js';
import { EgressRefusal } from '../guard.js';
import { pageText } from './page-texts.js';
import { ResolveError } from '../name-resolver.js';
import { RouteError } from '../route.js';

/** An answer of the egress process itself, instead of the host's answer. */
interface OwnAnswer {
  status: number;
  code: string;
  rule?: string;
  message: string;
}

/** Returns the answer to a hosted browser whose request the egress process cannot forward. */
export function answerFor(error: unknown): OwnAnswer {
  if (error instanceof EgressRefusal) {
    const { code, rule, message } = error;
    return { status: rule === 'connections' ? 503 : 403, code, rule, message };
  }
  if (error instanceof ResolveError || error instanceof DialError || error instanceof RouteError)
    return { status: 502, code: error.code, message: error.message };
  return {
    status: 502,
    code: 'err_egress_failed',
    message: 'The answer cannot be passed on. Try again later.',
  };
}

/**
 * Answers a request with a small page.
 * @param accepted `Accept-Language` of the request
 */
export function sendPage(
  response: ServerResponse,
  { status, code, rule, message }: OwnAnswer,
  accepted: string | undefined,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const detail = rule === undefined ? code : `${code}: ${rule}`;
  const text = pageText({ title: STATUS_CODES[status] ?? '', message }, detail, accepted);
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    vary: 'accept-language',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
  });
  response.end(
    `<!doctype html><html lang="${text.lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${escape(text.title)}</title>` +
      '<style>body{font:1rem/1.5 sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.5rem}code{color:#666}</style>' +
      `<p>${escape(text.message)}</p><p><code>${escape(detail)}</code></p>`,
  );
}

/** Answers the request for a tunnel with a refusal. */
export function refuseTunnel(client: Duplex, answer: OwnAnswer): void {
  client.end(bareAnswer(answer));
}

/** Refuses a connection before its first request, and closes it. */
export function refuseConnection(client: Duplex, answer: OwnAnswer): void {
  client.write(bareAnswer(answer));
  client.destroy();
}

function bareAnswer({ status, code, rule }: OwnAnswer): string {
  const body = rule === undefined ? code : `${code}: ${rule}`;
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: text/plain\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  );
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
