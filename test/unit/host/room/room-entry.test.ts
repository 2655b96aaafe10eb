import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  encodeControl,
  encodeInput,
  PROTOCOL_VERSION,
  reasonOfCloseCode,
  type HostMessage,
  type SessionUser,
} from 'cloud-browser/protocol';
import { WebSocket, WebSocketServer } from 'ws';
import type {
  AuthorizationAnswer,
  AuthorizationRequest,
  ViewerHandover,
} from '../../../../server/src/host-protocol.js';
import { featureParts } from '../../../fakes/feature-parts.js';
import { fakeClipboard } from '../../../fakes/fake-clipboard.js';
import { until } from '../../../fakes/fake-room.js';
import { Dialogs } from '../../../../server/src/host/browser/pages/dialogs.js';
import type { InputDevices } from '../../../../server/src/host/input/input-devices.js';
import { secretCheck } from '../../../../server/src/platform/secrets.js';
import { forAll } from '../../../../server/src/host/room/calls/access.js';
import { CallError } from '../../../../server/src/host/room/calls/call-error.js';
import { Calls } from '../../../../server/src/host/room/calls/calls.js';
import { CloseWarnings } from '../../../../server/src/host/room/close-warnings.js';
import { EndedTokens } from '../../../../server/src/host/room/ended-tokens.js';
import { clipboard } from '../../../../server/src/host/features/clipboard/clipboard.js';
import { sizing } from '../../../../server/src/host/features/sizing/sizing.js';
import type { RoomListener } from '../../../../server/src/host/room/room-listener.js';
import { Room } from '../../../../server/src/host/room/room.js';
import { SessionUsers } from '../../../../server/src/host/room/users/session-users.js';
import type { StreamHub } from '../../../../server/src/host/stream/stream-hub.js';
import { hostSessionOf } from '../../../../server/src/sessions/settings/host-session.js';
import { DEFAULT_ROLES } from '../../../../server/src/create-fields/values/roles.js';
import { DEFAULT_SETTINGS } from '../../../../server/src/sessions/settings/default-settings.js';
import { NO_SECRETS } from '../../../../server/src/sessions/settings/session-settings.js';

let server: WebSocketServer;
let room: Room;
let limits: { viewers: number };
let calls: Calls;
let handover: ViewerHandover;
let asked: Omit<AuthorizationRequest, 'request'>[];
let shown: number;
let activity: number;
let answer: () => Promise<AuthorizationAnswer>;
let warnings: CloseWarnings;
let now: number;

beforeEach(async () => {
  [asked, shown, activity, now] = [[], 0, 0, 0];
  warnings = new CloseWarnings(() => now);
  answer = async () => ({ granted: true, permissions: {} });
  const request = { method: 'GET', url: '/', headers: { 'user-agent': 'Test/1' } };
  const rights = { controlDisabled: false, roles: DEFAULT_ROLES, tiedRoles: [] };
  handover = { userId: 'user-1', request, head: '', ip: '192.0.2.1', auth: 'ask', ...rights };
  const streams = { add: () => (shown += 1), remove: () => undefined } as unknown as StreamHub;
  // There is no display. Processed input is visible through the activity that it causes.
  const lane = { push: () => true, pushLast: () => undefined, clear: () => undefined };
  const queue = { lane: () => lane, urge: () => undefined };
  const focus = { want: () => undefined };
  const devices = {
    queue,
    focus,
    clipboard: fakeClipboard(),
    pages: { dialogs: new Dialogs() },
  } as unknown as InputDevices;
  const session = hostSessionOf('s', DEFAULT_SETTINGS, NO_SECRETS, 'admin-token');
  calls = new Calls(secretCheck(session.adminTokenHash));
  const users = new SessionUsers(calls);
  const listener: RoomListener = {
    onViewers: () => undefined,
    onActivity: () => (activity += 1),
    onUser: () => undefined,
    authorize: (user) => {
      asked.push(user);
      return answer();
    },
    warnings: () => warnings.current(),
  };
  const parts = featureParts({ session, calls, users, devices, streams });
  const features = [clipboard, sizing].map((make) => make(parts));
  limits = { viewers: 3 };
  const endedTokens = new EndedTokens();
  room = new Room({ session, streams, devices, calls, users, features, listener, limits, endedTokens });
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  // The class of the sockets is a parameter of the server's type, which the rule takes for another class.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment
  server.on('connection', (socket) => void room.enter(socket, handover));
  await once(server, 'listening');
});
afterEach(() => {
  room.close('ended', 'Over.');
  for (const client of server.clients) client.terminate();
  server.close();
});

interface Client {
  socket: WebSocket;
  told: HostMessage[];
}

/** Joins the room and collects the received messages. */
async function enter(hello: object = {}): Promise<Client> {
  const client = await connect();
  sendHello(client, hello);
  return client;
}

/** Joins the room, and waits for its answer. */
async function join(hello: object = {}): Promise<Client> {
  const client = await enter(hello);
  await until(() => client.told.length > 0);
  return client;
}

