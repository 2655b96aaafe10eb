import { EventEmitter } from 'eventemitter3';
import {
  encodeInput,
  type Cursor,
  type DisconnectReason,
  type HostMessage,
  type InputWithoutSeq,
  type MediaKind,
  type StreamInfo,
  type Welcome,
} from '../protocol/index.js';
import { Attempts } from './attempts.js';
import type { ClientOptions } from './client-options.js';
import { Deferred } from './deferred.js';
import { DisconnectedError, NotConnectedError } from './errors.js';
import type { ClientEvents, ConnectionState, Disconnection } from './events.js';
import { HeldKeys } from './held-keys.js';
import { InputLog } from './input-log.js';
import { Link, type LinkEnd } from './link.js';
import { backoff } from './reconnect-policy.js';
import { Remote } from './remote.js';
import { SessionFacts } from './session-facts.js';
import { openWebSocket, socketUrl, type CreateSocket } from './socket.js';
import { Tabs } from './tabs.js';
import { systemTimers, type Timers } from './timers.js';
import { Users } from './users.js';
import { Wishes } from './client-preferences.js';

/**
 * One user of one session, without a picture: keeps the connection, sends input, hands out packets. A lost connection
 * is sought again as the same user; the session's own verdict (a close code) is final.
 */
export class CloudBrowserClient extends EventEmitter<ClientEvents> {
  readonly embedUrl: string;
  /** Methods and events of the session. */
  readonly remote: Remote;
  /** Who is here, what they may do, who controls. */
  readonly users: Users;
  readonly tabs: Tabs;
  readonly #url: string;
  readonly #wishes: Wishes;
  readonly #attempts: Attempts;
  readonly #facts: SessionFacts;
  readonly #createSocket: CreateSocket;
  readonly #timers: Timers;
  readonly #inputLog = new InputLog();
  readonly #heldKeys: HeldKeys;
  #state: ConnectionState = 'idle';
  #link: Link | undefined;
  #connected: Deferred<Welcome> | undefined;
  #disconnection: Disconnection | undefined;
  #roundTrip: number | undefined;

