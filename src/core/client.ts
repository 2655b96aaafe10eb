import {
  encodeInput,
  isClipboardMessage,
  type Cursor,
  type HostMessage,
  type InputWithoutSeq,
  type MediaKind,
  type RemoteField,
  type StreamInfo,
  type Userdata,
  type Welcome,
} from '../protocol/index.js';
import type { AccessibilityTree } from './accessibility-tree.js';
import { Clipboard } from './clipboard.js';
import { ClipboardChannel } from './clipboard-channel.js';
import type { ClientOptions } from './client-options.js';
import { ClientPreferences, type Box } from './client-preferences.js';
import { Connection } from './connection.js';
import type { ConnectionState } from './connection-states.js';
import { Dialogs } from './dialogs.js';
import { Emitter } from './emitter.js';
import { NotConnectedError } from './errors.js';
import { Files } from './files.js';
import type { ClientEvents, Disconnection } from './events.js';
import { HeldKeys } from './held-keys.js';
import { InputLog } from './input-log.js';
import type { Link } from './link.js';
import { watchNetwork } from './network.js';
import { QualityMeter, type ConnectionQuality } from './quality.js';
import { backoff } from './reconnect-policy.js';
import { Remote } from './remote.js';
import { SessionFacts } from './session-facts.js';
import { openWebSocket, socketUrl } from './socket.js';
import { Tabs } from './tabs.js';
import { systemTimers, type Timers } from './timers.js';
import { Users } from './users.js';

/**
 * One user of one session, without a picture: keeps the connection, sends input, hands out packets. A lost connection
 * is sought again as the same user; the session's own verdict (a close code) is final.
 */
export class CloudBrowserClient extends Emitter<ClientEvents> {
  readonly embedUrl: string;
  /** Methods and events of the session. */
  readonly remote: Remote;
  /** Who is here, what they may do, who controls. */
  readonly users: Users;
  readonly tabs: Tabs;
  /** What pages ask people. */
  readonly dialogs: Dialogs;
  /** What pages are given, and give out. */
  readonly files: Files;
  readonly clipboard: Clipboard;
  readonly #preferences: ClientPreferences;
  readonly #facts: SessionFacts;
  readonly #timers: Timers;
  readonly #inputLog = new InputLog();
  readonly #heldKeys: HeldKeys;
  readonly #connection: Connection;
  readonly #transfers: ClipboardChannel;
  #roundTrip: number | undefined;
  readonly #quality = new QualityMeter((quality) => this.emit('quality', quality));

