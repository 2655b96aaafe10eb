import {
  decodeInput,
  decodeViewerMessage,
  PROTOCOL_VERSION,
  ProtocolError,
  type Cursor,
  type Hello,
  type HostMessage,
  type InputEvent,
  type Permissions,
  type ServerDisconnectReason,
} from 'cloud-browser/protocol';
import type { RawData, WebSocket } from 'ws';
import type {
  AuthorizationAnswer,
  AuthorizationRequest,
  HostSession,
  ViewerHandover,
} from '../../host-protocol.js';
import { UserInput } from '../input/user-input.js';
import type { InputDevices } from '../input/input-devices.js';
import type { Calls } from './calls/calls.js';
import { closeSocket, bytesOf, readHello } from './handshake.js';
import { Control } from './users/control.js';
import { addControlCalls, addUserCalls } from './calls/user-calls.js';
import { mediaFor } from '../stream/stream-parts.js';
import { PeerPointers } from './users/peer-pointers.js';
import { Roster } from './users/roster.js';
import { Privacy } from './users/privacy.js';
import { firstRights, mayControl, returningRights } from './users/rights.js';
import type { StreamHub } from '../stream/stream-hub.js';
import { KnownUsers, type User } from './users/known-users.js';
import { Viewer } from './viewer.js';

/** Connections that a session takes at the same time. */
const MAX_VIEWERS = 64;
const FULL = { reason: 'rejected', message: `A session takes ${MAX_VIEWERS} viewers at most.` } as const;

/** What the rest of the host wants to know of a room. */
export interface RoomListener {
  onViewers(count: number): void;
  /** A user gave input. */
  onActivity(): void;
  /** Asks whether a user may come in. */
  authorize(user: Omit<AuthorizationRequest, 'request'>): Promise<AuthorizationAnswer>;
  /** Warnings that hold now, for a viewer who comes in. */
  warnings(): HostMessage[];
}

/** The users of a session: takes in their connections, carries out what they do, shows them the screen. */
export class Room {
  readonly #viewers = new Map<WebSocket, Viewer>();
  readonly #control = new Control(() => performance.now());
  readonly #knownUsers = new KnownUsers((id) => this.#roster.viewer(id) !== undefined);
  readonly #roster: Roster;
  readonly #privacy: Privacy;
  readonly #pointers: PeerPointers;
  #cursor: Cursor | undefined;
  #closed: { reason: ServerDisconnectReason; message: string } | undefined;

