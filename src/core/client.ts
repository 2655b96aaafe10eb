import {
  encodeInput,
  isClipboardMessage,
  type Cursor,
  type Handoff,
  type HandoffAnswer,
  type HostMessage,
  type InputWithoutSeq,
  type LeaveReason,
  type MediaKind,
  type RemoteField,
  type ScreenshotOptions,
  type SessionAgent,
  type ShownDialog,
  type StreamInfo,
  type Userdata,
  type Welcome,
} from '../protocol/index.js';
import type { AccessibilityTree } from './calls/accessibility-tree.js';
import { Clipboard } from './clipboard/clipboard.js';
import { ClipboardChannel } from './clipboard/clipboard-channel.js';
import type { ClientOptions } from './client-options.js';
import { ClientPreferences, type Box } from './client-preferences.js';
import { Connection } from './connection/connection.js';
import { isUnderWay, type ConnectionState } from './connection/connection-states.js';
import { Dialogs } from './calls/dialogs.js';
import { Emitter } from './emitter.js';
import { NotConnectedError } from './errors.js';
import { Files } from './files/files.js';
import type { ClientEvents, Disconnection, PrivacyInfo } from './events.js';
import { HeldKeys } from './input/held-keys.js';
import { InputProbes } from './input/input-probes.js';
import { InputLog } from './input/input-log.js';
import { SentInput } from './input/sent-input.js';
import type { Link } from './connection/link.js';
import { watchNetwork } from './connection/network.js';
import { QualityMeter, type ConnectionQuality } from './quality.js';
import { blobOf } from './calls/screenshot-blob.js';
import { backoff } from './connection/reconnect-policy.js';
import { Remote } from './calls/remote.js';
import { SessionFacts } from './session-facts.js';
import { PacedBox } from './sizes/paced-box.js';
import { SizePace } from './sizes/size-pace.js';
import { openWebSocket, socketUrl } from './connection/socket.js';
import { Tabs } from './calls/tabs.js';
import { systemTimers, type Timers } from './timers.js';
import { Users } from './calls/users.js';

/**
 * Connects one user to one session. Sends input, makes calls, and emits the packets of the picture, but does
 * not decode them. Reconnects a lost connection as the same user. Does not reconnect if the session has
 * closed the connection with a reason.
 */
export class CloudBrowserClient extends Emitter<ClientEvents> {
  readonly embedUrl: string;
  /** Methods and events of the session. */
  readonly remote: Remote;
  /** The connected users, their permissions, and who has control. */
  readonly users: Users;
  readonly tabs: Tabs;
  /** The open dialogs of pages. */
  readonly dialogs: Dialogs;
  /** Uploads to pages and downloads from pages. */
  readonly files: Files;
  readonly clipboard: Clipboard;
  readonly #preferences: ClientPreferences;
  readonly #facts: SessionFacts;
  readonly #timers: Timers;
  readonly #inputLog = new InputLog();
  readonly #sentInput = new SentInput();
  readonly #heldKeys: HeldKeys;
  readonly #probes: InputProbes;
  readonly #connection: Connection;
  readonly #transfers: ClipboardChannel;
  readonly #sizePace: SizePace;
  readonly #box: PacedBox;
  #roundTrip: number | undefined;
  readonly #quality = new QualityMeter((quality) => this.emit('quality', quality));

