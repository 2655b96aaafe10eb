/**
 * A hostile viewer in a process of its own, so that its flood does not take the time of the test that
 * watches. Arguments: the session's embed URL, the kind of flood, messages a second (0: as many as possible),
 * and the seconds after which it gives up. It joins at the first line of its input and prints `ready`, floods
 * at the second, and prints as JSON how it was sent away.
 */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { socketUrl } from '../../../src/core/connection/socket.js';
import {
  encodeControl,
  encodeInput,
  PROTOCOL_VERSION,
  reasonOfCloseCode,
  SUBPROTOCOL,
  type InputWithoutSeq,
  type SessionMethod,
} from '../../../src/protocol/index.js';

/** Outcome of a flood. */
export interface FloodOutcome {
  reason: string | undefined;
  message: string;
  /** From its first message to its end, in milliseconds. */
  lasted: number;
  sent: number;
}

type Message = Uint8Array | string;

/** Maximal number of unwritten bytes while the other side does not read. */
const MAX_UNWRITTEN = 4 * 1024 * 1024;
const PARALLEL_JOINS = 16;
/** A message that is larger than a session accepts. */
const HUGE_BYTES = 4 * 1024 * 1024;
/** Time for which other kinds of flooders leave answers unread, in milliseconds. */
const UNREAD_MS = 300;

let seq = 0;
const input = (event: InputWithoutSeq): Message => encodeInput({ ...event, seq: ++seq });
const call = (id: number, method: SessionMethod, ...args: unknown[]): Message =>
  encodeControl({ type: 'call', id, method, args });

/** The messages of each kind of flood, by their number. */
const MESSAGES: Record<string, (count: number) => Message> = {
  calls: (count) => call(count, 'tabs.query', {}),
  moves: (count) => input({ type: 'move', modifiers: 0, x: count % 800, y: count % 600 }),
  keys: (count) =>
    input({ type: 'key', modifiers: 0, pressed: count % 2 === 0, repeat: false, code: 'KeyA', key: 'a' }),
  boxes: (count) => encodeControl({ type: 'box', box: { width: 700 + (count % 100), height: 500 } }),
  huge: (count) => (count % 2 === 0 ? ' '.repeat(HUGE_BYTES) : new Uint8Array(HUGE_BYTES)),
  // Messages that keep a viewer that reads nothing connected.
  slow: (count) => encodeControl({ type: 'ping', id: count }),
  resizes: (count) => call(count, 'resize', 700 + (count % 100), 500),
  tabs: (count) => call(count, 'tabs.create', { url: 'about:blank', active: false }),
  malformed: (count) => (count % 2 === 0 ? '{"type":' : new Uint8Array([99, 0, 0])),
};

const [url = '', kind = '', rate = '0', seconds = '10'] = process.argv.slice(2);
const perSecond = Number(rate);
/** A flooder that is not disconnected stops after this time. */
const GIVE_UP_MS = Number(seconds) * 1_000;

/** Number of messages that may have been sent by now. */
const due = (start: number): number =>
  perSecond === 0 ? Infinity : ((performance.now() - start) / 1_000) * perSecond;

async function join(): Promise<WebSocket> {
  const socket = new WebSocket(socketUrl(url), SUBPROTOCOL);
  socket.on('error', () => undefined);
  await once(socket, 'open');
  socket.send(encodeControl({ type: 'hello', version: PROTOCOL_VERSION, media: ['h264'] }));
  return socket;
}

const turn = () =>
  new Promise((resolve) => (perSecond === 0 ? setImmediate(resolve) : setTimeout(resolve, 2)));

async function flood(socket: WebSocket, message: (count: number) => Message): Promise<FloodOutcome> {
  const start = performance.now();
  let sent = 0;
  let end: FloodOutcome | undefined;
  socket.on('close', (code, text) => {
    end = {
      reason: reasonOfCloseCode(code) ?? `code ${code}`,
      message: String(text),
      lasted: performance.now() - start,
      sent,
    };
  });
  // Answers stay unread for a while.
  socket.pause();
  if (kind !== 'slow') setTimeout(() => socket.resume(), UNREAD_MS);
  while (!end && performance.now() - start < GIVE_UP_MS) {
    for (let count = 0; count < 200 && socket.readyState === socket.OPEN; count++) {
      if (socket.bufferedAmount > MAX_UNWRITTEN || sent >= due(start)) break;
      socket.send(message(sent++));
    }
    await turn();
  }
  socket.terminate();
  return end ?? { reason: undefined, message: '', lasted: performance.now() - start, sent };
}

/** Joins and leaves, many at a time, until a join is refused. */
async function floodOfJoins(): Promise<FloodOutcome> {
  const start = performance.now();
  let sent = 0;
  let end: FloodOutcome | undefined;
  const one = async () => {
    while (!end && performance.now() - start < GIVE_UP_MS) {
      if (sent >= due(start)) {
        await turn();
        continue;
      }
      const socket = new WebSocket(socketUrl(url), SUBPROTOCOL);
      sent += 1;
      const closed = new Promise<void>((resolve) => {
        socket.on('close', (code, text) => {
          const reason = reasonOfCloseCode(code);
          const lasted = performance.now() - start;
          if (reason === 'flooding') end ??= { reason, message: String(text), lasted, sent };
          resolve();
        });
      });
      socket.on('error', () => undefined);
      socket.on('message', () => socket.terminate());
      socket.on('open', () =>
        socket.send(encodeControl({ type: 'hello', version: PROTOCOL_VERSION, media: ['h264'] })),
      );
      await closed;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_JOINS }, one));
  return end ?? { reason: undefined, message: '', lasted: performance.now() - start, sent };
}

await once(process.stdin, 'data');
const message = MESSAGES[kind];
const socket = message && (await join());
if (socket) await once(socket, 'message');
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const outcome = socket ? await flood(socket, message) : await floodOfJoins();
process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit(0));
