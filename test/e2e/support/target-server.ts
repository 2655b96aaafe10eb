import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './cleanup.js';

/**
 * A server on loopback that pages try to reach. It records every connection and every request. The query
 * controls the answer: `to` redirects, `body` is the content and `as` its type.
 */
export class TargetServer {
  connections = 0;
  /** Requested paths, including tunnels and WebSockets. */
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
    // Connections without HTTP, such as TURN.
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

  /** Returns true if a path was requested. */
  has(path: string): boolean {
    return this.paths.some((asked) => asked.startsWith(path));
  }
}