  /** Throws `EmbedUrlError` for an address that no session can have. Does not connect yet. */
  constructor(options: ClientOptions) {
    super();
    this.embedUrl = options.embedUrl;
    this.#preferences = new ClientPreferences(options.media, options.userdata);
    this.#timers = options.timers ?? systemTimers;
    this.#heldKeys = new HeldKeys(this.#timers, () => this.#connection.link?.send({ type: 'held' }));
    this.#facts = new SessionFacts(this);
    this.remote = new Remote(this.#timers);
    this.users = new Users(this.remote);
    this.tabs = new Tabs(this.remote);
    this.dialogs = new Dialogs(this.remote);
    this.files = new Files(this.remote, this.embedUrl, this.#timers);
    this.#transfers = new ClipboardChannel(this.#timers);
    this.clipboard = new Clipboard(this.remote, this.#transfers);
    this.#connection = this.#makeConnection(options);
  }

  /** Where the connection stands. */
  get state(): ConnectionState {
    return this.#connection.state;
  }

  /** Stays the same over reconnects; undefined before the first connection. */
  get userId(): string | undefined {
    return this.#facts.welcome?.userId;
  }

  /** The newest welcome: size and frame rate of the remote screen. */
  get welcome(): Welcome | undefined {
    return this.#facts.welcome;
  }

  /** Pixels that the remote screen may be resized to; undefined before the first connection. */
  get maxArea(): number | undefined {
    return this.#facts.welcome?.maxArea;
  }

  /** Pixels of the remote screen for one CSS pixel of its pages: 1 to 3. */
  get pixelRatio(): number {
    return this.#facts.pixelRatio;
  }

  /** What the packets of this connection carry now. */
  get stream(): StreamInfo | undefined {
    return this.#facts.stream;
  }

  /** The shape of the remote pointer. */
  get cursor(): Cursor | undefined {
    return this.#facts.cursor;
  }

  /** What takes text and has the keyboard on the remote screen; known only after {@link watchFocus}. */
  get remoteField(): RemoteField | undefined {
    return this.#facts.field;
  }

  /** The other user who has the browser to themselves, so that nothing is shown here and no input counts. */
  get shutOutBy(): string | undefined {
    return this.#facts.shutOutBy;
  }

  /** A page of the remote browser has locked the pointer: it wants `relative` moves. */
  get pointerLocked(): boolean {
    return this.#facts.pointerLocked;
  }

  /** Why the client is `failed` or `closed`. */
  get disconnection(): Disconnection | undefined {
    return this.#connection.disconnection;
  }

  /** The newest measured round trip in milliseconds. */
  get rtt(): number | undefined {
    return this.#roundTrip;
  }

  /** How well the session can be used over this connection; undefined before the first round trip, and when it was ended. */
  get quality(): ConnectionQuality | undefined {
    return this.#quality.value;
  }

  /** This machine says that it has no network; only told while a connection is wanted. */
  get offline(): boolean {
    return this.#connection.offline;
  }

  /**
   * Connects, or joins the attempt under way. Resolves with the session's welcome; rejects with a
   * {@link DisconnectedError} when the session refuses, the policy gives up, or `disconnect()` comes first.
   */
  connect(): Promise<Welcome> {
    return this.#connection.connect();
  }

  /** Drops the connection, if any, and connects again at once as the same user. Settles like {@link connect}. */
  reconnect(): Promise<Welcome> {
    return this.#connection.reconnect();
  }

  /** Ends the connection with the reason `request`. Does nothing when there is none. */
  disconnect(): void {
    this.#connection.disconnect();
  }

  /**
   * Gives the remote screen another size, for everybody: whole CSS pixels, at least 256 a side; {@link pixelRatio} times that is at most
   * 3840 a side, and {@link maxArea} in total. Needs the role `resize` or the admin token. Resolves when frames of that size are on their way, which `stream` tells;
   * rejects as `remote.call` does.
   */
  resize(width: number, height: number): Promise<void> {
    return this.remote.call('resize', [width, height]);
  }

  /** Keeps the screen's size for everybody but admins, or with false lets it change again. Needs the admin token. Rejects as `remote.call` does. */
  pinSize(pinned = true): Promise<void> {
    return this.remote.call('pinSize', [pinned]);
  }

  /** Tells the session that a person is there. Resolves to the round trip in milliseconds. */
  ping(): Promise<number> {
    return this.#connection.link?.ping() ?? Promise.reject(new NotConnectedError());
  }

  /** What this viewer can show, from the next connection on; `reconnect()` makes it count now. */
  setMedia(media: readonly MediaKind[]): void {
    this.#preferences.media = media;
  }

  /** What the customer's endpoint is told, from the next connection on; `reconnect()` makes it count now. */
  setUserdata(userdata: Userdata | undefined): void {
    this.#preferences.userdata = userdata;
  }

  /** Whether frames are wanted. Remembered over reconnects. */
  setVisible(visible: boolean): void {
    if (visible === this.#preferences.visible) return;
    this.#preferences.visible = visible;
    this.#liveLink?.send({ type: 'visible', visible });
  }

  /** Whether sound packets are wanted. Default false. Remembered over reconnects. */
  setSound(on: boolean): void {
    if (on === this.#preferences.sound) return;
    this.#preferences.sound = on;
    this.#liveLink?.send({ type: 'sound', on });
  }

  /**
   * Whether to be told what has the keyboard, by the event `focus`: as long as this user's input counts. Default false. Remembered over
   * reconnects.
   */
  watchFocus(on: boolean): void {
    if (on === this.#preferences.focus) return;
    this.#preferences.focus = on;
    this.#liveLink?.send({ type: 'focus', on });
  }

  /**
   * The place that this client's page has for the screen, in CSS pixels: the screen fills it whenever this user is the one who controls
   * the browser, may resize it, and wants to see frames. Undefined: it does not follow this client. Remembered over reconnects.
   */
  setBox(box: Box | undefined): void {
    const { box: before } = this.#preferences;
    if (box?.width === before?.width && box?.height === before?.height) return;
    this.#preferences.box = box ?? null;
    this.#liveLink?.send({ type: 'box', box: box ?? null });
  }

  /** Sends an input event; false when there is no connection, the event is then lost. Throws RangeError, see `encodeInput`. */
  sendInput(event: InputWithoutSeq): boolean {
    const link = this.#liveLink;
    if (!link) return false;
    const seq = this.#inputLog.next(this.#timers.now());
    link.sendRaw(encodeInput({ ...event, seq }));
    this.#heldKeys.sent(event);
    return true;
  }

  /** Takes the pointer from the page that has locked it. */
  leavePointerLock(): void {
    this.#liveLink?.send({ type: 'leave-pointer-lock' });
  }

  /** Tells the host that a frame is decoded or was dropped: it paces this viewer by that. */
  acknowledge(stream: number, frame: number): void {
    this.#liveLink?.sendRaw(encodeInput({ type: 'ack', stream, frame }));
  }

  /** Asks for a frame that needs no earlier one. */
  requestKeyFrame(stream: number): void {
    this.#liveLink?.send({ type: 'key-frame', stream });
  }

  /**
   * To be called when a frame is painted. Returns the milliseconds since the newest input event that the frame shows
   * was sent, when this frame is the first to show it.
   */
  inputLatency(inputSeq: number): number | undefined {
    return this.#inputLog.latency(inputSeq, this.#timers.now());
  }

  /**
   * What assistive technology is told of the remote page, and can do to it. Asks the session for nothing before somebody listens. Rejects
   * when what that takes cannot be loaded.
   */
  async accessibility(): Promise<AccessibilityTree> {
    return (await import('./accessibility-tree.js')).treeOf(this.remote);
  }

  /** The text of what was copied last in the remote browser, empty when there is none. As {@link Clipboard.read}. */
  async readClipboard(): Promise<string> {
    return (await this.clipboard.read()).text ?? '';
  }

  #makeConnection({
    embedUrl,
    createSocket = openWebSocket,
    watchNetwork: watch = watchNetwork,
    reconnect = backoff(),
  }: ClientOptions): Connection {
    const url = socketUrl(embedUrl);
    const timers = this.#timers;
    return new Connection(
      { url, createSocket, timers, policy: reconnect, watchNetwork: watch },
      {
        hello: () => this.#preferences.hello(this.#facts.welcome),
        onWelcome: (welcome) => this.#welcomed(welcome),
        onMessage: (message) => this.#received(message),
        onPacket: (packet) => {
          this.#quality.frame(packet.captureTime, timers.now());
          this.emit('packet', packet);
        },
        onSound: (packet) => this.emit('sound', packet),
        onChunk: (chunk) => this.#transfers.chunk(chunk),
        onRoundTrip: (milliseconds) => {
          this.#roundTrip = milliseconds;
          this.emit('rtt', milliseconds);
          this.#quality.sample(milliseconds);
        },
        onOverdue: (milliseconds) => this.#quality.sample(milliseconds),
        onNetwork: (online) => this.emit('network', online),
        onError: (error) => this.emit('error', error),
        onLinkGone: () => {
          this.#heldKeys.forget();
          this.remote.close();
          this.#transfers.close();
        },
        onState: (change) => {
          this.#quality.state(change.state);
          this.emit('state', change);
        },
        onConnected: (welcome) => this.emit('welcome', welcome),
        onDisconnect: (disconnection) => this.emit('disconnect', disconnection),
      },
    );
  }

  #welcomed(welcome: Welcome): void {
    this.#inputLog.reset();
    for (const message of this.#preferences.openingMessages()) this.#connection.link?.send(message);
    const { link } = this.#connection;
    this.remote.open((call) => this.#connection.link?.send(call));
    if (link && welcome.clipboard) this.#transfers.open(link);
    this.#facts.welcomed(welcome);
  }

  #received(message: Exclude<HostMessage, Welcome>): void {
    if (message.type === 'answer' || message.type === 'event') this.remote.received(message);
    else if (isClipboardMessage(message)) this.#transfers.received(message);
    else this.#facts.received(message);
  }

  /** The link of a session that has let this client in. */
  get #liveLink(): Link | undefined {
    return this.state === 'playing' ? this.#connection.link : undefined;
  }
}