  /** Throws `EmbedUrlError` for an address that no session can have. Does not connect yet. */
  constructor(options: ClientOptions) {
    super();
    this.embedUrl = options.embedUrl;
    this.#url = socketUrl(options.embedUrl);
    this.#wishes = new Wishes(options.media, options.userdata);
    this.#createSocket = options.createSocket ?? openWebSocket;
    this.#timers = options.timers ?? systemTimers;
    this.#attempts = new Attempts(options.reconnect ?? backoff(), this.#timers);
    this.#heldKeys = new HeldKeys(this.#timers, () => this.#link?.send({ type: 'held' }));
    this.#facts = new SessionFacts(this);
    this.remote = new Remote(this.#timers);
    this.users = new Users(this.remote);
    this.tabs = new Tabs(this.remote);
  }

  get state(): ConnectionState {
    return this.#state;
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

  /** What the packets of this connection carry now. */
  get stream(): StreamInfo | undefined {
    return this.#facts.stream;
  }

  /** The shape of the remote pointer. */
  get cursor(): Cursor | undefined {
    return this.#facts.cursor;
  }

  /** The other user who has the browser to himself, so that nothing is shown here and no input counts. */
  get shutOutBy(): string | undefined {
    return this.#facts.shutOutBy;
  }

  /** Why the client is `failed` or `closed`. */
  get disconnection(): Disconnection | undefined {
    return this.#disconnection;
  }

  /** The newest measured round trip in milliseconds. */
  get rtt(): number | undefined {
    return this.#roundTrip;
  }

  /**
   * Connects, or joins the attempt under way. Resolves with the session's welcome; rejects with a
   * {@link DisconnectedError} when the session refuses, the policy gives up, or `disconnect()` comes first.
   */
  connect(): Promise<Welcome> {
    const { welcome } = this.#facts;
    if (this.#state === 'playing' && welcome) return Promise.resolve(welcome);
    if (!this.#connected) this.#seek('connecting');
    return this.#whenConnected();
  }

  /** Drops the connection, if any, and connects again at once as the same user. Settles like {@link connect}. */
  reconnect(): Promise<Welcome> {
    const hadConnection = this.#state === 'playing' || this.#state === 'reconnecting';
    this.#drop();
    this.#seek(hadConnection ? 'reconnecting' : 'connecting');
    return this.#whenConnected();
  }

  /** Ends the connection with the reason `request`. Does nothing when there is none. */
  disconnect(): void {
    if (this.#state === 'idle' || this.#state === 'failed' || this.#state === 'closed') return;
    this.#finish('closed', 'request', 'You disconnected.');
  }

  /**
   * Gives the remote screen another size, for everybody: whole pixels, 256 to 3840 a side, at most {@link maxArea} in total.
   * Needs the role `resize` or the admin token. Resolves when frames of that size are on their way, which `stream` tells;
   * rejects as `remote.call` does.
   */
  resize(width: number, height: number): Promise<void> {
    return this.remote.call('resize', [width, height]);
  }

  /** Tells the session that a person is there. Resolves to the round trip in milliseconds. */
  ping(): Promise<number> {
    return this.#link?.ping() ?? Promise.reject(new NotConnectedError());
  }

  /** What this viewer can show, from the next connection on; `reconnect()` makes it count now. */
  setMedia(media: readonly MediaKind[]): void {
    this.#wishes.media = media;
  }

  /** What the customer's endpoint is told, from the next connection on; `reconnect()` makes it count now. */
  setUserdata(userdata: Record<string, unknown> | undefined): void {
    this.#wishes.userdata = userdata;
  }

  /** Whether frames are wanted. Remembered over reconnects. */
  setVisible(visible: boolean): void {
    if (visible === this.#wishes.visible) return;
    this.#wishes.visible = visible;
    if (this.#state === 'playing') this.#link?.send({ type: 'visible', visible });
  }

  /** Whether sound packets are wanted. Default false. Remembered over reconnects. */
  setSound(on: boolean): void {
    if (on === this.#wishes.sound) return;
    this.#wishes.sound = on;
    if (this.#state === 'playing') this.#link?.send({ type: 'sound', on });
  }

  /** Sends an input event; false when there is no connection, the event is then lost. Throws RangeError, see `encodeInput`. */
  sendInput(event: InputWithoutSeq): boolean {
    if (this.#state !== 'playing') return false;
    const seq = this.#inputLog.next(this.#timers.now());
    this.#link?.sendRaw(encodeInput({ ...event, seq }));
    this.#heldKeys.sent(event);
    return true;
  }

  /** Tells the host that a frame is decoded or was dropped: it paces this viewer by that. */
  acknowledge(stream: number, frame: number): void {
    if (this.#state === 'playing') this.#link?.sendRaw(encodeInput({ type: 'ack', stream, frame }));
  }

  /** Asks for a frame that needs no earlier one. */
  requestKeyFrame(stream: number): void {
    if (this.#state === 'playing') this.#link?.send({ type: 'key-frame', stream });
  }

  /**
   * To be called when a frame is painted. Returns the milliseconds since the newest input event that the frame shows
   * was sent, when this frame is the first to show it.
   */
  inputLatency(inputSeq: number): number | undefined {
    return this.#inputLog.latency(inputSeq, this.#timers.now());
  }

  /**
   * The text that was copied last in the remote browser. Rejects with a `CallError`, code `err_forbidden`, without the role
   * `clipboard_copy`.
   */
  readClipboard(): Promise<string> {
    return this.remote.call('clipboard.read');
  }

  #whenConnected(): Promise<Welcome> {
    return this.#connected?.promise ?? Promise.reject(this.#disconnectedError());
  }

  #seek(state: 'connecting' | 'reconnecting'): void {
    this.#attempts.begin(state === 'connecting' ? 'connect' : 'reconnect');
    this.#disconnection = undefined;
    this.#connected ??= new Deferred<Welcome>();
    this.#become(state);
    // A listener may have ended the attempt while it was being announced.
    if (this.#state === state) this.#open();
  }

  #open(): void {
    const hello = this.#wishes.hello(this.#facts.welcome);
    try {
      this.#link = new Link(
        { url: this.#url, hello, createSocket: this.#createSocket, timers: this.#timers },
        {
          onWelcome: (welcome) => this.#welcomed(welcome),
          onMessage: (message) => this.#received(message),
          onPacket: (packet) => this.emit('packet', packet),
          onSound: (packet) => this.emit('sound', packet),
          onRoundTrip: (milliseconds) => {
            this.#roundTrip = milliseconds;
            this.emit('rtt', milliseconds);
          },
          onError: (error) => this.emit('error', error),
          onEnd: (end) => this.#ended(end),
        },
      );
    } catch (error) {
      this.#finish('closed', 'unsupported', error instanceof Error ? error.message : String(error));
    }
  }

  #welcomed(welcome: Welcome): void {
    this.#facts.welcomed(welcome);
    this.#inputLog.reset();
    const connected = this.#connected;
    this.#connected = undefined;
    for (const wish of this.#wishes.first()) this.#link?.send(wish);
    connected?.resolve(welcome);
    this.#become('playing');
    this.remote.open((call) => this.#link?.send(call));
    if (this.#state === 'playing') this.emit('welcome', welcome);
  }

  #received(message: Exclude<HostMessage, Welcome>): void {
    if (message.type === 'answer' || message.type === 'event') this.remote.received(message);
    else this.#facts.received(message);
  }

  #ended({ reason, message }: LinkEnd): void {
    this.#unlink();
    if (reason) {
      this.#finish('closed', reason, message);
      return;
    }
    const lost = this.#state === 'playing';
    if (lost) {
      this.#attempts.begin('reconnect');
      this.#connected = new Deferred<Welcome>();
    } else {
      this.#attempts.failed();
    }
    if (!this.#attempts.schedule(() => this.#open())) {
      this.#finish(
        'failed',
        'unreachable',
        'The session cannot be reached. Check the network and try again.',
      );
      return;
    }
    if (lost) this.#become('reconnecting');
  }

  #finish(state: 'failed' | 'closed', reason: DisconnectReason, message: string): void {
    this.#drop();
    this.#disconnection = { reason, message };
    const connected = this.#connected;
    this.#connected = undefined;
    connected?.reject(this.#disconnectedError());
    this.#become(state);
    this.emit('disconnect', { reason, message });
  }

  #drop(): void {
    this.#attempts.cancel();
    this.#link?.close();
    this.#unlink();
  }

  /** What belonged to a connection is over with it. */
  #unlink(): void {
    this.#link = undefined;
    this.#heldKeys.forget();
    this.remote.close();
  }

  #disconnectedError(): DisconnectedError {
    const { reason, message } = this.#disconnection ?? { reason: 'request', message: 'You disconnected.' };
    return new DisconnectedError(reason, message);
  }

  #become(state: ConnectionState): void {
    const previous = this.#state;
    if (state === previous) return;
    this.#state = state;
    this.emit('state', { state, previous });
  }
}
