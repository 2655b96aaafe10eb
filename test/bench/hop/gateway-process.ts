/**
 * Runs a node that forwards every viewer to the owner whose address is its argument, as nodes do. Prints its
 * port.
 */
import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { Forward } from '../../../server/src/cluster/peers/forward.js';
import { PeerSeal } from '../../../server/src/cluster/peers/peer-seal.js';
import { portOf } from '../../../server/src/platform/network/port.js';

const [, , owner = ''] = process.argv;
const seal = new PeerSeal(
  Buffer.alloc(32, 1),
  () => 'aaaaaa',
  () => Date.now(),
);
const forward = new Forward();
const server = createServer();
server.on('upgrade', (request, socket, head) => {
  if (!(socket instanceof Socket)) return;
  const { method = '', url = '' } = request;
  const sealed = seal.seal({ method, url, to: 'bbbbbb', clientAddress: '127.0.0.1' });
  forward.upgrade(owner, sealed, request, socket, head);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${portOf(server.address())}\n`));
