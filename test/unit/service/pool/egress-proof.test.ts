import assert from 'node:assert/strict';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { proveEgress, type ProvenEgress } from '../../../../server/src/startup/checks/egress-proof.js';

const PLACE = {};

/** An egress process that handles the check's connection with `onConnection`. */
class StandIn implements ProvenEgress {
  port = 0;
  readonly #ends: (() => void)[] = [];

  constructor(private readonly onConnection: (socket: Socket, port: number) => void) {}

  protectService(port: number): void {
    this.port = port;
  }

  open(listener: unknown): () => void {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      this.#ends.push(() => socket.destroy());
      this.onConnection(socket, this.port);
    });
    server.listen(listener as Server);
    const close = () => server.close();
    this.#ends.push(close);
    return close;
  }

  close(): void {
    for (const end of this.#ends) end();
  }
}

describe('the check that remote pages cannot reach this machine', () => {
  let egress: StandIn;
  afterEach(() => egress.close());

  it('passes if the egress process refuses the service', async () => {
    egress = new StandIn((socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\nerr_egress_refused: service'));
    await proveEgress(egress, PLACE);
  });

  it('fails if a connection is forwarded, whatever the response', async () => {
    egress = new StandIn((socket, port) => {
      connect(port, '127.0.0.1').on('close', () => socket.end('err_egress_refused: service'));
    });
    await assert.rejects(proveEgress(egress, PLACE), { code: 'err_open_network' });
  });

  it('reports a timeout without a response', async () => {
    egress = new StandIn(() => undefined);
    await assert.rejects(proveEgress(egress, PLACE, 200), { code: 'err_network_proof_timeout' });
  });
});
