import {
  request,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream';
import { withoutBrackets } from '../platform/network/host-name.js';
import { passBody } from './answers/answer-body.js';
import { pinned } from '../platform/network/addresses/pinned-lookup.js';
import { limitInterimAnswers } from '../platform/network/connections/interim-answers.js';
import { CONNECT_TIMEOUT_MS, unreachable, type DialError } from './dial.js';
import { passOn } from './answers/headers.js';
import type { HostAgent } from './host-agent.js';
import type { Route } from './route.js';
import { IDLE_TIMEOUT_MS } from './tunnel.js';
import { dialProxy, firstOf, openTunnel, type UpstreamParts } from './upstream.js';

/**
 * Maximum size of the headers of a request or an answer, in bytes. Chromium has the same limit for answers.
 */
export const MAX_HEADER_BYTES = 262_144;
/**
 * Methods of requests that may be sent again if the host closed a kept connection (one that stayed open after
 * an earlier request). The request must have no body.
 */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A request of the browser, which is passed on to a host. */
export interface PlainRequest {
  incoming: IncomingMessage;
  response: ServerResponse;
  /** An http address. */
  target: URL;
  /** Agent with the connections that are kept for the session's next requests. */
  agent: HostAgent;
  /** Milliseconds without data after which the request fails. */
  idleLimit?: number;
}

/** A request that has an open connection. No part of the request is sent yet. */
interface Connected {
  outgoing: ClientRequest;
  answer: Promise<IncomingMessage>;
  options: RequestOptions;
}

/**
 * Sends a request over the first route that works, and returns its answer to the browser. Rejects if no route
 * works, or if there is no answer.
 */
export async function passRequest(
  plain: PlainRequest,
  parts: UpstreamParts,
  routes: readonly Route[],
): Promise<void> {
  const connected = await firstOf(
    routes,
    async (route) => connect(plain, await optionsFor(plain, parts, route)),
    () => hasLeft(plain),
  );
  passAnswer(await ask(plain, connected), plain);
}

async function optionsFor(plain: PlainRequest, parts: UpstreamParts, route: Route): Promise<RequestOptions> {
  const { incoming, target, agent } = plain;
  const host = withoutBrackets(target.hostname);
  const port = portOf(target);
  const path = target.pathname + target.search;
  switch (route.kind) {
    case 'direct': {
      // Checks the host for every request, even if the request uses a kept connection. A new connection goes
      // to a checked address.
      const lookup = pinned(await parts.guard.addresses(host, port));
      if (!isRepeatable(incoming)) agent.dropKeptTo(host, port);
      return { host, port, path, agent, lookup };
    }
    case 'http':
    case 'https': {
      const socket = await dialProxy(parts, route);
      return {
        createConnection: () => socket,
        path: target.origin + path,
        ...(parts.credentials !== undefined && { headers: ['proxy-authorization', parts.credentials] }),
      };
    }
    default: {
      const { socket } = await openTunnel(parts, [route], host, port, () => hasLeft(plain));
      return { createConnection: () => socket, path };
    }
  }
}

/** Sends a request on its connection. Resolves to the answer's header. Rejects with {@link DialError}. */
async function ask(plain: PlainRequest, { outgoing, answer, options }: Connected): Promise<IncomingMessage> {
  const { incoming, target, agent } = plain;
  if (!hasBody(incoming)) outgoing.end();
  else pipeline(incoming, outgoing, () => undefined);
  try {
    return await answer;
  } catch (error) {
    const ended = outgoing.reusedSocket && isRepeatable(incoming) && !hasLeft(plain);
    if (!ended) throw failed(target, error);
  }
  // The host closed a kept connection while the request was on its way. The other kept connections to the
  // host may be dead too, so they are closed.
  agent.dropKeptTo(withoutBrackets(target.hostname), portOf(target));
  const second = await connect(plain, options);
  second.outgoing.end();
  return second.answer.catch((error: unknown) => {
    throw failed(target, error);
  });
}

/**
 * Opens a connection for a request, or takes a kept one. Sends nothing, so that another route can be tried if
 * the connection fails. Rejects with {@link DialError}.
 */
async function connect(plain: PlainRequest, options: RequestOptions): Promise<Connected> {
  const { incoming, target } = plain;
  const more = Array.isArray(options.headers) ? options.headers.map(String) : [];
  if (incoming.headers['transfer-encoding'] !== undefined) more.push('transfer-encoding', 'chunked');
  const outgoing = request({
    ...options,
    method: incoming.method,
    headers: ['host', target.host, ...passOn(incoming.rawHeaders, ['host']), ...more],
    maxHeaderSize: MAX_HEADER_BYTES,
    // Accepts the malformed answers that Chromium accepts, because only Chromium reads the result.
    insecureHTTPParser: true,
  });
  // Reads all headers. If a header were missing in `rawHeaders`, the browser could expect a longer or shorter
  // body than this process sends.
  outgoing.maxHeadersCount = 0;
  limitInterimAnswers(outgoing);
  const open = connectionOf(outgoing);
  const answer = answered(outgoing, plain);
  // Prevents an unhandled rejection, because the answer may fail before any code waits for it.
  answer.catch(() => undefined);
  try {
    await Promise.race([open, answer]);
  } catch (error) {
    throw failed(target, error);
  }
  return { outgoing, answer, options };
}

function failed(target: URL, error: unknown): DialError {
  return unreachable(target.hostname, error instanceof Error ? error : new Error('it failed'));
}

/** Resolves when a request has an open connection. */
function connectionOf(outgoing: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    outgoing.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', resolve);
      else resolve();
    });
  });
}

