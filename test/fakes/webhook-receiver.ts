import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a {@link WebhookReceiver} got. */
export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A customer's endpoint on this machine. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** Answers a request; may also do so slowly, badly or never. */
  answer: (response: ServerResponse, request: Received) => void = (response) => response.end();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const received = { method, url, headers, body };
        this.received.push(received);
        this.answer(response, received);
      });
    });
  }

  static async open(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
