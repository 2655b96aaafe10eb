import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './cleanup.js';

/**
 * A server on loopback whose answers a test supplies, such as a proxy or a search engine. It records
 * requested addresses.
 */
export class AnsweringServer {
  /**
   * The requested addresses in order: whole addresses at a proxy, host and port for tunnels, paths elsewhere.
   */
  readonly requests: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(answer: RequestListener): Promise<AnsweringServer> {
    const server = createServer(answer);
    const answering = new AnsweringServer(server);
    server.prependListener('request', ({ url }) => answering.requests.push(url ?? ''));
    // The server records a tunnel and refuses it.
    server.on('connect', ({ url }, socket) => {
      answering.requests.push(url ?? '');
      // A browser that is killed resets its connection.
      socket.on('error', () => socket.destroy());
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    atEnd(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return answering;
  }

  /** Host and port, as in a PAC script. */
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.address}`;
  }
}
