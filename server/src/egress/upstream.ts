import { request } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { SocksClient } from 'socks';
import { withBrackets } from '../platform/network/host-name.js';
import { limitInterimAnswers } from '../platform/network/connections/interim-answers.js';
import { BulkReader } from './answers/bulk-reader.js';
import { CONNECT_TIMEOUT_MS, dial, type Dialler } from './dial.js';
import { RouteError, type Route } from './route.js';

/** Parts of a session that are needed to connect to hosts, directly or through proxies. */
export interface UpstreamParts extends Dialler {
  /** Credentials for the customer's proxies: `Basic …`. Undefined if there are none. */
  credentials: string | undefined;
}

/** An open connection, and the data that has already arrived on it. */
export interface OpenConnection {
  socket: Socket;
  head: Buffer;
  /** Reader of the socket. Undefined if the data arrives in events of the socket. */
  reader?: BulkReader;
}

const NOTHING = Buffer.alloc(0);

/**
 * Opens a connection to a host over the first route that works. If no route works, rejects with the error of
 * the first route. The address of a proxy is checked like the address of a host.
 *
 * @param hasLeft returns true if the browser has disconnected. Then no other route is tried
 */
export async function openTunnel(
  parts: UpstreamParts,
  routes: readonly Route[],
  host: string,
  port: number,
  hasLeft: () => boolean,
): Promise<OpenConnection> {
  return firstOf(routes, (route) => tunnelBy(parts, route, host, port), hasLeft);
}

/**
 * Runs `attempt` with one route after the other, until one works. If no route works, rejects with the error
 * of the first route.
 *
 * @param hasLeft returns true if the browser has disconnected. Then no other route is tried
 */
export async function firstOf<T>(
  routes: readonly Route[],
  attempt: (route: Route) => Promise<T>,
  hasLeft: () => boolean,
): Promise<T> {
  let first: Error | undefined;
  for (const route of routes) {
    if (first && hasLeft()) break;
    try {
      return await attempt(route);
    } catch (error) {
      first ??= error instanceof Error ? error : new RouteError('The proxy of this session failed.');
    }
  }
  throw first ?? new RouteError('The proxy script of this session names no proxy.');
}

/** Connects to an HTTP proxy, over TLS if the route is of the kind `https`. */
export async function dialProxy(
  parts: UpstreamParts,
  route: Extract<Route, { host: string }>,
): Promise<Socket> {
  const socket = await dial(parts, route.host, route.port);
  if (route.kind !== 'https') return socket;
  const { host } = route;
  const secured = connectTls({
    ...{ socket, host, ALPNProtocols: ['http/1.1'] },
    // Sends no server name for an IP address: RFC 6066, section 3.
    ...(isIP(host) === 0 && { servername: host }),
  });
  return settle(secured, socket, (resolve) => secured.once('secureConnect', () => resolve(secured)));
}

async function tunnelBy(
  parts: UpstreamParts,
  route: Route,
  host: string,
  port: number,
): Promise<OpenConnection> {
  switch (route.kind) {
    case 'direct': {
      const reader = new BulkReader();
      return {
        socket: await dial(parts, host, port, reader.onread),
        head: NOTHING,
        reader,
      };
    }
    case 'http':
    case 'https':
      return connectThrough(await dialProxy(parts, route), parts.credentials, host, port);
    default: {
      const socket = await dial(parts, route.host, route.port);
      try {
        await SocksClient.createConnection({
          command: 'connect',
          destination: { host, port },
          existing_socket: socket,
          proxy: { host: route.host, port: route.port, type: route.kind === 'socks5' ? 5 : 4 },
          timeout: CONNECT_TIMEOUT_MS,
        });
      } catch {
        socket.destroy();
        throw new RouteError('The SOCKS proxy of this session opened no connection to this address.');
      }
      return { socket, head: NOTHING };
    }
  }
}

/** Requests a tunnel from a proxy. */
function connectThrough(
  socket: Socket,
  credentials: string | undefined,
  host: string,
  port: number,
): Promise<OpenConnection> {
  const authority = `${withBrackets(host)}:${port}`;
  const asking = request({
    method: 'CONNECT',
    path: authority,
    createConnection: () => socket,
    headers: { host: authority, ...(credentials !== undefined && { 'proxy-authorization': credentials }) },
  });
  limitInterimAnswers(asking);
  const opened = settle<OpenConnection>(asking, socket, (resolve, reject) => {
    asking.once('connect', ({ statusCode }, _socket, head) => {
      if (statusCode === 200) resolve({ socket, head });
      else reject(new RouteError(`The proxy of this session refuses this address (${statusCode}).`));
    });
  });
  asking.end();
  return opened;
}

/** Waits until a proxy has answered. Closes the connection if the proxy fails or does not answer in time. */
function settle<T>(
  emitter: { once(event: 'error', listener: (error: Error) => void): unknown },
  socket: Socket,
  begin: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  return new Promise<T>((resolve, reject) => {
    timer = setTimeout(
      () => reject(new RouteError('The proxy of this session does not answer.')),
      CONNECT_TIMEOUT_MS,
    );
    emitter.once('error', (error) =>
      reject(new RouteError(`The proxy of this session failed (${error.message}).`)),
    );
    begin(resolve, reject);
  })
    .catch((error: unknown) => {
      socket.destroy();
      throw error;
    })
    .finally(() => clearTimeout(timer));
}
