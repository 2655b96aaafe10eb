/**
 * A hostile program in a process of its own, so that it does not take the time of the test that watches.
 * Arguments: the session's `cdp_url`, and the kind of attack. It prints a line when it is ready, begins at
 * the first line of its input, prints its outcome as JSON, and ends. A slow reader waits for a second line
 * before it requests, and for a third one before it leaves.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setImmediate as turn, setTimeout as pass } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { seeded } from '../../support/seeded.js';

/** Outcome of an attack. */
export interface AttackOutcome {
  /** Close codes of its connections, 0 for an open one. Statuses of refused connections and requests. */
  codes: number[];
  /** Answers with an error, and without. */
  refused: number;
  answered: number;
}

/** Commands that are sent before the program waits for the socket. */
const BURST = 200;
const RANDOM_FRAMES = 10_000;
/** More than the 100 MB that a message may have. */
const HUGE_CHARS = 101_000_000;
/** Answers that a slow reader requests, and the characters of each. */
const [UNREAD_ANSWERS, UNREAD_CHARS] = [60, 1_000_000];
const CONNECTIONS = 25;
/** Connections or requests at the same time of a program that repeats them without a pause. */
const JOINERS = 4;
/** Time for which a program sends commands, connects or sends requests without a pause. */
const COMMANDS_MS = 3_000;
/** Screenshots that a program requests at the same time, and the time for which it takes them. */
const [SCREENSHOTS, SCREENSHOTS_MS] = [4, 6_000];
/** Unsent bytes of such a program at most. */
const MAX_UNSENT = 100_000;

const METHODS = [
  ...[
    'Page.navigate',
    'Page.captureScreenshot',
    'Page.crash',
    'Target.attachToTarget',
    'Target.setAutoAttach',
  ],
  ...[
    'Target.getTargets',
    'Target.detachFromTarget',
    'Runtime.evaluate',
    'Input.dispatchKeyEvent',
    'Browser.close1',
  ],
  ...[
    'DOM.setFileInputFiles',
    'Extensions.loadUnpacked',
    'Fetch.enable',
    'Network.enable',
    '',
    'x'.repeat(5_000),
  ],
];
const VALUES = [1, -1, 1e308, null, '', 'file:///etc/passwd', [], {}, true, '\u0000', { a: [{}] }, 'A'];
const NAMES = [
  'url',
  'targetId',
  'sessionId',
  'flatten',
  'filter',
  'type',
  'autoAttach',
  'files',
  'patterns',
];

const [url = '', kind = ''] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const outcome: AttackOutcome = { codes: [], refused: 0, answered: 0 };

async function open(): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 0 });
  const at = outcome.codes.push(0) - 1;
  socket.on('close', (code) => (outcome.codes[at] ||= code));
  socket.on('error', () => undefined);
  socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
    outcome.codes[at] = statusCode;
    socket.terminate();
  });
  socket.on('message', (data: Buffer) => {
    const { id, error } = JSON.parse(data.toString()) as { id?: number; error?: object };
    if (error) outcome.refused += 1;
    else if (id !== undefined) outcome.answered += 1;
  });
  await new Promise<void>((resolve) => {
    socket.once('open', resolve);
    socket.once('close', () => resolve());
  });
  return socket;
}

/** Sends a command and waits for its answer, or for the end of the connection. */
async function ask(socket: WebSocket, id: number, method: string, params: object = {}): Promise<void> {
  const answered = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      if ((JSON.parse(data.toString()) as { id?: number }).id === id) resolve();
    });
    socket.once('close', () => resolve());
  });
  if (socket.readyState === socket.CLOSED) return;
  socket.send(JSON.stringify({ id, method, params }), () => undefined);
  await answered;
}

const closed = (socket: WebSocket) =>
  socket.readyState === socket.CLOSED ? Promise.resolve() : once(socket, 'close').then(() => undefined);

