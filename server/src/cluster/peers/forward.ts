import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent as TlsAgent, request as httpsRequest } from 'node:https';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { withoutBrackets } from '../../platform/network/host-name.js';
import { hasLongUnreadBody, leaveUnread } from '../../platform/network/connections/unread-body.js';
import { afterArrivals } from '../../platform/time/turns.js';
import { ServiceError } from '../../service-error.js';
import { NODE_AGAIN_SECONDS } from '../../sessions/placement/other-nodes.js';
import { PEER_HEADER } from './peer-seal.js';

/** Timeouts for other nodes, in milliseconds. */
export interface ForwardTimeouts {
  /** Timeout for the connection. It is short, because nodes are near each other. */
  connect: number;
  /**
   * Timeout for a connection on which no data is sent or received. Ending a session with a large profile may
   * take this long.
   */
  answer: number;
  /**
   * Same as `answer`, for requests with which a program controls a session. This timeout is longer than the
   * time for which the session's node waits until a person gives up control.
   */
  call: number;
}

/** Default timeouts. */
export const TIMEOUTS: ForwardTimeouts = { connect: 2_000, answer: 120_000, call: 720_000 };
/**
 * Paths of requests with which a program controls a session. Such a request may wait until a person gives up
 * control.
 */
const CALL_PATH = /\/(?:computer\/\w+|mcp|screenshot)(?:\?|$)/;
/** Maximum number of open requests from this node to another node. */
const MAX_SOCKETS = 256;
/**
 * Headers that belong to one connection and not to the request. {@link Forward.answer} does not forward them.
 * It does not forward `expect` either, because Node.js has already answered this header.
 */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

/**
 * Forwards requests and WebSockets to other nodes. Does not change bodies of requests or messages of
 * WebSockets. Written without `httpxy`: that library merges and adds headers, checks a node's certificate for
 * the client's host name, has no limit for connecting, and leaves a connection open when its viewer vanishes.
 * Correcting all this would take as much code as this class.
 */
export class Forward {
  // Uses a new connection for each request. On an old connection to a node that has vanished, a request would
  // hang.
  readonly #agent = new Agent({ keepAlive: false, maxSockets: MAX_SOCKETS });
  readonly #tlsAgent = new TlsAgent({ keepAlive: false, maxSockets: MAX_SOCKETS });
  readonly #piped = new Set<Socket>();

  constructor(private readonly timeouts: ForwardTimeouts = TIMEOUTS) {}