  constructor(
    private readonly session: HostSession,
    private readonly streams: StreamHub,
    private devices: InputDevices,
    private readonly calls: Calls,
    private readonly listener: RoomListener,
  ) {
    this.#roster = new Roster(calls, this.#control);
    this.#privacy = new Privacy(this.#roster, (viewer) => this.#reveal(viewer));
    this.#pointers = new PeerPointers(calls);
    addUserCalls(calls, this.#roster, this.#knownUsers, (user) => this.#kick(user));
    addControlCalls(calls, this.#roster, this.#knownUsers, this.#privacy);
  }

  /** Takes in an open connection whose upgrade the service has let through. */
  async enter(socket: WebSocket, handover: ViewerHandover): Promise<void> {
    socket.on('error', () => socket.terminate());
    const hello = await readHello(socket);
    if (!hello) return;
    const userId = this.#knownUsers.returning(hello.resume)?.id ?? handover.userId;
    const said = handover.auth === 'ask' ? await this.#ask(socket, userId, handover, hello) : {};
    if (!said || socket.readyState !== socket.OPEN) return;
    const refusal = this.#closed ?? (this.#viewers.size >= MAX_VIEWERS ? FULL : undefined);
    if (refusal) closeSocket(socket, refusal.reason, refusal.message);
    else this.#welcome(socket, hello, this.#userOf(hello, handover, said));
  }

  /** Shows all viewers another shape of the pointer. */
  showCursor(cursor: Cursor): void {
    this.#cursor = cursor;
    for (const viewer of this.#viewers.values()) if (!viewer.shutOut) viewer.send(cursor);
  }

  /** Sends one message to everybody. */
  tellAll(message: HostMessage): void {
    for (const viewer of this.#viewers.values()) viewer.send(message);
  }

  /** Whether any viewer wants to hear the browser, and may. */
  get isHeard(): boolean {
    return [...this.#viewers.values()].some(({ listens, shutOut }) => listens && !shutOut);
  }

  /** Sends sound to those who want to hear and may. */
  sound(packet: Uint8Array): void {
    for (const viewer of this.#viewers.values()) viewer.sendSound(packet);
  }

  /** Uses a browser that was started again; what users held belonged to the old one. */
  useDevices(devices: InputDevices): void {
    this.devices = devices;
    for (const viewer of this.#viewers.values()) viewer.input = new UserInput(devices);
  }

  /** Closes all connections with a reason. */
  close(reason: ServerDisconnectReason, message: string): void {
    this.#closed = { reason, message };
    this.#roster.close();
    this.#pointers.close();
    for (const viewer of this.#viewers.values()) viewer.close(reason, message);
  }

  /** What the customer's endpoint lets a user do. Undefined when it refuses them: the connection is closed with its sentence. */
  async #ask(
    socket: WebSocket,
    userId: string,
    { ip, request }: ViewerHandover,
    { userdata = {} }: Hello,
  ): Promise<Partial<Permissions> | undefined> {
    const userAgent = String(request.headers['user-agent'] ?? '');
    const answer = await this.listener.authorize({ userId, userdata, ip, userAgent });
    if (answer.granted) return answer.permissions;
    closeSocket(socket, 'unauthorized', answer.message);
    return undefined;
  }

  /** Who comes: a user of before with their rights, and over them what the endpoint says this time, or a new one. */
  #userOf({ resume }: Hello, handover: ViewerHandover, said: Partial<Permissions>): User {
    const user = this.#knownUsers.returning(resume);
    if (!user)
      return this.#knownUsers.admit(handover.userId, firstRights(handover, said), said, this.#control.now());
    const { said: before } = user;
    user.connectedAt = new Date();
    user.said = said;
    if (handover.auth === 'ask')
      this.#roster.change([user], (rights) => returningRights(rights, handover, before, said));
    return user;
  }

  #welcome(socket: WebSocket, hello: Hello, user: User): void {
    const { id: userId, secret } = user;
    for (const other of this.#viewers.values()) {
      if (other.userId === userId) other.terminate();
    }
    const media = mediaFor(this.session, hello.media);
    const viewer = new Viewer(user, media, socket, new UserInput(this.devices));
    this.#viewers.set(socket, viewer);
    if (hello.tellsHeld) viewer.expectConfirmations();
    socket.on('message', (data, binary) => this.#onMessage(socket, viewer, data, binary));
    socket.once('close', () => this.#leave(socket, viewer));
    const { width, height, fps, maxArea, touchGestures } = this.session;
    const screen = { width, height, fps, maxArea, ...(touchGestures.pinch && { pinch: true }) };
    viewer.send({ type: 'welcome', version: PROTOCOL_VERSION, userId, secret, ...screen });
    this.#roster.join(viewer);
    this.#privacy.greet(viewer);
    if (this.#cursor && !viewer.shutOut) viewer.send(this.#cursor);
    for (const warning of this.listener.warnings()) viewer.send(warning);
    this.streams.add(viewer);
    this.listener.onViewers(this.#viewers.size);
  }

  #leave(socket: WebSocket, viewer: Viewer): void {
    if (!this.#viewers.delete(socket)) return;
    viewer.left();
    this.calls.forget(viewer);
    this.streams.remove(viewer);
    if (this.#roster.leave(viewer)) {
      this.#pointers.left(viewer.userId);
      if (this.#privacy.owner === viewer.userId) this.#privacy.set(undefined);
    }
    this.listener.onViewers(this.#viewers.size);
  }

  /** Sends a user away, who is a new one if they come again. */
  #kick(user: User): void {
    this.#knownUsers.forget(user.id);
    if (this.#control.holder === user.id) this.#control.holder = undefined;
    for (const [socket, viewer] of this.#viewers) {
      if (viewer.user !== user) continue;
      viewer.close('kicked', 'An admin removed you from this session.');
      this.#leave(socket, viewer);
    }
  }

  /** Shows everything again to a viewer whom privacy had shut out. */
  #reveal(viewer: Viewer): void {
    if (this.#cursor) viewer.send(this.#cursor);
    this.streams.restart(viewer);
  }

  #onMessage(socket: WebSocket, viewer: Viewer, data: RawData, binary: boolean): void {
    // Messages of a viewer who was sent away may still arrive.
    if (!this.#viewers.has(socket)) return;
    viewer.heard();
    try {
      if (binary) this.#onInput(viewer, bytesOf(data));
      else this.#onControl(viewer, String(bytesOf(data)));
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      viewer.close('rejected', error.message);
      this.#leave(socket, viewer);
    }
  }

  #onInput(viewer: Viewer, bytes: Buffer): void {
    const event = decodeInput(bytes);
    if (event.type === 'ack') return this.streams.acknowledged(viewer, event.stream, event.frame);
    // A release is never refused: what is held must not stay held.
    if (event.type !== 'release') {
      this.#showPeers(viewer, event);
      if (!this.#roster.acts(viewer)) return;
      this.listener.onActivity();
    }
    viewer.input.handle(event, () => {
      viewer.performedSeq = event.seq;
    });
  }

  /** Tells others where a user points who may control, also while they are pre-empted. */
  #showPeers(viewer: Viewer, event: InputEvent): void {
    if (!mayControl(viewer.rights) && !this.#roster.controls(viewer.userId)) return;
    const at = event.type === 'touch' ? event.points[0] : event;
    if (!at || !('x' in at)) return;
    const { width, height } = this.streams.size ?? this.session;
    this.#pointers.moved(viewer.userId, at.x / width, at.y / height);
  }

  #onControl(viewer: Viewer, text: string): void {
    const message = decodeViewerMessage(text);
    switch (message?.type) {
      case 'ping':
        if (message.active) this.listener.onActivity();
        return viewer.send({ type: 'pong', id: message.id });
      case 'call':
        void this.calls.answer(viewer, message);
        return;
      case 'key-frame':
        return this.streams.restart(viewer);
      case 'visible':
        viewer.visible = message.visible;
        if (message.visible) this.streams.restart(viewer);
        return;
      case 'sound':
        viewer.listens = message.on;
        return;
      default:
        return;
    }
  }
}
