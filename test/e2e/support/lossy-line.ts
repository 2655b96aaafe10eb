import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { atEnd, type Step } from './cleanup.js';

/** Milliseconds for which the line delays each piece of data. */
const DELAY_MS = 15;
/** One in so many pieces from the service is lost, and arrives when it has been repeated. */
const LOST_ONE_IN = 25;
/** Milliseconds until a lost piece has been repeated. Everything after it on its connection waits. */
const REPEATED_MS = 150;

/** A TCP relay in front of a service that delays data, and holds back some of it as lost packets do. */
export class LossyLine {
  readonly #clients: Socket[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  /** Starts to listen. The clean-up is registered with `end`, by default for the end of the test file. */
  static async start(target: string, end: (step: Step) => void = atEnd): Promise<LossyLine> {
    const server = createServer();
    const line = new LossyLine(server, new URL(target));
    server.on('connection', (client) => line.#connect(client));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    end(() => {
      server.close();
      for (const client of line.#clients) client.destroy();
    });
    return line;
  }

  /** The same address by way of this line. */
  through(address: string): string {
    const url = new URL(address);
    url.port = `${(this.server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** Cuts the newest connection without a close message to either side. */
  cutNewest(): void {
    this.#clients.at(-1)?.resetAndDestroy();
  }

  #connect(client: Socket): void {
    const upstream = connect(Number(this.target.port), this.target.hostname);
    this.#clients.push(client);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    pass(client, upstream, Infinity);
    pass(upstream, client, LOST_ONE_IN);
  }
}

/** Passes data on late and in order. */
function pass(from: Socket, to: Socket, lostOneIn: number): void {
  let pieces = 0;
  let free = 0;
  from.on('data', (data) => {
    const isLost = ++pieces % lostOneIn === 0;
    const now = performance.now();
    free = Math.max(free, now + DELAY_MS + (isLost ? REPEATED_MS : 0));
    setTimeout(() => to.write(data), free - now);
  });
}
