import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  encodeControl,
  encodeInput,
  PROTOCOL_VERSION,
  type CallAnswer,
  type HandoffState,
  type HostMessage,
  type InputWithoutSeq,
  type MethodArgs,
  type MethodResult,
  type RemoteEvent,
  type RemoteField,
  type SessionMethod,
  type SessionUser,
  type Welcome,
} from 'cloud-browser/protocol';
import { WebSocket, WebSocketServer } from 'ws';
import { patient } from '../support/limits.js';
import type { ViewerHandover } from '../../server/src/host-protocol.js';
import type { InputDevices } from '../../server/src/host/input/input-devices.js';
import { featureParts } from './feature-parts.js';
import { FakeDisplayClipboard, fakeClipboard } from './fake-clipboard.js';
import { Dialogs } from '../../server/src/host/browser/pages/dialogs.js';
import { SharedModifiers } from '../../server/src/host/input/keyboard/shared-modifiers.js';
import { TaskQueue } from '../../server/src/host/input/task-queue.js';
import { systemClock, type Clock } from '../../server/src/platform/time/clock.js';
import { AdminTokens } from '../../server/src/host/room/calls/admin-tokens.js';
import { EndedTokens } from '../../server/src/host/room/ended-tokens.js';
import { Calls } from '../../server/src/host/room/calls/calls.js';
import { AGENT_DEFAULTS, type AgentSettings } from '../../server/src/host/room/agents/agents.js';
import type { RoomListener } from '../../server/src/host/room/room-listener.js';
import { Room } from '../../server/src/host/room/room.js';
import { clipboard } from '../../server/src/host/features/clipboard/clipboard.js';
import type { MakeFeature } from '../../server/src/host/features/feature.js';
import { focus } from '../../server/src/host/features/focus/focus.js';
import { handoffs } from '../../server/src/host/features/handoffs/handoffs.js';
import { pointers } from '../../server/src/host/features/pointers/pointers.js';
import { privacy } from '../../server/src/host/features/privacy/privacy.js';
import { sizing } from '../../server/src/host/features/sizing/sizing.js';
import { SessionUsers } from '../../server/src/host/room/users/session-users.js';
import type { ScreenShape } from '../../server/src/platform/screen-size.js';
import type { StreamHub } from '../../server/src/host/stream/stream-hub.js';
import type { Viewer } from '../../server/src/host/room/viewers/viewer.js';
import { hostSessionOf } from '../../server/src/sessions/settings/host-session.js';
import { DEFAULT_ROLES } from '../../server/src/create-fields/values/roles.js';
import { DEFAULT_SETTINGS } from '../../server/src/sessions/settings/default-settings.js';
import { NO_SECRETS, type SessionSettings } from '../../server/src/sessions/settings/session-settings.js';

/** The features that need no browser. */
const FEATURES: readonly MakeFeature[] = [privacy, focus, pointers, handoffs, sizing, clipboard];

/** Viewers that the room takes at once. */
export const MAX_VIEWERS = 6;

/** A real room on a fake display, for unit tests of users, permissions and calls. This is its admin token. */
export const ADMIN_TOKEN = 'admin-token';