/** The reason and the message with which the room closes a connection. */
async function endOf({ socket }: Client): Promise<[reason: string | undefined, message: string]> {
  const [code, message] = (await once(socket, 'close')) as [number, Buffer];
  return [reasonOfCloseCode(code), String(message)];
}

/** Connects without a hello. */
async function connect(): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const told: HostMessage[] = [];
  socket.on('message', (data: Buffer) => told.push(JSON.parse(String(data)) as HostMessage));
  await once(socket, 'open');
  return { socket, told };
}

function sendHello({ socket }: Client, hello: object = {}): void {
  socket.send(JSON.stringify({ type: 'hello', version: PROTOCOL_VERSION, media: ['h264'], ...hello }));
}

/** Resolves when the room has read everything that was sent before. */
async function pingPong({ socket, told }: Client): Promise<void> {
  socket.send(encodeControl({ type: 'ping', id: 99 }));
  await until(() => told.some((message) => message.type === 'pong' && message.id === 99));
}

describe('a viewer who needs authorization', () => {
  // Proves: permissions of the answer, before the first picture
  it('receives nothing before the answer', async () => {
    let grant: (answer: AuthorizationAnswer) => void = () => undefined;
    answer = () => new Promise((resolve) => (grant = resolve));
    const viewer = await enter({ userdata: { name: 'Ann' } });
    await until(() => asked.length > 0);
    assert.deepEqual(asked, [
      { userId: 'user-1', userdata: { name: 'Ann' }, ip: '192.0.2.1', userAgent: 'Test/1' },
    ]);
    assert.deepEqual([viewer.told, shown], [[], 0]);
    grant({ granted: true, permissions: {} });
    await until(() => viewer.told.length > 0);
    assert.deepEqual([viewer.told[0]?.type, shown], ['welcome', 1]);
  });

  it('is disconnected with a message when denied', async () => {
    answer = async () => ({ granted: false, message: 'Not you.' });
    const client = await enter();
    assert.deepEqual(await endOf(client), ['unauthorized', 'Not you.']);
    assert.deepEqual([client.told, shown], [[], 0]);
  });

  it('is disconnected when the session has its maximum of viewers', async () => {
    for (let viewer = 1; viewer <= 3; viewer++) {
      handover = { ...handover, userId: `user-${viewer}` };
      await join();
    }
    handover = { ...handover, userId: 'user-4' };
    const client = await enter();
    const message = 'This session accepts at most 3 viewers. Try again later.';
    assert.deepEqual(await endOf(client), ['full', message]);
    assert.deepEqual(client.told, []);
  });

  it('takes the newest place of the token with most viewers, but not of an equal share', async () => {
    const arrive = (tokenId: string, userId: string) => {
      const token = { tokenId, scope: 'view', fixesUser: false } as const;
      handover = { ...handover, auth: 'granted', userId, token };
      return enter();
    };
    const crowd: Client[] = [];
    for (const userId of ['user-1', 'user-2', 'user-3']) {
      crowd.push(await arrive('crowd', userId));
      await until(() => shown === crowd.length);
    }
    const ends = crowd.map(endOf);
    await arrive('own', 'user-4');
    assert.equal((await ends[2])?.[0], 'full');
    assert.equal((await endOf(await arrive('own', 'user-5')))[0], 'full');
    assert.equal((await endOf(await arrive('crowd', 'user-6')))[0], 'full');
    await arrive('third', 'user-7');
    assert.equal((await ends[1])?.[0], 'full');
    assert.equal((await endOf(await arrive('fourth', 'user-8')))[0], 'full');
    assert.equal(shown, 5);
  });

  it('is authorized as the same user after returning', async () => {
    const first = await join();
    const secret = first.told[0]?.type === 'welcome' && first.told[0].secret;
    handover = { ...handover, userId: 'user-2' };
    await enter({ resume: { userId: 'user-1', secret } });
    await until(() => asked.length === 2);
    await enter({ resume: { userId: 'user-1', secret: 'guessed' } });
    await until(() => asked.length === 3);
    assert.deepEqual(
      asked.map(({ userId }) => userId),
      ['user-1', 'user-1', 'user-2'],
    );
  });
});

describe('viewers who connect together', () => {
  it('all enter a session that accepts so many viewers', async () => {
    limits.viewers = 80;
    const clients: Client[] = [];
    for (let viewer = 1; viewer <= limits.viewers; viewer++) {
      handover = { ...handover, userId: `user-${viewer}` };
      clients.push(await connect());
    }
    const closed: number[] = [];
    for (const { socket } of clients) socket.on('close', (code) => closed.push(code));
    for (const client of clients) sendHello(client);
    await until(() => shown + closed.length === limits.viewers);
    assert.deepEqual([closed, shown], [[], limits.viewers]);
  });
});