const ATTACKS: Readonly<Record<string, () => Promise<void>>> = {
  async random() {
    const socket = await open();
    const next = seeded(7);
    const of = <T>(values: readonly T[]) => values[Math.floor(next() * values.length)];
    for (let id = 0; id < RANDOM_FRAMES && socket.readyState === socket.OPEN; id++) {
      const params = Object.fromEntries(NAMES.map((name) => [name, of(VALUES)]));
      const command = JSON.stringify({ id, method: of(METHODS), params });
      // Every fourth frame is cut, so that it is no JSON.
      socket.send(id % 4 === 0 ? command.slice(0, command.length >> 1) : command);
      if (id % BURST === 0) await turn();
    }
    await ask(socket, RANDOM_FRAMES, 'Target.getTargets');
    socket.close();
    await closed(socket);
  },
  async commands() {
    const socket = await open();
    const end = performance.now() + COMMANDS_MS;
    let id = 0;
    while (performance.now() < end && socket.readyState === socket.OPEN) {
      for (let count = 0; count < BURST && socket.bufferedAmount < MAX_UNSENT; count++) {
        id += 1;
        // The session answers the first command itself. The browser answers the other one.
        const method = id % 2 === 0 ? 'Target.getTargets' : 'Browser.getVersion';
        socket.send(JSON.stringify({ id, method }));
      }
      await pass(1);
    }
    socket.terminate();
    await closed(socket);
  },
  async huge() {
    const text = await open();
    text.send('x'.repeat(HUGE_CHARS));
    await closed(text);
    const binary = await open();
    binary.send(new Uint8Array(1_000));
    await closed(binary);
  },
  async slow() {
    const socket = await open();
    const target = await firstPage(socket);
    await ask(socket, 2, 'Target.attachToTarget', { targetId: target, flatten: true });
    await lines.next();
    socket.pause();
    const expression = `'x'.repeat(${UNREAD_CHARS})`;
    for (let id = 10; id < 10 + UNREAD_ANSWERS; id++)
      socket.send(
        JSON.stringify({ id, method: 'Runtime.evaluate', params: { expression }, sessionId: attached }),
      );
    await lines.next();
    socket.terminate();
    await closed(socket);
  },
  async screenshots() {
    const socket = await open();
    const target = await firstPage(socket);
    await ask(socket, 2, 'Target.attachToTarget', { targetId: target, flatten: true });
    let id = 10;
    const request = () => {
      id += 1;
      const command = { id, method: 'Page.captureScreenshot', sessionId: attached };
      socket.send(JSON.stringify(command), () => undefined);
    };
    socket.on('message', (data: Buffer) => {
      // The id is at the start, so that the program does not parse each picture twice.
      if (/^\{"id":\d\d/.test(data.toString('latin1', 0, 20))) request();
    });
    for (let count = 0; count < SCREENSHOTS; count++) request();
    await pass(SCREENSHOTS_MS);
    socket.terminate();
    await closed(socket);
  },
  async many() {
    const sockets: WebSocket[] = [];
    for (let count = 0; count < CONNECTIONS; count++) sockets.push(await open());
    await Promise.all(sockets.map((socket, id) => ask(socket, id, 'Target.getTargets')));
    const held = [...outcome.codes];
    for (const socket of sockets) socket.terminate();
    await Promise.all(sockets.map(closed));
    outcome.codes = held;
  },
  async joins() {
    await inParallel(JOINERS, async () => {
      const socket = await open();
      socket.close();
      await closed(socket);
    });
  },
  async requests() {
    const [, address = '', token = ''] = /^ws(.*)\/devtools\/browser\?token=(.*)$/.exec(url) ?? [];
    const headers = {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      accept: 'application/json, text/event-stream',
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    await inParallel(JOINERS, async () => {
      const answer = await fetch(`http${address}/mcp`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      outcome.codes.push(answer.status);
    });
  },
};

/** Repeats an action without a pause, several ones at the same time. */
async function inParallel(count: number, action: () => Promise<void>): Promise<void> {
  const end = performance.now() + COMMANDS_MS;
  const repeat = async () => {
    while (performance.now() < end) await action();
  };
  await Promise.all(Array.from({ length: count }, repeat));
}

let attached = '';
async function firstPage(socket: WebSocket): Promise<string> {
  const found = new Promise<string>((resolve) =>
    socket.on('message', (data: Buffer) => {
      const { id, result, method, params } = JSON.parse(data.toString()) as {
        id?: number;
        method?: string;
        params?: { sessionId?: string };
        result?: { targetInfos?: { type: string; targetId: string }[] };
      };
      if (method === 'Target.attachedToTarget') attached = params?.sessionId ?? '';
      if (id === 1) resolve(result?.targetInfos?.find(({ type }) => type === 'page')?.targetId ?? '');
    }),
  );
  socket.send(JSON.stringify({ id: 1, method: 'Target.getTargets' }));
  return found;
}

process.stdout.write('ready\n');
await lines.next();
await ATTACKS[kind]?.();
process.stdout.write(`${JSON.stringify(outcome)}\n`);
process.exit(0);