/** A client that sends whatever messages a test wants, permitted or not. */
export class RawClient {
  readonly told: HostMessage[] = [];
  /** Binary messages of the room. */
  readonly chunks: Buffer[] = [];
  /** The code with which the room closed the connection. */
  closed: number | undefined;
  #last = 0;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer, binary) => {
      if (binary) this.chunks.push(data);
      else this.told.push(JSON.parse(String(data)) as HostMessage);
    });
    socket.on('close', (code) => (this.closed = code));
  }

  static async open(port: number, hello: object): Promise<RawClient> {
    const client = new RawClient(new WebSocket(`ws://127.0.0.1:${port}`));
    await once(client.socket, 'open');
    client.socket.send(
      JSON.stringify({ type: 'hello', version: PROTOCOL_VERSION, media: ['h264'], ...hello }),
    );
    return client;
  }

  get welcome(): Welcome | undefined {
    return this.told.find((message) => message.type === 'welcome');
  }

  get id(): string {
    return this.welcome?.userId ?? '';
  }

  get events(): RemoteEvent[] {
    return this.told.filter((message) => message.type === 'event');
  }

  /** @param seq default: the number after the last one of this client */
  input(event: InputWithoutSeq, seq = ++this.#last): void {
    this.socket.send(encodeInput({ ...event, seq }));
  }

  /** Moves the pointer, in pixels. */
  move(x: number, y: number): void {
    this.input({ type: 'move', modifiers: 0, x, y });
  }

  /** Makes a call, whose arguments may be wrong; resolves to the answer, good or bad. */
  async call(method: SessionMethod, args: readonly unknown[] = [], adminToken?: string): Promise<CallAnswer> {
    const id = ++this.#last;
    this.socket.send(encodeControl({ type: 'call', id, method, args, ...(adminToken && { adminToken }) }));
    const answers = (message: HostMessage): message is CallAnswer =>
      message.type === 'answer' && message.id === id;
    return until(() => this.told.find(answers));
  }

  /** Makes a call with the admin token, which must succeed. */
  async admin<Method extends SessionMethod>(
    method: Method,
    ...args: MethodArgs<Method>
  ): Promise<MethodResult<Method>> {
    const { result, error } = await this.call(method, args, ADMIN_TOKEN);
    if (error) throw new Error(error.message);
    return result as MethodResult<Method>;
  }

  /** Makes a call without a token. Resolves to the code of its refusal. */
  async refusal(method: SessionMethod, ...args: readonly unknown[]): Promise<string | undefined> {
    return (await this.call(method, args)).error?.code;
  }

  /** Resolves to what the session knows about this user. */
  async me(): Promise<SessionUser> {
    return (await this.call('users.me')).result as SessionUser;
  }

  /** Resolves when the room has read everything that was sent before. */
  async settled(): Promise<void> {
    const id = ++this.#last;
    this.socket.send(encodeControl({ type: 'ping', id }));
    await until(() => this.told.find((message) => message.type === 'pong' && message.id === id));
  }
}

/** A room whose display only records which keys and buttons are down; its sockets are real. */
export class FakeRoom {
  /** The viewers that have entered, also those that have left. */
  readonly viewers: Viewer[] = [];
  /** The input that reached the display: `move 3 4`, `button 1 down`, `key 38 up`. */
  readonly display: string[] = [];
  readonly clipboard = new FakeDisplayClipboard();
  /** Pages of the browser. `onReplaced` is the room's. */
  readonly pages = {
    mainFrame: () => 'page',
    front: () => Promise.resolve(this.hasPage ? this.#page : undefined),
    geometry: () => Promise.resolve({ left: 0, top: 0, scale: 1 }),
    onReplaced: () => undefined,
    dialogs: new Dialogs(),
  };
  readonly restarted: string[] = [];
  /**
   * Remote focus as the host reports it, and each change of the wish to watch it.
   */
  readonly focus: {
    field?: RemoteField | undefined;
    wanted: boolean[];
    onChange: () => void;
    want: (on: boolean) => void;
  } = {
    wanted: [],
    onChange: () => undefined,
    want: (on) => this.focus.wanted.push(on),
  };
  /**
   * Methods of masked fields, in a session that has some. `hasFocus` resolves to true if the keyboard is in
   * one.
   */
  masked: { hasFocus: () => Promise<boolean>; join: () => void; leave: () => void } | undefined;
  /** The shapes that the screen was given. */
  readonly shapes: ScreenShape[] = [];
  /** Log messages about users. */
  readonly told: string[] = [];
  /** CDP commands that the page received. */
  readonly pageCommands: string[] = [];
  /** Parameters of the commands that drag and drop on the page. */
  readonly drags: object[] = [];
  /** False if no page is open. */
  hasPage = true;
  /** Hand-offs that were reported to the service. */
  readonly handoffs: HandoffState[] = [];
  readonly calls: Calls;
  readonly admins: AdminTokens;
  readonly endedTokens = new EndedTokens();
  readonly users: SessionUsers;
  readonly room: Room;
  /** The devices of the browser. */
  readonly devices: InputDevices;
  /** Called when the rights of users may have changed. */
  onRights: () => void = () => undefined;
  /** Overrides for the next user who connects. */
  handover: Partial<ViewerHandover> = {};
  #users = 0;
  readonly #page = {
    send: (method: string, params: object = {}) => {
      this.pageCommands.push(method);
      if (method === 'Input.dispatchDragEvent') this.drags.push(params);
      return Promise.resolve({
        targetInfo: { url: 'https://example.com/', title: 'Example' },
        ...{ executionContextId: 1, result: { objectId: 'kept' } },
      });
    },
    post: (method: string) => void this.pageCommands.push(method),
  };

