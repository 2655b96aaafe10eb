import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { portOf } from '../../../server/src/platform/network/port.js';
import { processorSeconds } from '../resources.js';
import { median, pause, percentile } from '../statistics.js';

/** The cost of a hop between nodes. */
export interface HopResult {
  /** Round-trip time of a message to the owner, directly and through another node. Milliseconds. */
  direct: number[];
  gateway: number[];
  /** Share of a core for sending {@link MEGABITS} to a viewer. */
  processor: number[];
}

/** Megabits per second sent to a viewer during the measurement. */
export const MEGABITS = 10;
const FRAMES_PER_SECOND = 60;
/** Like a click, and like the answer to it. */
const MESSAGE_BYTES = 64;
/** Before figures count, in messages and in milliseconds. */
const WARM_UP_MESSAGES = 200;
const WARM_UP_MS = 1_000;
const ANSWER_TIMEOUT_MS = 5_000;

const program = fileURLToPath(new URL('./gateway-process.ts', import.meta.url));
const HANDSHAKE = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** A fake owner of sessions. It echoes messages and streams as many bits as requested. */
class Owner {
  readonly #server: Server = createServer();
  readonly #sockets = new Set<Socket>();

  async start(): Promise<number> {
    this.#server.on('upgrade', (_request, socket) => {
      if (!(socket instanceof Socket)) return;
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.write(HANDSHAKE);
      socket.on('data', (bytes) => void socket.write(bytes));
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return portOf(this.#server.address());
  }

  /** Sends frames at the usual pace for this many milliseconds. */
  async stream(milliseconds: number): Promise<void> {
    const frame = Buffer.alloc(Math.round((MEGABITS * 1e6) / 8 / FRAMES_PER_SECOND), 7);
    const end = performance.now() + milliseconds;
    for (let next = performance.now(); next < end; next += 1_000 / FRAMES_PER_SECOND) {
      for (const socket of this.#sockets) socket.write(frame);
      await pause(Math.max(0, next - performance.now()));
    }
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

/** Opens a viewer's connection at a port. */
async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  socket.write('GET /x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  const answer = await within(received(socket, HANDSHAKE.length));
  if (!answer.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error('The connection was refused.');
  return socket;
}

async function received(socket: Socket, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let left = length; left > 0;) {
    const [part] = (await once(socket, 'data')) as [Buffer];
    parts.push(part);
    left -= part.length;
  }
  return Buffer.concat(parts);
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('No answer came over the hop.')), ANSWER_TIMEOUT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function roundTrip(socket: Socket): Promise<number> {
  const begun = performance.now();
  socket.write(Buffer.alloc(MESSAGE_BYTES, 1));
  await within(received(socket, MESSAGE_BYTES));
  return performance.now() - begun;
}

/**
 * Measures a hop, alternating between the direct way and the way through another node.
 *
 * @param messages of each way in a round
 * @param seconds of streaming in a round
 */
export async function measureHop(rounds: number, messages: number, seconds: number): Promise<HopResult> {
  const result: HopResult = { direct: [], gateway: [], processor: [] };
  const owner = new Owner();
  const ownerPort = await owner.start();
  const gateway = spawn(process.execPath, ['--import', 'tsx', program, `http://127.0.0.1:${ownerPort}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await within(once(gateway.stdout, 'data'))) as [Buffer];
    const [direct, hop] = [await open(ownerPort), await open(Number(String(line).trim()))];
    for (let message = 0; message < WARM_UP_MESSAGES; message++)
      for (const socket of [direct, hop]) await roundTrip(socket);
    for (let round = 0; round < rounds; round++) {
      for (let message = 0; message < messages; message++) {
        result.direct.push(await roundTrip(direct));
        result.gateway.push(await roundTrip(hop));
      }
    }
    direct.destroy();
    hop.resume();
    await owner.stream(WARM_UP_MS);
    for (let round = 0; round < rounds; round++) {
      const [before, begun] = [processorSeconds(gateway.pid ?? 0), performance.now()];
      await owner.stream(seconds * 1_000);
      const used = processorSeconds(gateway.pid ?? 0) - before;
      result.processor.push(used / ((performance.now() - begun) / 1_000));
    }
    hop.destroy();
  } finally {
    gateway.kill();
    owner.close();
  }
  return result;
}

/** The result as a Markdown table. */
export function hopTable({ direct, gateway, processor }: HopResult): string {
  const times = (values: readonly number[]) =>
    `${median(values).toFixed(2)} / ${percentile(values, 0.95).toFixed(2)}`;
  return [
    `| way to the owner | message there and back p50 / p95 (ms) | processor for ${MEGABITS} Mbit/s (% of a core) |`,
    '| --- | --- | --- |',
    `| direct | ${times(direct)} | - |`,
    `| through another node | ${times(gateway)} | ${(median(processor) * 100).toFixed(1)} |`,
  ].join('\n');
}
