import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket, type ClientOptions } from 'ws';
import { EmulatedFocus } from '../../../../server/src/host/browser/pages/emulation/emulated-focus.js';
import type { AgentUser } from '../../../../server/src/host/features/automation/programs/agent-user.js';
import { Programs } from '../../../../server/src/host/features/automation/programs/programs.js';
import { CommandCounts } from '../../../../server/src/host/room/agents/agent-use.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { until } from '../../../fakes/fake-room.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { settle } from '../../../fakes/passing-time.js';

/** Time between two pings. Milliseconds. */
const PING_MS = 20_000;
/** Number of refused commands after which the host slows a program down. */
const QUICK_REFUSALS = 200;

let clock: ManualClock;
let browser: FakeBrowser;
let programs: Programs;
let server: Server;
let client: WebSocket;
/** The host's end of the program's connection. */
let accepted: Socket;
/** Number of messages that the program has received. */
let answers: number;
let closed: Promise<unknown[]>;
let agent: AgentUser;
/** Adds a program as a user. */
let join: (userId: string) => AgentUser;

/** Connects a program. Resolves when the relay handles its commands. */
async function connect(options: ClientOptions = {}, userId = 'a'): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const connection = once(server, 'connection') as Promise<[Socket]>;
  client = new WebSocket(`ws://127.0.0.1:${port}`, options);
  client.on('message', () => (answers += 1));
  closed = once(client, 'close');
  const opened = once(client, 'open');
  [accepted] = await connection;
  const [head] = (await once(accepted, 'data')) as [Buffer];
  const key = /^sec-websocket-key: (.*)\r$/im.exec(head.toString())?.[1];
  const headers = { upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': key };
  programs.take(
    { userId, request: { method: 'GET', url: '/', headers }, head: '', ip: '127.0.0.1' },
    accepted,
  );
  await opened;
  await settle();
  const [asked] = browser.commands;
  browser.say(JSON.stringify({ id: asked?.id, result: { sessionId: 'root' } }));
  await settle();
}

/** Sends many commands, most of which wait. */
async function sendTooMany(): Promise<void> {
  for (let id = 0; id < 1_000; id++) client.send(JSON.stringify({ id, method: 'Browser.crash' }));
  assert.equal(await receives(QUICK_REFUSALS), true);
}

/** Lets the host send a ping. Resolves to true when it arrives; to false when the program is disconnected. */
async function pinged(): Promise<boolean> {
  const arrived = once(client, 'ping').then(() => true);
  clock.advance(PING_MS);
  return Promise.race([arrived, closed.then(() => false)]);
}

/** Resolves to true when the program has received this many messages; to false when it is disconnected. */
async function receives(count: number): Promise<boolean> {
  while (answers < count) {
    const isOpen = await Promise.race([once(client, 'message').then(() => true), closed.then(() => false)]);
    if (!isOpen) return false;
  }
  return true;
}

beforeEach(async () => {
  clock = new ManualClock();
  answers = 0;
  browser = new FakeBrowser(false);
  browser.silent = ({ method }) => method === 'Target.attachToBrowserTarget';
  agent = {
    ...{ id: 'a', canRead: true, counts: new CommandCounts() },
    ...{ use: () => () => undefined, leave: () => undefined, acted: () => undefined },
  } as unknown as AgentUser;
  join = () => agent;
  programs = new Programs({
    ...{ clock, masks: false, dark: false },
    ...{ join: ({ userId }) => join(userId), endOf: () => undefined, log: () => undefined },
  });
  const unused = () => assert.fail();
  programs.use({
    ...{ cdp: browser.cdp, bridge: { call: unused } },
    devices: {
      pages: {
        ...{ emulatedFocus: new EmulatedFocus(), front: unused, geometry: unused, mainFrame: unused },
        ...{ frame: unused, ofTarget: unused, pixelRatio: 1 },
      },
    },
    files: { downloads: { cancel: unused } as never, pathOf: unused, uploadOf: unused },
  });
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  programs.close();
  client.terminate();
  await closed;
  server.close();
});

describe('a ping of the host', () => {
  it('does not disconnect a program whose commands wait', async () => {
    await connect();
    await sendTooMany();
    for (let pings = 0; pings < 3; pings++) {
      const before = accepted.bytesRead;
      assert.equal(await pinged(), true);
      await until(() => accepted.bytesRead > before);
    }
    assert.equal(await receives(QUICK_REFUSALS + 5), true, 'the program is still connected');
  });

  it('disconnects a program that does not answer while its commands wait', async () => {
    await connect({ autoPong: false });
    await sendTooMany();
    for (let pings = 0; pings < 5; pings++) if (!(await pinged())) return;
    assert.fail('the program is still connected');
  });

  it('disconnects a program that does not answer', async () => {
    await connect({ autoPong: false });
    clock.advance(PING_MS);
    assert.equal(client.readyState, client.OPEN);
    clock.advance(PING_MS);
    await closed;
  });
});

describe('a program that connects again while the session has its maximum number of programs', () => {
  it('replaces its earlier connection, and another program is refused', async () => {
    const agents = new Map<string, AgentUser>();
    join = (id) => {
      agents.get(id)?.onKicked('A newer connection has joined.');
      const joined = { ...agent, id };
      agents.set(id, joined);
      return joined;
    };
    for (let count = 1; count <= 20; count++) await connect({}, `program-${count}`);
    await connect({}, 'program-1');
    assert.equal(await pinged(), true);
    await connect({}, 'program-21');
    const [code] = await closed;
    assert.equal(code, 1008);
  });
});

it('a program gets the events of downloads only while it has the role for downloads', async () => {
  let fetchesFiles = false;
  Object.defineProperty(agent, 'fetchesFiles', { get: () => fetchesFiles });
  await connect();
  const methods: unknown[] = [];
  client.on('message', (data: Buffer) =>
    methods.push((JSON.parse(data.toString()) as { method?: string }).method),
  );
  const params = { behavior: 'default', eventsEnabled: true };
  client.send(JSON.stringify({ id: 1, method: 'Browser.setDownloadBehavior', params }));
  await receives(1);
  const download = { guid: 'g', url: 'https://example.com/secret', suggestedFilename: 'secret.pdf' };
  browser.tell('Browser.downloadWillBegin', download);
  await settle();
  fetchesFiles = true;
  browser.tell('Browser.downloadProgress', { guid: 'g', state: 'completed' });
  await receives(2);
  assert.deepEqual(methods, [undefined, 'Browser.downloadProgress']);
});