  private constructor(
    private readonly server: WebSocketServer,
    settings: Partial<SessionSettings>,
    clock: Clock,
    agents: AgentSettings,
    usersClock: Clock,
  ) {
    const session = hostSessionOf('s', { ...DEFAULT_SETTINGS, ...settings }, NO_SECRETS, ADMIN_TOKEN);
    this.admins = new AdminTokens(session.adminTokenHash);
    this.calls = new Calls(
      (token) => this.admins.accepts(token),
      (hash) => this.admins.acceptsHash(hash),
    );
    const streams = {
      add: (viewer: Viewer) => this.viewers.push(viewer),
      remove: () => undefined,
      acknowledged: () => undefined,
      inputCame: () => undefined,
      restart: (viewer: Viewer) => this.restarted.push(viewer.userId),
    } as unknown as StreamHub;
    const devices = this.#devices();
    this.devices = devices;
    const users = new SessionUsers(this.calls, agents, usersClock);
    this.users = users;
    const parts = featureParts({
      ...{ session, clock, calls: this.calls, users, devices, streams },
      changeScreen: (shape: ScreenShape) => {
        this.shapes.push(shape);
        Object.assign(session, shape);
        return Promise.resolve();
      },
      reveal: (viewer: Viewer) => this.room.reveal(viewer),
      onHandoff: (state: HandoffState) => void this.handoffs.push(state),
    });
    const features = [...FEATURES.map((make) => make(parts)), { rightsChanged: () => this.onRights() }];
    const listener: RoomListener = {
      onViewers: () => undefined,
      onActivity: () => undefined,
      onUser: (what, { user, reason = '' }) =>
        this.told.push(`${what} ${String(user)} ${String(reason)}`.trim()),
      authorize: () => Promise.resolve({ granted: true, permissions: {} }),
      warnings: () => [],
    };
    this.room = new Room({
      ...{ session, streams, devices, calls: this.calls, users, features, listener },
      ...{ limits: { viewers: MAX_VIEWERS }, endedTokens: this.endedTokens },
    });
    const request = { method: 'GET', url: '/', headers: {} };
    server.on('connection', (socket) => {
      const userId = `user-${++this.#users}`;
      const rights = { controlDisabled: false, roles: DEFAULT_ROLES, tiedRoles: [] };
      const known = { userId, request, head: '', ip: '192.0.2.1', auth: 'granted', ...rights } as const;
      // The class of the sockets is a parameter of the server's type. The rule wrongly sees two classes.
      // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment
      void this.room.enter(socket, { ...known, ...this.handover });
    });
  }

  /**
   * @param settings of the session, where they differ from the default
   * @param clock of privacy mode; default: the machine's own
   * @param agents settings for agents
   * @param usersClock of control and of the limits for floods
   */
  static async open(
    settings: Partial<SessionSettings> = {},
    clock: Clock = systemClock,
    agents: AgentSettings = AGENT_DEFAULTS,
    usersClock: Clock = systemClock,
  ): Promise<FakeRoom> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    const room = new FakeRoom(server, settings, clock, agents, usersClock);
    await once(server, 'listening');
    return room;
  }

  /** Where connections are taken. */
  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Connects a user. */
  async enter(hello: object = {}): Promise<RawClient> {
    const client = await RawClient.open((this.server.address() as AddressInfo).port, hello);
    await until(() => client.welcome);
    return client;
  }

  close(): void {
    this.room.close('ended', 'Over.');
    for (const client of this.server.clients) client.terminate();
    this.server.close();
  }

  #devices(): InputDevices {
    const sink = {
      ...{ leave: () => undefined, lock: () => undefined },
      move: (x: number, y: number) => this.display.push(`move ${x} ${y}`),
      button: (button: number, down: boolean) =>
        this.display.push(`button ${button} ${down ? 'down' : 'up'}`),
      key: (key: number, down: boolean) => this.display.push(`key ${key} ${down ? 'down' : 'up'}`),
    };
    const keymap = { exact: () => 38 };
    const queue = new TaskQueue((error) => this.display.push(String(error)));
    const text = {
      commit: (finished: string) => void this.display.push(`text of ${finished.length}`),
      finishBefore: () => undefined,
      finishOf: () => Promise.resolve(),
    };
    const { focus } = this;
    const clipboard = fakeClipboard(this.clipboard);
    const { pages } = this;
    const modifiers = new SharedModifiers();
    const devices = { sink, keys: sink, modifiers, keymap, queue, text, focus, clipboard, pages };
    Object.defineProperty(devices, 'masked', { get: () => this.masked });
    return devices as unknown as InputDevices;
  }
}

/** Timeout that ends an endless loop, which would otherwise block the whole run. Milliseconds. */
const UNTIL_TIMEOUT_MS = patient(20_000);

/** Resolves to the wanted value as soon as it exists; rejects when it does not come. */
export async function until<T>(find: () => T): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + UNTIL_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const found = find();
    if (found) return found as NonNullable<Exclude<T, false>>;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`It never came: ${String(find)}`);
}