  /** Throws `EmbedUrlError` if the address is not a valid embed URL. Does not connect yet. */
  constructor(options: ClientOptions) {
    super();
    this.embedUrl = options.embedUrl;
    this.#preferences = new ClientPreferences(options.media, options.userdata);
    this.#timers = options.timers ?? systemTimers;
    this.#heldKeys = new HeldKeys(this.#timers, () => this.#connection.link?.send({ type: 'held' }));
    const probe = () => this.#connection.link?.send({ type: 'probe' });
    this.#probes = new InputProbes(this.#timers, () => this.#roundTrip, probe);
    this.#facts = new SessionFacts(this);
    this.#sizePace = new SizePace(this.#timers);
    this.#box = new PacedBox(this.#sizePace, (box) => this.#liveLink?.send({ type: 'box', box }));
    this.remote = new Remote(this.#timers, this.#sizePace, (error) => this.emit('error', error));
    this.users = new Users(this.remote);
    this.tabs = new Tabs(this.remote);
    this.dialogs = new Dialogs(this.remote);
    this.files = new Files(this.remote, this.embedUrl, this.#timers, () => this.state);
    this.#transfers = new ClipboardChannel(this.#timers);
    this.clipboard = new Clipboard(this.remote, this.#transfers);
    this.#connection = this.#makeConnection(options);
  }

  /** The state of the connection. */
  get state(): ConnectionState {
    return this.#connection.state;
  }

  /**
   * The id of this client's user. Stays the same across reconnects. Undefined before the first connection.
   */
  get userId(): string | undefined {
    return this.#facts.welcome?.userId;
  }

  /** The newest welcome, with the screen's size at that time and the frame rate. */
  get welcome(): Welcome | undefined {
    return this.#facts.welcome;
  }

  /** Largest area of the remote screen in pixels, for resizes. Undefined before the first connection. */
  get maxArea(): number | undefined {
    return this.#facts.welcome?.maxArea;
  }

  /** Remote screen pixels per CSS pixel of its pages: 1 to 3. */
  get pixelRatio(): number {
    return this.#facts.pixelRatio;
  }

  /**
   * The session's description of the packets that this connection receives now. Undefined until the
   * description arrives.
   */
  get stream(): StreamInfo | undefined {
    return this.#facts.stream;
  }

  /** The shape of the remote pointer. */
  get cursor(): Cursor | undefined {
    return this.#facts.cursor;
  }

  /** The focused text field of the remote screen. Available only after {@link watchFocus}. */
  get remoteField(): RemoteField | undefined {
    return this.#facts.field;
  }

  /**
   * The dialog of the page in front, if this user may answer it:
   * `remote.call('answerDialog', [dialog.id, { accept: true }])`.
   */
  get dialog(): ShownDialog | undefined {
    return this.#facts.dialog;
  }

  /**
   * The id of another user who is in privacy mode. Undefined if there is none. During another user's privacy
   * mode, the session sends no picture and ignores this client's input.
   */
  get shutOutBy(): string | undefined {
    return this.#facts.shutOutBy;
  }

  /**
   * The user in privacy mode, with the start and the end of privacy mode. Undefined if no user is in privacy
   * mode.
   */
  get privacy(): PrivacyInfo | undefined {
    return this.#facts.privacy;
  }

  /** True if the session is being recorded. */
  get isRecorded(): boolean {
    return this.#facts.isRecorded;
  }

  /**
   * True if a page of the remote browser has locked the pointer. Then send `relative` moves instead of
   * positions.
   */
  get pointerLocked(): boolean {
    return this.#facts.pointerLocked;
  }

  /** The agents of the session: programs that drive the browser. */
  get agents(): readonly SessionAgent[] {
    return this.#facts.agents;
  }

  /** The open hand-offs (requests of agents for a person) that this user may answer, oldest first. */
  get handoffs(): readonly Handoff[] {
    return this.#facts.handoffs;
  }

  /**
   * Answers a hand-off: a request of an agent for the help of a person. Rejects with `CallError` and the code
   * `err_handoff_gone` if another user has answered, or if the hand-off has ended.
   *
   * @param answer `done`, or `refused` if the user could not do it
   * @param note text for the agent
   */
  finishHandoff(id: string, answer: HandoffAnswer, note = ''): Promise<void> {
    return this.remote.call('finishHandoff', [id, answer, note]);
  }

  /**
   * Takes a picture of the remote screen. By default the picture is lossless. For users without the role
   * `field_masking`, masked fields are black. Rejects as `remote.call` does, for example with
   * `err_picture_too_large` if the picture has more than 2 MiB, and with `err_forbidden` while another user
   * is in privacy mode.
   */
  async screenshot(options: ScreenshotOptions = {}): Promise<Blob> {
    return blobOf(await this.remote.call('screenshot', [options]));
  }

  /** The reason why the client is `failed` or `closed`. */
  get disconnection(): Disconnection | undefined {
    return this.#connection.disconnection;
  }

  /** The newest measured round trip in milliseconds. */
  get rtt(): number | undefined {
    return this.#roundTrip;
  }

  /**
   * Quality of this connection. Undefined until the first round trip or the first lost connection, and after
   * `closed`.
   */
  get quality(): ConnectionQuality | undefined {
    return this.#quality.value;
  }

  /**
   * True if this machine reports that it has no network. Always false before `connect()` and in the state
   * `closed`.
   */
  get offline(): boolean {
    return this.#connection.offline;
  }

  /**
   * Connects, or joins the attempt under way. Resolves with the session's welcome, at once if already
   * connected. Rejects with a {@link DisconnectedError} if the session refuses the client, if the reconnect
   * policy allows no further attempt, or if `disconnect()` is called first.
   */
  connect(): Promise<Welcome> {
    return this.#connection.connect();
  }

  /**
   * Closes the connection, if any, and connects again at once as the same user. Settles like {@link connect}.
   */
  reconnect(): Promise<Welcome> {
    return this.#connection.reconnect();
  }

  /** Ends the connection, or the attempts to connect, with a reason. Does nothing if there are none. */
  disconnect(reason: LeaveReason = 'disconnected'): void {
    this.#connection.disconnect(reason);
  }

  /**
   * Resizes the remote screen for all users. Sizes are whole CSS pixels, at least 256 per side. Multiplied by
   * {@link pixelRatio}, each side is at most 3840 and the area at most {@link maxArea}. Needs the role
   * `resize` or the admin token. Resolves when the screen has that size, or a size that was requested later.
   * `stream` reports the size. Rejects as `remote.call` does. The client limits the rate of resizes, and
   * applies the last one after a few seconds at most. So an application may call this for every pointer move.
   */
  resize(width: number, height: number): Promise<void> {
    return this.remote.call('resize', [width, height]);
  }

  /**
   * Locks the screen size for all users except admins. `false` unlocks it. Needs the admin token. Rejects as
   * `remote.call` does.
   */
  pinSize(pinned = true): Promise<void> {
    return this.remote.call('pinSize', [pinned]);
  }

  /** Reports activity of a person to the session. Resolves to the round trip in milliseconds. */
  ping(): Promise<number> {
    return this.#connection.link?.ping() ?? Promise.reject(new NotConnectedError());
  }

  /**
   * Sets the formats of frames that this viewer can show, best first. Valid from the next connection.
   * `reconnect()` applies them now.
   */
  setMedia(media: readonly MediaKind[]): void {
    this.#preferences.media = media;
  }

  /**
   * Sets the data for the customer's endpoint that authorizes viewers. Valid from the next connection.
   * `reconnect()` applies it now.
   */
  setUserdata(userdata: Userdata | undefined): void {
    this.#preferences.userdata = userdata;
  }

  /** Turns frames on or off. Default true. Kept across reconnects. */
  setVisible(visible: boolean): void {
    if (visible === this.#preferences.visible) return;
    this.#preferences.visible = visible;
    this.#liveLink?.send({ type: 'visible', visible });
  }

  /** Turns sound packets on or off. Default false. Kept across reconnects. */
  setSound(on: boolean): void {
    if (on === this.#preferences.sound) return;
    this.#preferences.sound = on;
    this.#liveLink?.send({ type: 'sound', on });
  }

  /**
   * Turns the event `focus` on or off, which reports the focused text field. The session sends reports only
   * while this user's input is accepted. Default false. Kept across reconnects.
   */
  watchFocus(on: boolean): void {
    if (on === this.#preferences.focus) return;
    this.#preferences.focus = on;
    this.#liveLink?.send({ type: 'focus', on });
  }

  /**
   * Sets the size of the area that this client's page has for the screen, in CSS pixels. The session resizes
   * the screen to this area while this user controls the browser, may resize the screen, and wants frames.
   * Undefined: the screen does not follow this client. Kept across reconnects. The rate is limited as for
   * {@link resize}.
   */
  setBox(box: Box | undefined): void {
    const { box: before } = this.#preferences;
    if (box?.width === before?.width && box?.height === before?.height) return;
    this.#preferences.box = box ?? null;
    if (this.#liveLink) this.#box.set(this.#preferences.box);
  }

  /**
   * Sends an input event. Without a connection, returns false, and the event is lost. Keys, text, buttons and
   * touches that were sent into a dead connection are sent again after the reconnect, if that takes at most
   * 10 s. Throws RangeError, see `encodeInput`.
   */
  sendInput(event: InputWithoutSeq): boolean {
    const link = this.#liveLink;
    if (!link) return false;
    const now = this.#timers.now();
    const numbered = { ...event, seq: this.#inputLog.next(now) };
    const data = encodeInput(numbered);
    this.#sentInput.add(numbered, now);
    // A host may request a second connection, which carries copies of input events. A paste is not copied,
    // because it must arrive after its content, and the content is sent only on the first connection.
    if (event.type === 'paste') link.sendRaw(data);
    else link.sendInput(data);
    this.#heldKeys.sent(event);
    this.#probes.sent(event);
    return true;
  }

  /** Releases the pointer from the page that has locked it. */
  leavePointerLock(): void {
    this.#liveLink?.send({ type: 'leave-pointer-lock' });
  }

  /**
   * Reports to the host that a frame was painted or dropped. The host adapts the frame rate of this viewer to
   * these reports.
   */
  acknowledge(stream: number, frame: number): void {
    this.#liveLink?.sendRaw(encodeInput({ type: 'ack', stream, frame }));
  }

  /** Requests a key frame, which can be decoded without earlier frames. */
  requestKeyFrame(stream: number): void {
    this.#liveLink?.send({ type: 'key-frame', stream });
  }

  /**
   * Call this when a frame is painted. If it is the first frame that shows the effect of an input event,
   * returns the milliseconds since that event was sent.
   */
  inputLatency(inputSeq: number): number | undefined {
    return this.#inputLog.latency(inputSeq, this.#timers.now());
  }

  /**
   * Returns the accessibility tree of the remote page. The client subscribes to the tree when the tree gets
   * its first listener. Rejects if the code for the tree cannot be loaded.
   */
  async accessibility(): Promise<AccessibilityTree> {
    return (await import('./calls/accessibility-tree.js')).treeOf(this.remote);
  }

  /**
   * Returns the text that was last copied in the remote browser. Empty if there is no such text. Rejects as
   * {@link Clipboard.read} does.
   */
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
          this.#probes.forget();
          this.remote.close();
          this.#sizePace.clear();
          this.#transfers.close();
        },
        onState: (change) => {
          if (!isUnderWay(change.state)) {
            this.#facts.ended();
            this.#sentInput.after(null, 0);
          }
          this.#quality.state(change.state);
          this.emit('state', change);
        },
        onConnected: (welcome) => this.emit('welcome', welcome),
        onDisconnect: (disconnection) => this.emit('disconnect', disconnection),
      },
    );
  }

  #welcomed(welcome: Welcome): void {
    for (const message of this.#preferences.openingMessages()) this.#connection.link?.send(message);
    this.#box.opened(this.#preferences.box);
    const { link } = this.#connection;
    this.remote.open((call) => this.#connection.link?.send(call));
    if (link && welcome.clipboard) this.#transfers.open(link);
    this.#facts.welcomed(welcome);
    const lost = this.#sentInput.after(welcome.inputSeq, this.#timers.now());
    // The host released everything when the connection was lost. A lost press must not hold it again.
    if (lost.length > 0) lost.push({ type: 'release', modifiers: 0, seq: this.#inputLog.next(0) });
    for (const event of lost) link?.sendRaw(encodeInput(event));
  }

  #received(message: Exclude<HostMessage, Welcome>): void {
    if (message.type === 'answer' || message.type === 'event') this.remote.received(message);
    else if (isClipboardMessage(message)) this.#transfers.received(message);
    else this.#facts.received(message);
  }

  /** The link, if the session has accepted this client. */
  get #liveLink(): Link | undefined {
    return this.state === 'playing' ? this.#connection.link : undefined;
  }
}
