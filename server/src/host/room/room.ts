import {
  decodeInput,
  decodeViewerMessage,
  isClipboardChunk,
  PROTOCOL_VERSION,
  ProtocolError,
  type Cursor,
  type Hello,
  type HostMessage,
  type InputEvent,
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
import { FocusTelling } from './focus-telling.js';
import { ClipboardDesk } from './clipboard/clipboard-desk.js';
import { FLOOD } from './flood-guard.js';
import { closeSocket, bytesOf } from './handshake.js';
import { NOTICES } from './notices.js';
import { Strangers } from './strangers.js';
import { Admission } from './users/admission.js';
import { Control } from './users/control.js';
import { addSizeCalls } from './calls/resize-call.js';
import { Boxes } from './sizing/boxes.js';
import type { SizeChanges } from './sizing/size-changes.js';
import { addControlCalls, addUserCalls } from './calls/user-calls.js';
import { mediaFor } from '../stream/stream-parts.js';
import { PeerPointers } from './users/peer-pointers.js';
import { Roster } from './users/roster.js';
import { Privacy } from './users/privacy.js';
import { maskRights } from './users/mask-rights.js';
import { mayControl } from './users/rights.js';
import type { StreamHub } from '../stream/stream-hub.js';
import { pixelsOf } from '../../platform/screen-size.js';
import type { SessionLimits } from '../../platform/session-limits.js';
import { KnownUsers, type User } from './users/known-users.js';
import { Viewer } from './viewer.js';

/** What the rest of the host wants to know of a room. */
export interface RoomListener {
  onViewers(count: number): void;
  /** A user gave input, which is told when it counts; or asked to stay. */
  onActivity(viewer?: Viewer, event?: InputEvent): void;
  /** Users have come, or may have other rights. */
  onRights?(): void;
  /** For the log: a user joined or left, or was sent away. */
  onUser(what: 'joined' | 'left' | 'sent away', fields: Record<string, unknown>): void;
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
  readonly #strangers = new Strangers();
  readonly #roster: Roster;
  readonly #admission: Admission;
  readonly #privacy: Privacy;
  readonly #pointers: PeerPointers;
  readonly #focus: FocusTelling;
  readonly #boxes: Boxes;
  readonly #clipboard: ClipboardDesk;
  #pointerLocked = false;
  #cursor: Cursor | undefined;
  #closed: { reason: ServerDisconnectReason; message: string } | undefined;

  constructor(
    private readonly session: HostSession,
    private readonly streams: StreamHub,
    private devices: InputDevices,
    private readonly calls: Calls,
    private readonly sizes: SizeChanges,
    private readonly listener: RoomListener,
    private readonly limits: Pick<SessionLimits, 'viewers'>,
  ) {
    this.#roster = new Roster(calls, this.#control);
    this.#admission = new Admission(this.#knownUsers, this.#roster, (user) => listener.authorize(user));
    this.#privacy = new Privacy(this.#roster, (viewer) => this.#reveal(viewer));
    this.#pointers = new PeerPointers(calls);
    this.#focus = new FocusTelling(devices, this.#roster);
    this.#roster.onChanged = () => this.#focus.refresh();
    this.#clipboard = new ClipboardDesk(calls, this.#roster, devices.clipboard);
    addUserCalls(calls, this.#roster, this.#knownUsers, (user) => this.#kick(user));
    addControlCalls(calls, this.#roster, this.#knownUsers, this.#privacy);
    this.#boxes = new Boxes(sizes, (user) => this.#roster.controls(user));
    this.#roster.onSettled = () => {
      this.#boxes.settle();
      listener.onRights?.();
    };
    addSizeCalls(calls, sizes, this.#boxes);
  }

  /** Takes in an open connection whose upgrade the service has let through. */
  async enter(socket: WebSocket, handover: ViewerHandover): Promise<void> {
    socket.on('error', () => socket.terminate());
    const hello = await this.#strangers.greet(socket);
    if (!hello) return;
    const answer = await this.#admission.authorize(handover, hello);
    if (!answer.granted) closeSocket(socket, 'unauthorized', answer.message);
    if (!answer.granted || socket.readyState !== socket.OPEN) return;
    const refusal = this.#closed ?? this.#full;
    if (refusal) closeSocket(socket, refusal.reason, refusal.message);
    else this.#welcome(socket, hello, this.#admission.userOf(hello, handover, answer.permissions), handover);
  }

  /** Shows all viewers another shape of the pointer. */
  showCursor(cursor: Cursor): void {
    this.#cursor = cursor;
    for (const viewer of this.#viewers.values()) if (!viewer.shutOut) viewer.send(cursor);
  }

  /** Why nobody else can come in. */
  get #full(): { reason: 'full'; message: string } | undefined {
    const { viewers } = this.limits;
    if (this.#viewers.size < viewers) return undefined;
    return { reason: 'full', message: `This session takes ${viewers} viewers at most. Try again later.` };
  }

  /** Sends one message to everybody. */
  tellAll(message: HostMessage): void {
    for (const viewer of this.#viewers.values()) viewer.send(message);
  }

  /** The connected users. */
  get people(): Pick<Roster, 'viewer' | 'viewers' | 'controls' | 'acts'> {
    return this.#roster;
  }

  /** Whether any viewer wants to hear the browser, and may. */
  get isHeard(): boolean {
    return [...this.#viewers.values()].some(({ listens, shutOut }) => listens && !shutOut);
  }

  /** Sends sound to those who want to hear and may. */
  sound(packet: Uint8Array): void {
    for (const viewer of this.#viewers.values()) viewer.sendSound(packet);
  }

  /** A page has locked the pointer, or not any more; users whose input counts may lock theirs. */
  lockPointer(locked: boolean): void {
    this.#pointerLocked = this.devices.sink.locked = locked;
    for (const viewer of this.#viewers.values())
      if (!locked || this.#roster.controls(viewer.userId)) viewer.send({ type: 'pointer-lock', locked });
  }

  /** Uses a browser that was started again; what users held belonged to the old one. */
  useDevices(devices: InputDevices): void {
    this.devices = devices;
    this.#focus.use(devices);
    this.#clipboard.use(devices.clipboard);
    this.lockPointer(false);
    for (const viewer of this.#viewers.values()) viewer.input = this.#inputOf(viewer.user);
    this.#boxes.again();
  }

  /** Closes all connections with a reason. */
  close(reason: ServerDisconnectReason, message: string): void {
    this.#closed = { reason, message };
    this.#roster.close();
    this.#pointers.close();
    for (const viewer of this.#viewers.values()) viewer.close(reason, message);
  }

  #welcome(socket: WebSocket, hello: Hello, user: User, { ip }: ViewerHandover): void {
    const { id: userId, secret } = user;
    for (const other of this.#viewers.values()) {
      if (other.userId === userId) other.terminate();
    }
    const media = mediaFor(this.session, hello.media);
    const viewer = new Viewer(user, media, socket, this.#inputOf(user), () => this.streams.restart(viewer));
    this.#viewers.set(socket, viewer);
    if (hello.tellsHeld) viewer.expectConfirmations();
    socket.on('message', (data, binary) => this.#onMessage(socket, viewer, data, binary));
    socket.once('close', () => this.#leave(socket, viewer));
    const { fps, maxArea, pixelRatio, touchGestures } = this.session;
    const screen = {
      ...{ ...pixelsOf(this.session), fps, maxArea, clipboard: true },
      ...(touchGestures.pinch && { pinch: true }),
      ...(pixelRatio !== 1 && { pixelRatio }),
    };
    viewer.send({ type: 'welcome', version: PROTOCOL_VERSION, userId, secret, ...screen });
    this.#roster.join(viewer);
    this.#privacy.greet(viewer);
    if (this.#cursor && !viewer.shutOut) viewer.send(this.#cursor);
    for (const warning of this.listener.warnings()) viewer.send(warning);
    if (this.#pointerLocked && this.#roster.controls(userId))
      viewer.send({ type: 'pointer-lock', locked: true });
    this.streams.add(viewer);
    this.listener.onUser('joined', { user: userId, address: ip });
    this.listener.onViewers(this.#viewers.size);
    if (hello.pixelRatio !== undefined) this.sizes.follow(hello.pixelRatio).catch(() => undefined);
  }

  #leave(socket: WebSocket, viewer: Viewer): void {
    if (!this.#viewers.delete(socket)) return;
    viewer.left();
    this.listener.onUser('left', { user: viewer.userId });
    this.calls.forget(viewer);
    this.#clipboard.forget(viewer);
    this.streams.remove(viewer);
    this.#focus.leave(viewer);
    this.#boxes.set(viewer, null);
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
    for (const [socket, viewer] of this.#viewers)
      if (viewer.user === user)
        this.#sendAway(socket, viewer, 'kicked', 'An admin removed you from this session.');
  }

  #inputOf(user: User): UserInput {
    return new UserInput(
      this.devices,
      maskRights(user, () => this.#roster.viewer(user.id)?.send(NOTICES.fieldMasked)),
    );
  }

  /** Ends a connection with a reason; what its user has begun and not finished does not count any more. */
  #sendAway(socket: WebSocket, viewer: Viewer, reason: ServerDisconnectReason, message: string): void {
    this.listener.onUser('sent away', { user: viewer.userId, reason });
    viewer.close(reason, message);
    viewer.input.giveUp();
    this.#leave(socket, viewer);
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
    const bytes = bytesOf(data);
    try {
      // The bytes of a transfer that was let in were counted then.
      const counted = binary && this.#clipboard.expects(viewer, bytes) ? 0 : bytes.length;
      const fits = viewer.user.guard.takes(counted, binary);
      if (!fits || !(binary ? this.#onInput(viewer, bytes) : this.#onControl(viewer, String(bytes))))
        this.#sendAway(socket, viewer, 'flooding', FLOOD);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#sendAway(socket, viewer, 'rejected', error.message);
    }
  }

  /** False: more waits of this viewer than may. */
  #onInput(viewer: Viewer, bytes: Buffer): boolean {
    if (isClipboardChunk(bytes)) {
      this.#clipboard.push(viewer, bytes);
      return true;
    }
    const event = decodeInput(bytes);
    if (event.type === 'ack') {
      this.streams.acknowledged(viewer, event.stream, event.frame);
      return true;
    }
    // A release is never refused: what is held must not stay held.
    if (event.type !== 'release') {
      this.#showPeers(viewer, event);
      if (!this.#roster.acts(viewer)) return true;
      this.listener.onActivity(viewer, event);
    }
    const done = () => void (viewer.performedSeq = event.seq);
    if (event.type !== 'paste') return viewer.input.handle(event, done);
    const brought = this.#clipboard.brought(viewer, event.transfer);
    return !brought || viewer.input.paste(event, brought, done);
  }

  /** Tells others where a user points who may control, also while they are pre-empted. */
  #showPeers(viewer: Viewer, event: InputEvent): void {
    if (event.type === 'relative') return;
    if (!mayControl(viewer.rights) && !this.#roster.controls(viewer.userId)) return;
    const at = event.type === 'touch' ? event.points[0] : event;
    if (!at || !('x' in at)) return;
    const { width, height } = this.streams.size ?? pixelsOf(this.session);
    this.#pointers.moved(viewer.userId, at.x / width, at.y / height);
  }

  #onControl(viewer: Viewer, text: string): true {
    const message = decodeViewerMessage(text);
    switch (message?.type) {
      case 'ping':
        if (message.active) this.listener.onActivity();
        viewer.send({ type: 'pong', id: message.id });
        break;
      case 'call':
        void this.calls.answer(viewer, message);
        break;
      case 'clipboard-offer':
      case 'clipboard-ack':
      case 'clipboard-refused':
        this.#clipboard.take(viewer, message);
        break;
      case 'key-frame':
        viewer.askKeyFrame();
        break;
      case 'visible':
        viewer.visible = message.visible;
        if (message.visible) viewer.askKeyFrame();
        this.#boxes.settle();
        break;
      case 'box':
        this.#boxes.set(viewer, message.box);
        break;
      case 'sound':
        viewer.listens = message.on;
        break;
      case 'focus':
        this.#focus.want(viewer, message.on);
        break;
      case 'leave-pointer-lock':
        if (this.#roster.controls(viewer.userId)) this.devices.pages.pointerLock.leave();
        break;
      default:
    }
    return true;
  }
}
