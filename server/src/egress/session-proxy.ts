import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { withBrackets } from '../platform/network/host-name.js';
import { answerFor, refuseConnection, refuseTunnel, sendPage } from './answers/answers.js';
import { EgressRefusal, type RefusalRule } from './guard.js';
import { HostAgent } from './host-agent.js';
import { MAX_HEADER_BYTES, passRequest } from './plain-request.js';
import { parseAuthority, RouteError, type Router } from './route.js';
import { joinEnds } from './tunnel.js';
import { openTunnel, type UpstreamParts } from './upstream.js';
import { WelcomeSite } from './answers/welcome-site.js';

/**
 * Time for which an idle connection stays open. It is longer than in Chromium (300 s), so that the proxy
 * never closes a connection that Chromium is about to use.
 */
const KEEP_OPEN_MS = 330_000;
/**
 * Maximum number of unanswered requests on one connection. Each of them needs its own connection to a host.
 * Chromium never exceeds this limit, because it sends the next request on a connection only after the
 * previous answer.
 */
const MAX_UNANSWERED = 2;
/** Timeout for the header of a request. */
const HEAD_TIMEOUT_MS = 60_000;

/** Dependencies and options of a {@link SessionProxy}. */
export interface SessionProxyParts extends UpstreamParts {
  router: Router;
  /** The demo's first page. Undefined if it is not built. */
  welcome: WelcomeSite | undefined;
  onRefused: (rule: RefusalRule) => void;
  /** Milliseconds without data after which a connection is closed. */
  idleLimit?: number;
}

/**
 * HTTP proxy of one session's browser. The proxy is the browser's only way to the network, and checks every
 * request.
 */
export class SessionProxy {
  /** Accepts the browser's connections. */
  readonly server: Server;
  readonly #parts: SessionProxyParts;
  readonly #agent: HostAgent;
  readonly #tunnels = new Set<Socket>();
  readonly #unanswered = new WeakMap<Socket, number>();

  constructor(parts: SessionProxyParts) {
    this.#parts = parts;
    this.#agent = new HostAgent(parts.sockets, KEEP_OPEN_MS);
    this.server = createServer({
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEAD_TIMEOUT_MS,
      // An upload may take as long as it needs, so there is no timeout for a whole request.
      requestTimeout: 0,
      keepAliveTimeout: KEEP_OPEN_MS,
    });
    this.server.on('connection', (client: Socket) => this.#onConnection(client));
    this.server.on('request', (request, response) => void this.#onRequest(request, response));
    this.server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
      void this.#onConnect(request, client, head);
    });
    // Closes connections that request an upgrade. Chromium opens WebSockets through CONNECT tunnels, so it
    // never requests an upgrade from this proxy.
    this.server.on('upgrade', (_request, client) => client.destroy());
  }

  /** Closes all connections. */
  close(): void {
    this.server.close();
    this.server.closeAllConnections();
    for (const client of this.#tunnels) client.destroy();
    this.#agent.destroy();
  }

  #onConnection(client: Socket): void {
    if (this.#parts.sockets.take(client)) return;
    const refusal = new EgressRefusal('connections');
    this.#note(refusal);
    refuseConnection(client, answerFor(refusal));
  }

  async #onRequest(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // A browser that disconnects is not an error.
    for (const stream of [incoming, response]) stream.on('error', () => undefined);
    if (!this.#count(incoming.socket, response)) return;
    try {
      // The answer to TRACE would show the page the credentials for a customer's proxy: RFC 9110, section
      // 9.3.8.
      if (incoming.method === 'TRACE') throw new RouteError('TRACE requests are not supported.');
      const target = httpTarget(incoming.url);
      if (WelcomeSite.isHost(target.hostname)) {
        if (!this.#parts.welcome) throw WelcomeSite.closed();
        this.#parts.welcome.answer(incoming, response, target);
        return;
      }
      const routes = await this.#parts.router(target.href);
      const { idleLimit } = this.#parts;
      const plain = { incoming, response, target, agent: this.#agent, ...(idleLimit && { idleLimit }) };
      await passRequest(plain, this.#parts, routes);
    } catch (error) {
      this.#note(error);
      // Reads the rest of the request's body. Otherwise it would be parsed as the next request.
      incoming.resume();
      sendPage(response, answerFor(error), incoming.headers['accept-language']);
    }
  }

  async #onConnect({ url = '' }: IncomingMessage, client: Socket, head: Buffer): Promise<void> {
    this.#tunnels.add(client);
    client.once('close', () => this.#tunnels.delete(client));
    client.on('error', () => client.destroy());
    try {
      const target = parseAuthority(url);
      if (!target) throw new RouteError('This is not a valid address.');
      const { host, port } = target;
      // The welcome site supports neither TLS nor WebSockets.
      if (WelcomeSite.isHost(host)) throw WelcomeSite.closed();
      const routes = await this.#parts.router(addressOf(host, port));
      const hasLeft = () => client.destroyed;
      const { socket, head: early, reader } = await openTunnel(this.#parts, routes, host, port, hasLeft);
      if (client.destroyed) {
        socket.destroy();
        return;
      }
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (early.length > 0) client.write(early);
      if (head.length > 0) socket.write(head);
      joinEnds(client, socket, { reader, idleLimit: this.#parts.idleLimit });
    } catch (error) {
      this.#note(error);
      refuseTunnel(client, answerFor(error));
    }
  }

  /**
   * Counts a request until it is answered. Closes the connection and returns false if the client has sent too
   * many requests without waiting for answers.
   */
  #count(socket: Socket, response: ServerResponse): boolean {
    const unanswered = this.#unanswered.get(socket) ?? 0;
    if (unanswered >= MAX_UNANSWERED) {
      socket.destroy();
      return false;
    }
    this.#unanswered.set(socket, unanswered + 1);
    response.once('close', () => this.#unanswered.set(socket, (this.#unanswered.get(socket) ?? 1) - 1));
    return true;
  }

  #note(error: unknown): void {
    if (error instanceof EgressRefusal) this.#parts.onRefused(error.rule);
  }
}

/** Returns the http address of a proxy request. Throws {@link RouteError} if it is invalid. */
function httpTarget(url = ''): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target?.protocol !== 'http:' || target.port === '0')
    throw new RouteError('This is not a valid address.');
  return target;
}

/**
 * Returns the URL of a tunnel's target, for the router. Port 80 gets the scheme `http`, because unencrypted
 * WebSockets use it. All other ports get `https`.
 */
function addressOf(host: string, port: number): string {
  const name = withBrackets(host);
  return port === 80 ? `http://${name}/` : `https://${name}:${port}/`;
}