describe('a user who returns with another answer', () => {
  it('has the rights of that answer', async () => {
    answer = async () => ({ granted: true, permissions: { control_disabled: false, priority: 5 } });
    const first = await join();
    const secret = first.told[0]?.type === 'welcome' && first.told[0].secret;
    answer = async () => ({ granted: true, permissions: { control_disabled: true } });
    const again = await join({ resume: { userId: 'user-1', secret } });
    again.socket.send(encodeControl({ type: 'call', id: 1, method: 'users.me', args: [] }));
    await until(() => again.told.some(({ type }) => type === 'answer'));
    const me = again.told.find((message) => message.type === 'answer')?.result as SessionUser;
    assert.deepEqual(
      [me.id, me.permissions, me.controlling],
      ['user-1', { priority: 0, idle_timeout: 0, control_disabled: true }, false],
    );
  });
});

describe('input of a viewer', () => {
  const move = encodeInput({ type: 'move', seq: 1, modifiers: 0, x: 1, y: 1 });
  const cases: [name: string, change: Partial<ViewerHandover>, said: object, counts: boolean][] = [
    ['with control', {}, {}, true],
    ['with control disabled', { controlDisabled: true }, {}, false],
    ['without the role', { roles: ['resize'] }, {}, false],
    ['after the webhook disabled control', {}, { control_disabled: true }, false],
    [
      'after the webhook enabled control',
      { controlDisabled: true, roles: [] },
      { control_disabled: false },
      true,
    ],
  ];
  for (const [name, change, said, counts] of cases) {
    it(`is ${counts ? 'processed' : 'dropped'}: ${name}`, async () => {
      handover = { ...handover, ...change };
      answer = async () => ({ granted: true, permissions: said });
      const viewer = await join();
      viewer.socket.send(move);
      await pingPong(viewer);
      assert.equal(activity, counts ? 1 : 0);
    });
  }
});

describe('a close warning', () => {
  it('is sent to current viewers, and to later ones with the remaining time', async () => {
    const early = await join();
    room.tellAll(warnings.set('absolute', 60_000));
    await until(() => early.told.length > 1);
    assert.deepEqual(early.told[1], { type: 'close-warning', kind: 'absolute', delay: 60_000 });
    now = 20_000;
    const late = await enter();
    await until(() => late.told.length > 1);
    assert.deepEqual(late.told[1], { type: 'close-warning', kind: 'absolute', delay: 40_000 });
    room.tellAll(warnings.set('absolute', null));
    await until(() => late.told.length > 2);
    assert.deepEqual(warnings.current(), []);
  });
});

describe('a call of a viewer', () => {
  const call = (fields: object) =>
    JSON.stringify({ type: 'call', id: 7, method: 'tabs.query', args: [], ...fields });

  const RULES = { access: forAll, check: (args: readonly unknown[]) => args };

  async function outcome(fields: object): Promise<unknown> {
    const viewer = await join();
    viewer.socket.send(call(fields));
    await until(() => viewer.told.some(({ type }) => type === 'answer'));
    return viewer.told.find(({ type }) => type === 'answer');
  }

  it('is answered with the result of the method', async () => {
    calls.add('tabs.query', RULES, (args, { admin }) => Promise.resolve([args, admin] as never));
    assert.deepEqual(await outcome({ args: [1, { a: null }] }), {
      ...{ type: 'answer', id: 7 },
      result: [[1, { a: null }], false],
    });
  });

  it('has admin rights with the token, and none with a wrong one', async () => {
    calls.add('tabs.query', RULES, (_args, { admin }) => admin as never);
    assert.deepEqual(await outcome({ adminToken: 'admin-token' }), { type: 'answer', id: 7, result: true });
    handover = { ...handover, userId: 'user-2' };
    assert.deepEqual(await outcome({ adminToken: 'guessed' }), { type: 'answer', id: 7, result: false });
  });

  it('is answered with the reason of a failure', async () => {
    calls.add('tabs.query', RULES, () => {
      throw new CallError('err_forbidden', 'Not you.');
    });
    const error = { code: 'err_forbidden', message: 'Not you.' };
    assert.deepEqual(await outcome({}), { type: 'answer', id: 7, error });
  });

  it('of an unknown method is answered with an error', async () => {
    const error = { code: 'err_unknown_method', message: 'There is no method toString.' };
    assert.deepEqual(await outcome({ method: 'toString' }), { type: 'answer', id: 7, error });
  });

  it('that is malformed ends the connection with a reason', async () => {
    const viewer = await join();
    viewer.socket.send(call({ args: 'none' }));
    assert.equal((await endOf(viewer))[0], 'rejected');
  });

  it('subscribes to an event until the viewer leaves', async () => {
    calls.addEvent('tabs.onReplaced', forAll);
    const viewer = await join();
    calls.publish('tabs.onReplaced', [0, 0]);
    viewer.socket.send(call({ method: 'subscribe', args: ['tabs.onReplaced'] }));
    await until(() => calls.hasSubscribers('tabs.onReplaced'));
    calls.publish('tabs.onReplaced', [1, 2]);
    await pingPong(viewer);
    assert.deepEqual(
      viewer.told.filter(({ type }) => type === 'event'),
      [{ type: 'event', name: 'tabs.onReplaced', args: [1, 2] }],
    );
    viewer.socket.terminate();
    await until(() => !calls.hasSubscribers('tabs.onReplaced'));
  });
});