/** Resolves to the header of the answer. Ends the request if the browser disconnects, or on a timeout. */
function answered(
  outgoing: ClientRequest,
  { response, idleLimit = IDLE_TIMEOUT_MS }: PlainRequest,
): Promise<IncomingMessage> {
  const give = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.on('error', reject);
    // The host switches to another protocol although the request did not ask for it. Without this listener
    // the promise would never settle.
    outgoing.once('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(new Error('it switched to another protocol'));
    });
    outgoing.once('socket', (socket) => {
      if (!socket.connecting) return;
      const timer = setTimeout(() => outgoing.destroy(new Error('it took too long')), CONNECT_TIMEOUT_MS);
      socket.once('connect', () => clearTimeout(timer));
      socket.once('close', () => clearTimeout(timer));
    });
    outgoing.setTimeout(idleLimit, () => outgoing.destroy(new Error('it is silent')));
  });
  // The browser may have disconnected already, for example during the name lookup.
  if (response.destroyed) outgoing.destroy();
  response.once('close', () => response.writableFinished || outgoing.destroy());
  return give;
}

/** True if the browser does not wait for the answer any more. */
function hasLeft({ response }: PlainRequest): boolean {
  return response.destroyed;
}

function portOf(target: URL): number {
  return Number(target.port) || 80;
}

function isRepeatable(incoming: IncomingMessage): boolean {
  return REPEATABLE.has(incoming.method ?? '') && !hasBody(incoming);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Sends an answer to the browser. Throws if its header is invalid. */
function passAnswer(answer: IncomingMessage, { incoming, response }: PlainRequest): void {
  const { statusCode = 502, statusMessage = '', rawHeaders, headers } = answer;
  // Replaces the status 407. Otherwise the browser would ask its user for a password for the egress process.
  const status = statusCode === 407 ? 502 : statusCode;
  // If there is a transfer coding, the parser ignores `content-length` (RFC 9112, section 6.3). So this
  // function leaves the header out. If the browser used this length, it could read the rest of the body as
  // the next answer.
  const lies = headers['transfer-encoding'] === undefined ? [] : ['content-length'];
  response.sendDate = false;
  try {
    response.writeHead(status, statusMessage.replace(/[^\t\x20-\x7e]/g, ''), passOn(rawHeaders, lies));
  } catch (error) {
    answer.destroy();
    throw error;
  }
  // Sends the header at once, because the body may take a long time.
  response.flushHeaders();
  passBody(answer, response, incoming.method ?? '');
}
