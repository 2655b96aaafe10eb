import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
  type RequestOptions,
} from 'node:http';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type ServerOpts,
  type Socket,
} from 'node:net';
import { EgressGuard, type RefusalRule } from '../../server/src/egress/guard.js';
import { NameResolver, type Resolve } from '../../server/src/egress/name-resolver.js';
import { straight, type Router } from '../../server/src/egress/route.js';
import { FairShare } from '../../server/src/egress/fair-share.js';
import { SessionProxy } from '../../server/src/egress/session-proxy.js';
import { SessionSockets } from '../../server/src/egress/session-sockets.js';
import type { WelcomeSite } from '../../server/src/egress/answers/welcome-site.js';
import { EgressRules } from '../../server/src/platform/network/egress-rules.js';

/** Options of a test's guard. */
export interface EgressProxyOptions {
  /** As in `EGRESS_ALLOW`. */
  allow?: string[];
  resolve?: Resolve;
  resolveLimit?: number;
  router?: (guard: EgressGuard) => Router;
  credentials?: string;
  servicePort?: number;
  ownAddresses?: string[];
  idleLimit?: number;
  welcome?: WelcomeSite;
  /** Sockets that the sessions of a process share. */
  sockets?: FairShare;
}

/** Names of tests: all of them are loopback. */
const loopback: Resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

/** An answer and its body. */
export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A session's proxy that listens on loopback of this machine, and a browser's side of it. */
export class EgressProxy {
  readonly refused: RefusalRule[] = [];
  readonly #ends: (() => void)[] = [];
  readonly #proxy: SessionProxy;

  constructor(options: EgressProxyOptions = {}) {
    const rules = EgressRules.parse(options.allow ?? []);
    assert.ok(rules);
    const { resolve = loopback, resolveLimit, idleLimit } = options;
    const resolver = new NameResolver({ resolve, ...(resolveLimit && { timeLimit: resolveLimit }) });
    const guard = new EgressGuard({
      rules,
      resolver,
      servicePort: () => options.servicePort,
      ownAddresses: () => new Set(options.ownAddresses),
    });
    this.#proxy = new SessionProxy({
      guard,
      sockets: new SessionSockets(options.sockets ?? new FairShare(10_000)),
      router: options.router?.(guard) ?? straight,
      credentials: options.credentials,
      welcome: options.welcome,
      onRefused: (rule) => this.refused.push(rule),
      ...(idleLimit && { idleLimit }),
    });
  }

  async listen(): Promise<this> {
    this.#proxy.server.listen(0, '127.0.0.1');
    await once(this.#proxy.server, 'listening');
    return this;
  }

  get port(): number {
    return portOf(this.#proxy.server);
  }

  /** Serves on loopback; ends with the proxy. */
  async serve(listener: RequestListener): Promise<number> {
    const server = createServer(listener);
    const port = await this.#listen(server);
    this.#ends.push(() => server.closeAllConnections());
    return port;
  }

  /** Serves plain connections on loopback. They may end in any way. Ends with the proxy. */
  async serveRaw(listener: (socket: Socket) => void, options: ServerOpts = {}): Promise<number> {
    return this.#listen(
      createTcpServer(options, (socket) => {
        this.#ends.push(() => socket.destroy());
        socket.on('error', () => undefined);
        listener(socket);
      }),
    );
  }

  /** Requests an address, as a browser that uses the proxy does. */
  async get(url: string, options: RequestOptions & { body?: string } = {}): Promise<Answer> {
    const { body, ...rest } = options;
    const asking = request({ host: '127.0.0.1', port: this.port, path: url, agent: false, ...rest });
    asking.end(body);
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += String(chunk);
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: text };
  }

  /** Requests a tunnel. Resolves to the proxy's answer and the connection. */
  async tunnel(authority: string): Promise<{ status: number; body: string; socket: Socket }> {
    const asking = request({
      host: '127.0.0.1',
      port: this.port,
      method: 'CONNECT',
      path: authority,
      agent: false,
    });
    asking.end();
    const [answer, socket, head] = (await once(asking, 'connect')) as [IncomingMessage, Socket, Buffer];
    this.#ends.push(() => socket.destroy());
    socket.on('error', () => undefined);
    return { status: answer.statusCode ?? 0, body: head.toString(), socket };
  }

  /** A bare connection to the proxy. */
  async raw(): Promise<Socket> {
    const socket = connect(this.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    this.#ends.push(() => socket.destroy());
    return socket;
  }

  async #listen(server: Server): Promise<number> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#ends.push(() => server.close());
    return portOf(server);
  }

  close(): void {
    for (const end of this.#ends) end();
    this.#proxy.close();
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
