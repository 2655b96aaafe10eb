/**
 * The server side of the screencast baseline, in its own process: `screencast-relay.ts PAGE PROFILE`. It
 * writes the port of its WebSocket to descriptor 3. Its Chromium ends with it, because the debugging pipe
 * closes.
 */
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { CHROMIUM, chromiumFlags, HEIGHT, WIDTH } from '../chromium.js';

interface CdpMessage {
  id?: number;
  method?: string;
  result?: Record<string, unknown>;
  params?: { data: string; sessionId: number };
}

const [page = 'about:blank', profile = ''] = process.argv.slice(2);

const chromium = spawn(
  CHROMIUM,
  [
    ...chromiumFlags(profile),
    '--headless=new',
    '--hide-scrollbars',
    '--remote-debugging-pipe',
    'about:blank',
  ],
  { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
);
const toChromium = chromium.stdio[3] as Duplex;
const fromChromium = chromium.stdio[4] as Duplex;

let lastId = 0;
/** The CDP session of the page, once attached; every message to the page carries it. */
const attached: { sessionId?: string } = {};
const answers = new Map<number, (result: Record<string, unknown>) => void>();
const viewers = new Set<WebSocket>();

function send(method: string, params: object = {}): Promise<Record<string, unknown>> {
  const id = ++lastId;
  toChromium.write(`${JSON.stringify({ id, method, params, ...attached })}\0`);
  return new Promise((resolve) => answers.set(id, resolve));
}

function receive(message: CdpMessage): void {
  if (message.id !== undefined) {
    answers.get(message.id)?.(message.result ?? {});
    answers.delete(message.id);
  } else if (message.method === 'Page.screencastFrame' && message.params) {
    const picture = Buffer.from(message.params.data, 'base64');
    for (const viewer of viewers) viewer.send(picture);
    void send('Page.screencastFrameAck', { sessionId: message.params.sessionId });
  }
}

let pending: Buffer[] = [];
fromChromium.on('data', (chunk: Buffer) => {
  let start = 0;
  for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
    const text = Buffer.concat([...pending, chunk.subarray(start, end)]).toString('utf8');
    pending = [];
    start = end + 1;
    receive(JSON.parse(text) as CdpMessage);
  }
  pending.push(chunk.subarray(start));
});
chromium.once('exit', () => process.exit(1));

const { targetInfos } = (await send('Target.getTargets')) as {
  targetInfos: { targetId: string; type: string }[];
};
const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId;
const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
attached.sessionId = sessionId as string;
await send('Emulation.setDeviceMetricsOverride', {
  width: WIDTH,
  height: HEIGHT,
  deviceScaleFactor: 1,
  mobile: false,
});
await send('Page.enable');
await send('Page.navigate', { url: page });

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
server.on('connection', (viewer) => {
  viewers.add(viewer);
  viewer.once('close', () => viewers.delete(viewer));
  viewer.on('message', (data) => {
    void send('Input.dispatchMouseEvent', JSON.parse((data as Buffer).toString('utf8')) as object);
  });
  // A screencast that starts anew sends its first frame at once.
  void send('Page.stopScreencast').then(() =>
    send('Page.startScreencast', { format: 'jpeg', quality: 80, maxWidth: WIDTH, maxHeight: HEIGHT }),
  );
});
server.once('listening', () => writeSync(3, `${(server.address() as AddressInfo).port}\n`));
