import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AutomationHandover, Bookmark, FromHost, RecordingMessage, ToHost } from '../host-protocol.js';
import { CdpError } from './browser/cdp/cdp-session.js';
import type { FeatureSet } from './features/feature-set.js';
import { clientGone, failureOf } from './room/calls/call-error.js';
import type { Calls } from './room/calls/calls.js';
import { systemClock, type Clock } from '../platform/time/clock.js';
import { withTimeout } from '../platform/time/timeout.js';
import { textOf, type SessionLog } from './session-log.js';
import type { SessionStandby } from './session-standby.js';
import type { Workstation } from './workstation/workstation.js';

/**
 * Longest time in milliseconds for which the end of the session waits until bookmarks are added. It is short
 * because the browser must also write its profile before the service kills the host.
 */
export const FINISH_TIMEOUT_MS = 1_000;

/**
 * Maximum length of all bookmarks that wait for the browser, as JSON. It is enough for eight of the largest
 * files that the service accepts.
 */
export const MAX_WAITING_CHARS = 16 * 1024 * 1024;

/** Failure of a call that the end of the session has interrupted. */
const SESSION_OVER = { code: 'err_session_terminated', message: 'The session has ended.' } as const;

/** A call that the service forwards. */
type CallOrder = Omit<Extract<ToHost, { type: 'call' }>, 'type'>;

/** Bookmarks that wait for the browser. */
interface BookmarkOrder {
  items: readonly Bookmark[];
  /** Length as JSON. */
  chars: number;
}

/** The parts of a session that {@link ServiceOrders} needs. */
export interface OrderedSession {
  calls: Calls;
  standby: SessionStandby;
  log: SessionLog;
  tell: (message: FromHost) => void;
  /** Undefined until the session is open, and in a session that never opens. */
  features(): FeatureSet | undefined;
  workstation(): Pick<Workstation, 'bridge'> | undefined;
  /** Returns true if the session is ending or has ended. */
  isOver(): boolean;
}

/**
 * Carries out the orders of the service that need the session's browser and features (see `features/`). The
 * orders wait until the session is open. If the session is frozen (see `standby/`), an order first continues
 * the session's programs.
 */
export class ServiceOrders {
  #open: () => void = () => undefined;
  /** Resolves when viewers can join, or when it is certain that they cannot. */
  readonly #opened = new Promise<void>((resolve) => (this.#open = resolve));
  /** The bookmarks that are being added. */
  readonly #adding = new Set<Promise<void>>();
  /** The calls that are not answered yet. A signal says that the client of the call has gone. */
  readonly #calls = new Map<number, AbortController>();
  /** Bookmarks that were not added, because the browser has ended. The next browser adds them. */
  readonly #unadded: BookmarkOrder[] = [];
  /** Length of all bookmarks that are not added yet. */
  #waitingChars = 0;

  constructor(
    private readonly session: OrderedSession,
    private readonly clock: Pick<Clock, 'setTimeout'> = systemClock,
  ) {}

  /**
   * Lets the waiting orders continue. Later orders do not wait. Call it also when the session ends, so that
   * no order waits forever.
   */
  open(): void {
    this.#open();
  }

  /** Takes over the TCP connection of a program that drives the session. */
  takeProgram(client: AutomationHandover, socket: Socket): void {
    socket.on('error', () => socket.destroy());
    this.session.standby.wake();
    void this.#opened.then(() => {
      const features = this.session.features();
      if (features && !this.session.isOver()) features.takeProgram(client, socket);
      else socket.destroy();
    });
  }

  /** Serves requests for files that arrive over a channel. */
  serveFiles(channel: Duplex): void {
    void this.#opened.then(() => this.session.features()?.serveFiles(channel));
  }

  /**
   * Appends to the browser's bookmarks. If the browser has ended, the next browser gets the bookmarks. Drops
   * the bookmarks if more than {@link MAX_WAITING_CHARS} would wait.
   */
  async addBookmarks(items: readonly Bookmark[]): Promise<void> {
    const chars = JSON.stringify(items).length;
    if (this.#waitingChars + chars > MAX_WAITING_CHARS) {
      this.session.log.warn('Bookmarks were not added: too many wait for the browser.');
      return;
    }
    this.#waitingChars += chars;
    await this.#addWhenOpen({ items, chars }, 'first');
  }

  /** Adds the bookmarks that the last browser did not add because it had ended. */
  browserStarted(): void {
    for (const order of this.#unadded.splice(0)) void this.#addWhenOpen(order, 'last');
  }

  /**
   * Waits until the bookmarks that the service has sent are added, at most for {@link FINISH_TIMEOUT_MS}.
   * Call this before the browser ends, so that the profile contains the bookmarks.
   */
  async finish(): Promise<void> {
    await withTimeout(Promise.all(this.#adding), FINISH_TIMEOUT_MS, () => undefined, this.clock);
  }

  /** Adds bookmarks as soon as the session is open. */
  async #addWhenOpen(order: BookmarkOrder, attempt: 'first' | 'last'): Promise<void> {
    await this.#opened;
    if (this.session.isOver()) return;
    const added = this.#add(order, attempt);
    this.#adding.add(added);
    await added;
    this.#adding.delete(added);
  }

  async #add(order: BookmarkOrder, attempt: 'first' | 'last'): Promise<void> {
    const { standby, log } = this.session;
    const { items, chars } = order;
    try {
      await standby.during(async () => this.session.workstation()?.bridge.call('addBookmarks', items));
    } catch (error) {
      const hasEnded = error instanceof CdpError && error.reason === 'closed';
      // Tries only once more, because these bookmarks may be the reason why the browser has ended.
      if (hasEnded && attempt === 'first' && !this.session.isOver()) {
        this.#unadded.push(order);
        return;
      }
      log.warn(`Bookmarks were not added: ${textOf(error)}`);
    }
    this.#waitingChars -= chars;
  }

  /**
   * Carries out a call that the service forwards from a holder of the admin token. Sends the service the
   * outcome.
   */
  async call({ call, method, args, program }: CallOrder): Promise<void> {
    const { calls, standby, tell } = this.session;
    const leaving = new AbortController();
    this.#calls.set(call, leaving);
    try {
      await this.#opened;
      const result = await standby.during(() => calls.ofBackend(method, args, program, leaving.signal));
      tell({ type: 'called', call, result });
    } catch (error) {
      // At the end of the session its parts end one by one, and each has an error of its own.
      tell({ type: 'called', call, error: this.session.isOver() ? SESSION_OVER : failureOf(error) });
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Refuses a call that still waits, because its client has gone. */
  abandon(call: number): void {
    this.#calls.get(call)?.abort(clientGone());
  }

  /** Carries out a message about a recording. */
  takeRecordingMessage(message: RecordingMessage): void {
    void this.#opened.then(() => {
      if (this.session.isOver()) return;
      this.session.standby.wake();
      this.session.features()?.takeRecordingMessage(message);
    });
  }
}
