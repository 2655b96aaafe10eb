import type { DisconnectReason, Welcome } from '../protocol/index.js';
import { Attempts } from './attempts.js';
import { assertLegalMove, isUnderWay, type ConnectionState } from './connection-states.js';
import { Deferred } from './deferred.js';
import { DISCONNECTED_HERE, DisconnectedError } from './errors.js';
import type { Disconnection, StateChange } from './events.js';
import { Link, type LinkEnd, type LinkListener, type LinkOptions } from './link.js';
import { isOffline, type WatchNetwork } from './network.js';
import type { ReconnectPolicy } from './reconnect-policy.js';

/** What a connection is made of. */
export interface ConnectionOptions extends Omit<LinkOptions, 'hello'> {
  policy: ReconnectPolicy;
  watchNetwork: WatchNetwork;
}

/** Between two attempts at least while the machine says that it has no network: it may be wrong about the way to this session. */
const OFFLINE_PAUSE_MS = 1000;

/** Where a connection reports to: what its links bring, and how it goes. */
export interface ConnectionListener extends Omit<LinkListener, 'onEnd'> {
  /** How the next link begins. */
  hello(): LinkOptions['hello'];
  /** The session has let this client in. Called before the state `playing` is told. */
  onWelcome(welcome: Welcome): void;
  /** What belonged to the link is over with it. */
  onLinkGone(): void;
  /** The machine has lost its network, or has one again; told before what follows from it. */
  onNetwork(online: boolean): void;
  onState(change: StateChange): void;
  /** Connected, and the state is told. */
  onConnected(welcome: Welcome): void;
  onDisconnect(disconnection: Disconnection): void;
}

/**
 * One link after another: keeps the state, seeks a lost link again as the policy has it. The session's own verdict (a close
 * code) is final.
 */
export class Connection {
  readonly #attempts: Attempts;
  #state: ConnectionState = 'idle';
  #link: Link | undefined;
  /** The outcome of the attempts since the state was last `playing`, `failed` or `closed`. */
  #connected = new Deferred<Welcome>();
  #disconnection: Disconnection | undefined;
  #offline = false;
  #unwatch: (() => void) | undefined;

  constructor(
    private readonly options: ConnectionOptions,
    private readonly listener: ConnectionListener,
  ) {
    this.#attempts = new Attempts(options.policy, options.timers);
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** The link to the session, once it is being opened and until it ends. */
  get link(): Link | undefined {
    return this.#link;
  }

  /** A connection is wanted, and the machine says that it has no network. */
  get offline(): boolean {
    return this.#offline;
  }

  /** Why the state is `failed` or `closed`. */
  get disconnection(): Disconnection | undefined {
    return this.#disconnection;
  }

  /** See `CloudBrowserClient.connect`. */
  connect(): Promise<Welcome> {
    if (!isUnderWay(this.#state)) this.#seek('connecting');
    return this.#connected.promise;
  }

  /** See `CloudBrowserClient.reconnect`. */
  reconnect(): Promise<Welcome> {
    const hadLink = this.#state === 'playing' || this.#state === 'reconnecting';
    this.#drop();
    this.#seek(hadLink ? 'reconnecting' : 'connecting');
    return this.#connected.promise;
  }

  /** See `CloudBrowserClient.disconnect`. */
  disconnect(): void {
    // One that is given up is not sought again when there is a network.
    this.#ignoreNetwork();
    if (isUnderWay(this.#state)) this.#finish('closed', 'request', DISCONNECTED_HERE);
  }

  /** What the machine says of its network counts as long as a connection is wanted. */
  #heedNetwork(): void {
    this.#offline = isOffline();
    this.#unwatch ??= this.options.watchNetwork((online) => {
      this.#offline = !online;
      this.listener.onNetwork(online);
      if (!online) {
        if (this.#state === 'playing') this.#ended({ message: 'This machine has lost its network.' });
      } else if (this.#state === 'connecting' || this.#state === 'reconnecting') {
        this.#drop();
        this.#seek(this.#state);
      } else if (this.#state === 'failed' && this.#attempts.mayBeginAnew) {
        this.#seek('connecting');
      }
    });
  }

  #ignoreNetwork(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#offline = false;
  }

  #seek(state: 'connecting' | 'reconnecting'): void {
    this.#attempts.begin(state === 'connecting' ? 'connect' : 'reconnect');
    this.#disconnection = undefined;
    this.#heedNetwork();
    // Whoever waits for an attempt that is given up for this one waits for this one.
    if (this.#state !== 'connecting' && this.#state !== 'reconnecting') this.#connected = new Deferred();
    const attempt = this.#attempts.start();
    this.#become(state);
    // A listener may have ended the attempt while it was being announced.
    if (this.#attempts.isCurrent(attempt)) this.#open();
  }

  #open(): void {
    const attempt = this.#attempts.start();
    try {
      const link = new Link(
        { ...this.options, hello: this.listener.hello() },
        {
          ...this.listener,
          onWelcome: (welcome) => {
            if (this.#attempts.isCurrent(attempt)) this.#welcomed(attempt, welcome);
          },
          onEnd: (end) => {
            if (this.#attempts.isCurrent(attempt)) this.#ended(end);
          },
        },
      );
      // A socket may have closed while it was being made.
      if (this.#attempts.isCurrent(attempt)) this.#link = link;
    } catch (error) {
      this.#finish('closed', 'unsupported', error instanceof Error ? error.message : String(error));
    }
  }

  #welcomed(attempt: number, welcome: Welcome): void {
    this.listener.onWelcome(welcome);
    // A listener may have ended the connection while it was being told of it, here and below.
    if (!this.#attempts.isCurrent(attempt)) return;
    this.#connected.resolve(welcome);
    this.#become('playing');
    if (this.#attempts.isCurrent(attempt)) this.listener.onConnected(welcome);
  }

  #ended({ reason, message }: LinkEnd): void {
    this.#drop();
    if (reason) {
      this.#finish('closed', reason, message);
      return;
    }
    const lost = this.#state === 'playing';
    if (lost) {
      this.#attempts.begin('reconnect');
      this.#connected = new Deferred();
    } else {
      this.#attempts.failed();
    }
    if (!this.#attempts.schedule(() => this.#open(), this.#offline ? OFFLINE_PAUSE_MS : 0)) {
      const advice = 'The session cannot be reached. Check the network and try again.';
      this.#finish('failed', 'unreachable', advice);
    } else if (lost) {
      this.#become('reconnecting');
    }
  }

  #finish(state: 'failed' | 'closed', reason: DisconnectReason, message: string): void {
    this.#drop();
    if (state === 'closed') this.#ignoreNetwork();
    this.#disconnection = { reason, message };
    this.#connected.reject(new DisconnectedError(reason, message));
    this.#become(state);
    this.listener.onDisconnect({ reason, message });
  }

  /** Gives up the current attempt or link. */
  #drop(): void {
    this.#attempts.cancel();
    this.#link?.close();
    this.#link = undefined;
    this.listener.onLinkGone();
  }

  #become(state: ConnectionState): void {
    const previous = this.#state;
    if (state === previous) return;
    assertLegalMove(previous, state);
    this.#state = state;
    this.listener.onState({ state, previous });
  }
}