  /**
   * Forwards a request to the node at `base`, and sends the node's answer to the client. If the node cannot
   * be reached, sends an error. Does nothing if the client has closed its connection.
   *
   * @param seal value of the header {@link PEER_HEADER} for the other node
   * @param silence aborted when the other node does not answer any more
   */
  answer(
    base: string,
    seal: string,
    request: IncomingMessage,
    response: ServerResponse,
    silence?: AbortSignal,
  ): void {
    // A destroyed response has already emitted `close`. The event would not come again, so nothing would end
    // the connection to the other node.
    if (response.destroyed) return;
    const { method = 'GET', url = '/' } = request;
    const timeout = CALL_PATH.test(url) ? this.timeouts.call : this.timeouts.answer;
    // If the connection to the other node times out, this node sends an error to the client. So the client's
    // connection needs a longer timeout. The timeout is doubled, because the request may first wait for a
    // free socket to the other node. Node.js restores the connection's usual timeouts after the response.
    response.setTimeout(2 * timeout, () => response.destroy());
    const target = new URL(base);
    const secure = target.protocol === 'https:';
    const refuse = (): void => {
      if (response.headersSent) response.destroy();
      else sendUnreachable(request, response);
    };
    const outgoing = (secure ? httpsRequest : httpRequest)(
      {
        ...{
          host: withoutBrackets(target.hostname),
          port: target.port || (secure ? 443 : 80),
          method,
          path: url,
        },
        headers: [...headersOf(request), PEER_HEADER, seal],
        setHost: false,
        agent: secure ? this.#tlsAgent : this.#agent,
        timeout,
      },
      (answer) => {
        const headers = endToEnd(answer.rawHeaders);
        if (hasLongUnreadBody(request)) {
          // The other node has answered without reading the rest of the body. So this node does not read the
          // rest either, and closes the client's connection after the answer.
          request.unpipe(outgoing);
          headers.push('connection', 'close');
          leaveUnread(request.socket);
        }
        response.writeHead(answer.statusCode ?? 502, answer.statusMessage, headers);
        answer.on('error', () => response.destroy());
        answer.pipe(response);
      },
    );
    outgoing.on('socket', (socket) =>
      limitConnecting(socket, this.timeouts.connect, () => outgoing.destroy(new Error('too slow'))),
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
    outgoing.on('error', refuse);
    response.on('close', () => outgoing.destroy());
    // If the answer has begun, the rest may still come.
    silence?.addEventListener('abort', () => {
      if (!response.headersSent) outgoing.destroy(new Error('no answer'));
    });
    request.pipe(outgoing);
  }

  /**
   * Forwards the WebSocket of a viewer or a program to the node at `base`. If the node cannot be reached,
   * answers with an error and ends the connection. Does nothing if the client has closed its connection.
   */
  upgrade(base: string, seal: string, request: IncomingMessage, socket: Socket, head: Buffer): void {
    if (socket.destroyed) return;
    const target = new URL(base);
    const secure = target.protocol === 'https:';
    const host = withoutBrackets(target.hostname);
    const address = { host, port: Number(target.port || (secure ? 443 : 80)) };
    // The name of a server cannot be an address: RFC 6066, section 3.
    const tls = isIP(host) === 0 ? { ...address, servername: host } : address;
    const other = secure ? connectTls(tls) : connectTcp(address);
    let joined = false;
    const refuse = (): void => {
      other.destroy();
      if (joined) socket.destroy();
      else socket.end(unreachable().rawAnswer);
    };
    this.#piped.add(socket);
    limitConnecting(other, this.timeouts.connect, refuse);
    other.once(secure ? 'secureConnect' : 'connect', () => {
      joined = true;
      other.setNoDelay(true);
      socket.setNoDelay(true);
      socket.setTimeout(0);
      other.write(handshakeOf(request, seal));
      other.write(head);
      other.pipe(socket);
      socket.pipe(other);
    });
    other.on('error', refuse);
    socket.on('error', () => other.destroy());
    // Sends the last data of the other node to the client before the connection closes.
    other.on('close', () => socket.destroySoon());
    socket.on('close', () => {
      this.#piped.delete(socket);
      other.destroySoon();
    });
  }

  /** Ends all forwarded connections. */
  close(): void {
    this.#agent.destroy();
    this.#tlsAgent.destroy();
    for (const socket of this.#piped) socket.destroy();
  }
}

/** Returns the error for a session whose node cannot be reached. */
export function unreachable(): ServiceError {
  return new ServiceError('err_node_unreachable', NODE_AGAIN_SECONDS);
}

/** Sends {@link unreachable}. Does not read the rest of the request's body if it may be long. */
function sendUnreachable(request: IncomingMessage, response: ServerResponse): void {
  const error = unreachable();
  const text = JSON.stringify(error.body);
  response.writeHead(error.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'retry-after': String(error.retryAfter),
    'access-control-allow-origin': '*',
    connection: 'close',
  });
  if (hasLongUnreadBody(request)) leaveUnread(request.socket);
  response.end(text);
}

/**
 * Calls `late` if a new connection is not established within `limit` milliseconds. A delay of this process
 * itself does not count, see {@link afterArrivals}. An encrypted connection is established after its TLS
 * handshake.
 */
export function limitConnecting(socket: Socket, limit: number, late: () => void): void {
  let over = false;
  const look = (): void => {
    if (!over) late();
  };
  const timer = setTimeout(() => afterArrivals(look), limit);
  const done = (): void => {
    over = true;
    clearTimeout(timer);
  };
  socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', done);
  socket.once('close', done);
}

/**
 * Returns the headers of a request in their order, without the headers about its connection, and without the
 * header that only nodes may send.
 */
function headersOf({ rawHeaders }: IncomingMessage): string[] {
  return endToEnd(rawHeaders, PEER_HEADER);
}

function endToEnd(rawHeaders: readonly string[], besides?: string): string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.has(lower) && lower !== besides) kept.push(name, value);
  }
  return kept;
}

/**
 * Returns the text of a WebSocket's opening request, with its seal. Copies the other headers as they are.
 * Node.js has parsed them, so none contains a line break.
 */
function handshakeOf({ url = '/', rawHeaders }: IncomingMessage, seal: string): string {
  const lines = [`GET ${url} HTTP/1.1`];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== PEER_HEADER)
      lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n${PEER_HEADER}: ${seal}\r\n\r\n`;
}
