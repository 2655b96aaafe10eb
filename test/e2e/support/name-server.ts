import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { atEnd } from './cleanup.js';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const HEADER_BYTES = 12;

/** A name server on loopback (RFC 1035) whose answers a test changes while it runs. */
export class NameServer {
  /** Addresses by name; other names do not exist. */
  readonly names = new Map<string, string>();
  /** Number of queries for each name, of both address families together. */
  readonly asked = new Map<string, number>();

  private constructor(readonly address: string) {}

  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const server = new NameServer(`127.0.0.1:${socket.address().port}`);
    socket.on('message', (query, { port, address }) => socket.send(server.#answer(query), port, address));
    atEnd(() => socket.close());
    return server;
  }

  #answer(query: Buffer): Buffer {
    const labels: string[] = [];
    let at = HEADER_BYTES;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const name = labels.join('.').toLowerCase();
    this.asked.set(name, (this.asked.get(name) ?? 0) + 1);
    const type = query.readUInt16BE(at + 1);
    const known = this.names.get(name);
    const wanted = known !== undefined && type === (isIPv4(known) ? TYPE_A : TYPE_AAAA);
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    // An answer, with recursion; the code is "no such name" for unknown ones.
    header.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(wanted ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    const question = query.subarray(HEADER_BYTES, at + 5);
    return Buffer.concat([header, question, ...(wanted ? [record(type, known)] : [])]);
  }
}

function record(type: number, address: string): Buffer {
  const data = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : bytesOfIPv6(address);
  // The name as a reference to the question, class IN, and a time to live of 0.
  const head = Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

/** An address with one `::` in it. */
function bytesOfIPv6(address: string): Buffer {
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const parts = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return Buffer.from(parts.flatMap((part) => [parseInt(part, 16) >> 8, parseInt(part, 16) & 255]));
}
