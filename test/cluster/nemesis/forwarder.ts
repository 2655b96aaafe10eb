import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** One address for a server that can be replaced by another one, as in a failover. */
export class Forwarder {
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private target: number,
  ) {
    server.on('connection', (socket) => this.#pipe(socket));
  }

  static async start(port: number): Promise<Forwarder> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Forwarder(server, port);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Sends new connections to another port and ends the open ones. */
  lead(port: number): void {
    this.target = port;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #pipe(socket: Socket): void {
    const other = connect(this.target, '127.0.0.1');
    for (const one of [socket, other]) {
      this.#sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => undefined);
      one.once('close', () => {
        this.#sockets.delete(one);
        socket.destroy();
        other.destroy();
      });
    }
    socket.pipe(other);
    other.pipe(socket);
  }
}
