import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { atEnd, type Step } from './cleanup.js';

/** Connects both sides of a relay. */
type Join = (client: Socket, upstream: Socket) => void;

/** A TCP relay in front of a service: the network between it and its viewers, which can be cut. */
export class Relay {
  readonly #pairs = new Set<[Socket, Socket]>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    private readonly join: Join,
  ) {}

  /**
   * Starts to listen. The clean-up is registered with `end`, by default for the end of the test file. By
   * default all data is passed on at once.
   */
  static async start(
    target: string,
    end: (step: Step) => void = atEnd,
    join: Join = (client, upstream) => client.pipe(upstream).pipe(client),
  ): Promise<Relay> {
    const server = createServer();
    const relay = new Relay(server, new URL(target), join);
    server.on('connection', (client) => relay.#connect(client));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    end(() => {
      server.close();
      relay.cut();
    });
    return relay;
  }

  /** The same address by way of this relay. */
  through(address: string): string {
    const url = new URL(address);
    url.port = `${(this.server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** Holds back the data that viewers send, as a stalled network does, until {@link flow}. */
  stall(): void {
    for (const [client, upstream] of this.#pairs) client.unpipe(upstream).pause();
  }

  /**
   * Resolves when so many more pieces of data have come from viewers. Stalls then, before anything else is
   * delivered.
   */
  stallAfter(pieces: number): Promise<void> {
    return new Promise((resolve) => {
      let left = pieces;
      const count = () => {
        left--;
        if (left > 0) return;
        for (const [client] of this.#pairs) client.off('data', count);
        this.stall();
        resolve();
      };
      for (const [client] of this.#pairs) client.on('data', count);
    });
  }

  /** Delivers the data that was held back, and all that follows. */
  flow(): void {
    for (const [client, upstream] of this.#pairs) client.pipe(upstream);
  }

  /** Cuts every connection without a close message to either side. */
  cut(): void {
    for (const [client, upstream] of this.#pairs) {
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    }
    this.#pairs.clear();
  }

  /** Cuts the newest connection in the same way. */
  cutNewest(): void {
    [...this.#pairs].at(-1)?.[0].resetAndDestroy();
  }

  #connect(client: Socket): void {
    const upstream = connect(Number(this.target.port), this.target.hostname);
    const pair: [Socket, Socket] = [client, upstream];
    this.#pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#pairs.delete(pair);
        client.destroy();
        upstream.destroy();
      });
    }
    this.join(client, upstream);
  }
}
