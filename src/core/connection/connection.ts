import type { DisconnectReason, LeaveReason, Welcome } from '../../protocol/index.js';
import { Attempts } from '../attempts.js';
import { assertLegalMove, isUnderWay, type ConnectionState } from './connection-states.js';
import { Deferred } from '../deferred.js';
import { DisconnectedError, LEFT } from '../errors.js';
import type { Disconnection, StateChange } from '../events.js';
import { Link, type LinkEnd, type LinkListener, type LinkOptions } from './link.js';
import { isOffline, type WatchNetwork } from './network.js';
import type { ReconnectPolicy } from './reconnect-policy.js';

/** Options of a connection. */
export interface ConnectionOptions extends Omit<LinkOptions, 'hello'> {
  policy: ReconnectPolicy;
  watchNetwork: WatchNetwork;
}

/**
 * Minimum pause before an attempt while the machine reports no network, in milliseconds. The session may
 * still be reachable, for example on the same machine.
 */
const OFFLINE_PAUSE_MS = 1000;

/** Receives the messages of a connection's links (sockets), and the changes of the connection's state. */
export interface ConnectionListener extends Omit<LinkListener, 'onEnd'> {
  /** Returns the content of `hello`, the first message of the next link. */
  hello(): LinkOptions['hello'];
  /** The session has accepted this client. Called before the state becomes `playing`. */
  onWelcome(welcome: Welcome): void;
  /** Called when the link has ended. State that belongs to the link is no longer valid. */
  onLinkGone(): void;
  /** Called when the machine has lost or regained its network, before the resulting change of state. */
  onNetwork(online: boolean): void;
  onState(change: StateChange): void;
  /** Called after the state has become `playing`. */
  onConnected(welcome: Welcome): void;
  onDisconnect(disconnection: Disconnection): void;
}

/**
 * A series of links (sockets) to one session. Keeps the state, and opens a new link after a lost one, as the
 * policy decides. Does not reconnect if the session has closed the link with a reason.
 */
export class Connection {
  readonly #attempts: Attempts;
  #state: ConnectionState = 'idle';
  #link: Link | undefined;
  /** Result of the newest series of attempts to connect. */
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

  /** The link to the session, from its opening to its end. */
  get link(): Link | undefined {
    return this.#link;
  }

  /** True if the machine reports no network. Always false before `connect` and in the state `closed`. */
  get offline(): boolean {
    return this.#offline;
  }

  /** The reason why the state is `failed` or `closed`. */
  get disconnection(): Disconnection | undefined {
    return this.#disconnection;
  }

  /** See `CloudBrowserClient.connect`. */
  connect(): Promise<Welcome> {
    if (!isUnderWay(this.#state)) this.#startAttempts('connecting');
    return this.#connected.promise;
  }

  /** See `CloudBrowserClient.reconnect`. */
  reconnect(): Promise<Welcome> {
    const hadLink = this.#state === 'playing' || this.#state === 'reconnecting';
    this.#drop();
    this.#startAttempts(hadLink ? 'reconnecting' : 'connecting');
    return this.#connected.promise;
  }

  /** See `CloudBrowserClient.disconnect`. */
  disconnect(reason: LeaveReason): void {
    // Does not reconnect when the network returns, because the caller has ended the connection.
    this.#ignoreNetwork();
    if (isUnderWay(this.#state)) this.#finish('closed', reason, LEFT[reason]);
  }

  /** Watches the machine's network until the state is `closed`. */
  #watchNetwork(): void {
    this.#offline = isOffline();
    this.#unwatch ??= this.options.watchNetwork((online) => {
      const changed = this.#offline === online;
      this.#offline = !online;
      if (changed) this.listener.onNetwork(online);
      if (!online) {
        if (this.#state === 'playing') this.#ended({ message: 'This machine has lost its network.' });
      } else if (this.#state === 'connecting' || this.#state === 'reconnecting') {
        this.#drop();
        this.#startAttempts(this.#state);
      } else if (this.#state === 'failed' && this.#attempts.mayBeginAnew) {
        this.#startAttempts('connecting');
      }
    });
  }

  #ignoreNetwork(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#offline = false;
  }

  #startAttempts(state: 'connecting' | 'reconnecting'): void {
    this.#attempts.begin(state === 'connecting' ? 'connect' : 'reconnect');
    this.#disconnection = undefined;
    this.#watchNetwork();
    // Callers that wait for a replaced attempt get the result of the new attempt.
    if (this.#state !== 'connecting' && this.#state !== 'reconnecting') this.#connected = new Deferred();
    const attempt = this.#attempts.start();
    this.#become(state);
    // A listener may have ended the attempt during the state change.
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
      // The attempt may have ended while the socket was created.
      if (this.#attempts.isCurrent(attempt)) this.#link = link;
    } catch (error) {
      this.#finish('closed', 'unsupported', error instanceof Error ? error.message : String(error));
    }
  }

  #welcomed(attempt: number, welcome: Welcome): void {
    this.listener.onWelcome(welcome);
    // A listener may have ended the connection during its callback, here and below.
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

  /** Ends the current attempt or link. */
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
