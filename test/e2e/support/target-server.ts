import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './cleanup.js';

/**
 * A server on loopback that pages try to reach: it notes every connection and every request, redirects to what is asked for as `to`,
 * and says what is asked for as `body`, of the type that is asked for as `as`.
 */
export class TargetServer {
  connections = 0;
  /** Paths that were asked for, tunnels and WebSockets among them. */
  readonly paths: string[] = [];

  private constructor(private readonly server: Server) {}

  /**
   * @param host the address to listen on
   * @param port any by default
   */
  static async start(host = '127.0.0.1', port = 0): Promise<TargetServer> {
    const server = createServer();
    const target = new TargetServer(server);
    server.on('connection', () => (target.connections += 1));
    server.on('request', ({ url = '' }, response) => {
      target.paths.push(url);
      const { searchParams } = new URL(url, 'http://target');
      const place = searchParams.get('to');
      if (place !== null) {
        response.writeHead(302, { location: place }).end();
        return;
      }
      response.writeHead(200, {
        'content-type': searchParams.get('as') ?? 'text/html',
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
      });
      response.end(searchParams.get('body') ?? '<title>Reached</title>');
    });
    server.on('upgrade', ({ url = '' }, socket) => {
      target.paths.push(url);
      socket.destroy();
    });
    // What is no HTTP at all, such as TURN.
    server.on('clientError', (_error, socket) => socket.destroy());
    server.listen(port, host);
    await once(server, 'listening');
    atEnd(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return target;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Whether a path was asked for. */
  has(path: string): boolean {
    return this.paths.some((asked) => asked.startsWith(path));
  }
}
