import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Notice, ServerDisconnectReason, SessionMethod } from 'cloud-browser/protocol';
import type { Bookmark, FromHost, HostPlace, HostSession, ViewerHandover } from '../host-protocol.js';
import type { AuthorizationAnswer, CloseKind } from '../host-protocol.js';
import { BrowserServices } from './browser-services.js';
import type { EarlyParts } from './early-parts.js';
import type { SpareBrowser } from './spare-browser.js';
import { streamParts } from './stream/stream-parts.js';
import type { ProcessExit } from '../platform/child-process.js';
import { systemClock } from '../platform/clock.js';
import { secretCheck } from '../platform/secrets.js';
import { ActivityReport } from './room/activity-report.js';
import { AuthorizationRequests } from './room/authorization-requests.js';
import { failureOf } from './room/calls/call-error.js';
import { Calls } from './room/calls/calls.js';
import { CloseWarnings } from './room/close-warnings.js';
import type { PartEnd } from './part-end.js';
import { holdToLimits, type StartOrder } from './hold-to-limits.js';
import type { ResourceWatch } from './limits/resource-watch.js';
import { NOTICES } from './room/notices.js';
import { RestartPolicy } from './restart-policy.js';
import { Room } from './room/room.js';
import { SizeChanges } from './room/sizing/size-changes.js';
import { ScreenChanges } from './screen-changes.js';
import { SessionLife } from './session-state.js';
import { ViewerEntrance } from './room/viewer-entrance.js';
import { StreamHub } from './stream/stream-hub.js';
import { Workstation, type WorkstationListener } from './workstation.js';

/** Between two reports of activity: the inactive timeout is exact to this. */
const ACTIVITY_INTERVAL_MS = 250;
/** A browser that is not there again by then ends the session. As long as the service waits for the first one. */
const RESTART_TIMEOUT_MS = 60_000;
/** One session, from its start to its end: a workstation, the streams that show it, and the room of its users. */
export class SessionHost {
  private readonly session: HostSession;
  readonly #entrance = new ViewerEntrance();
  /** Whose connections have not come in yet. */
  readonly #arriving = new Set<string>();
  readonly #streams: StreamHub;
  readonly #calls: Calls;
  readonly #sizes: SizeChanges;
  readonly #services: BrowserServices;
  readonly #authorizations: AuthorizationRequests;
  readonly #warnings = new CloseWarnings(() => performance.now());
  #open: () => void = () => undefined;
  /** Resolves when viewers can come in, or never will. */
  readonly #opened = new Promise<void>((resolve) => (this.#open = resolve));
  readonly #activity = new ActivityReport(() => this.tell({ type: 'activity' }), ACTIVITY_INTERVAL_MS);
  #workstation: Workstation | undefined;
  #watch: ResourceWatch | undefined;
  #room: Room | undefined;
  readonly #life = new SessionLife();
  readonly #restarts = new RestartPolicy(systemClock);
  /** What ends next was ended because it did not answer. */
  #hung = false;
  /** What {@link end} promised first. */
  #end: Promise<void> | undefined;

  constructor(
    private readonly order: StartOrder,
    private readonly place: HostPlace,
    private readonly early: EarlyParts,
    private readonly tell: (message: FromHost) => void,
    /** A browser that runs already, started for a session like this one. */
    private spare: SpareBrowser | undefined,
  ) {
    const { session } = order;
    this.session = session;
    this.#authorizations = new AuthorizationRequests((request) =>
      this.tell({ type: 'authorize', ...request }),
    );
    this.#calls = new Calls(secretCheck(session.adminTokenHash));
    this.#services = new BrowserServices(this.#calls, place.directory, order.limits, () =>
      this.#activity.active(),
    );
    this.#streams = new StreamHub(
      (media, size) => streamParts(session, media, size),
      (error) => void this.#fail('The picture of the session could not be made.', error),
    );
    // Only a screen that viewers see is changed.
    const shown = () => (this.#room ? this.#workstation : undefined);
    const screen = new ScreenChanges(session, this.#streams, shown, (message) =>
      this.#room?.tellAll(message),
    );
    this.#sizes = new SizeChanges(session, (shape) => screen.apply(shape));
  }

  /** Starts everything. A session that cannot start ends with a reason, like any other. */
  async start(): Promise<void> {
    this.#watch = holdToLimits(this.order, this.place, {
      tell: this.tell,
      warn: (message, fields) => this.#warn(message, fields),
      notify: (notice) => this.#room?.tellAll(notice),
      end: (sentence) => void this.end('resource_limit', sentence),
    });
    try {
      const workstation = await this.#startWorkstation(this.session);
      if (!workstation) return;
      const room = new Room(
        this.session,
        this.#streams,
        workstation.devices,
        this.#calls,
        this.#sizes,
        {
          onViewers: (count) => this.tell({ type: 'viewers', count }),
          onActivity: (viewer, event) => this.#services.acted(viewer, event),
          onRights: () => this.#services.rightsChanged(),
          onUser: (what, fields) => this.#log('info', `user ${what}`, { audit: what, ...fields }),
          authorize: (user) => this.#authorizations.ask(user),
          warnings: () => this.#warnings.current(),
        },
        this.order.limits,
      );
      this.#room = room;
      this.early.sound.play({
        wanted: () => room.isHeard,
        onSound: (packet) => room.sound(packet),
        onRestart: () => {
          this.#workstation?.reconnectSound();
          room.tellAll(NOTICES.soundRestarted);
        },
        onCardHung: (milliseconds) => this.#warn('PulseAudio does not answer and is ended', { milliseconds }),
        onCardEnded: (exit) => this.#tellEnded(exit),
        onFailure: (message) => this.#warn(message),
      });
      this.#run(workstation);
      this.tell({ type: 'started', timings: workstation.timings });
      this.#open();
      this.#entrance.open(
        (socket, viewer) => void room.enter(socket, viewer).finally(() => this.#arrived(viewer)),
      );
    } catch (error) {
      await this.#fail('The session could not start.', error);
    }
  }

  /** Takes over a viewer's TCP connection whose upgrade request the service has read and allowed. */
  takeViewer(viewer: ViewerHandover, socket: Socket): void {
    this.#arriving.add(viewer.userId);
    socket.once('close', () => this.#arrived(viewer));
    this.#entrance.take(viewer, socket);
  }

  /** Serves requests for files, which come over a channel. */
  serveFiles(channel: Duplex): void {
    this.#services.serveFiles(channel);
  }

  /** Appends to the browser's bookmarks, as soon as there is a browser. */
  async addBookmarks(items: readonly Bookmark[]): Promise<void> {
    await this.#opened;
    if (this.#life.isOver) return;
    try {
      await this.#workstation?.bridge.call('addBookmarks', items);
    } catch (error) {
      this.#warn(`Bookmarks were not added: ${textOf(error)}`);
    }
  }

  /** Carries out a call that the service passes on from a holder of the admin token, and tells it the outcome. */
  async call(call: number, method: SessionMethod, args: readonly unknown[]): Promise<void> {
    try {
      await this.#opened;
      const result = await this.#calls.ofBackend(method, args);
      this.tell({ type: 'called', call, result });
    } catch (error) {
      this.tell({ type: 'called', call, error: failureOf(error) });
    }
  }

  /** Takes the service's answer about a user who asked to come in. */
  authorized(request: number, answer: AuthorizationAnswer): void {
    this.#authorizations.answered(request, answer);
  }

  /** Shows viewers that the session ends in `delay` milliseconds, or with null that it does not after all. */
  closeWarning(kind: CloseKind, delay: number | null): void {
    const warning = this.#warnings.set(kind, delay);
    this.#room?.tellAll(warning);
  }

  /** Ends the session and everything it runs; the first reason counts. */
  end(reason: ServerDisconnectReason, message: string): Promise<void> {
    this.#end ??= this.#endAll(reason, message);
    return this.#end;
  }

  async #endAll(reason: ServerDisconnectReason, message: string): Promise<void> {
    this.#life.move('ending');
    this.#open();
    this.#room?.close(reason, message);
    this.#activity.close();
    this.#watch?.stop();
    this.#entrance.close(reason, message);
    this.#streams.close();
    await Promise.all([this.#workstation?.stop(), this.early.sound.stop(), this.#services.close()]);
    this.#life.move('ended');
    this.tell({ type: 'ended', reason, message });
  }

  /** Undefined: the session has ended meanwhile, and what was started is stopped. */
  async #startWorkstation(session: HostSession): Promise<Workstation | undefined> {
    const listener: WorkstationListener = {
      onDropped: (drop) => this.#warn('The browser left something undone', { ...drop }),
      onTabRefused: () => this.#room?.tellAll(NOTICES.tabRefused),
      onPageCrashed: () => this.#room?.tellAll(NOTICES.pageCrashed),
      onPageHung: (milliseconds) => {
        this.#warn('A page does not answer', { milliseconds });
        this.#room?.tellAll(NOTICES.pageHung);
      },
      onInvalidSelector: (selector) =>
        this.#warn('The browser takes a text of field_masking for no selector: all of its pages is masked', {
          selector,
        }),
      onHang: ({ name, milliseconds, alone }) => {
        this.#warn(`${name} does not answer and is ended`, { milliseconds });
        if (alone) this.#room?.tellAll(NOTICES.networkRestarted);
        else this.#hung = true;
      },
    };
    const { spare } = this;
    this.spare = undefined;
    const ready = await spare?.become(session, listener);
    if (spare && !ready) this.#warn('the browser that waited is not used');
    const workstation =
      ready ?? (await Workstation.start(session, this.order.limits, this.place, this.early, listener));
    this.#workstation = workstation;
    if (!this.#life.isOver) return workstation;
    await workstation.stop();
    return undefined;
  }

  /** Shows a workstation that was started, and starts another when a part of it ends. */
  #run(workstation: Workstation): void {
    this.#life.move('running');
    this.#services.use(workstation, this.#room?.people);
    this.#watchCursor(workstation);
    workstation.devices.pages.pointerLock.onChange = (locked) => this.#room?.lockPointer(locked);
    this.#streams.show(workstation.screen);
    void workstation.partEnded.then((end) => {
      if (!workstation.stopping) this.#onPartEnded(end);
    });
  }

  /** Chromium, Xorg or the window manager has ended: all of them are started again, since none is of use alone. */
  #onPartEnded({ asked, ...exit }: PartEnd): void {
    if (this.#life.isOver) return;
    this.#services.browserIsGone();
    this.#tellEnded(exit);
    const how = asked ? this.#restarts.closed() : this.#restarts.crashed();
    if (how === 'never') {
      void this.end('crashed', `${exit.name} keeps ending.`);
      return;
    }
    this.#life.move('restarting');
    const notice = asked ? NOTICES.browserClosed : this.#hung ? NOTICES.browserHung : NOTICES.browserCrashed;
    this.#hung = false;
    const restoreTabs = how === 'as-at-first' ? this.session.restoreTabs : how === 'with-tabs';
    void this.#restart({ ...this.session, restoreTabs }, notice).catch((error: unknown) =>
      this.#fail('The browser could not be started again.', error),
    );
  }

  #tellEnded({ name, ...fields }: ProcessExit): void {
    this.#warn(`${name} ended; starting again`, fields);
  }

  #warn(message: string, fields: Record<string, unknown> = {}): void {
    this.#log('warn', message, fields);
  }

  #log(level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown>): void {
    this.tell({ type: 'log', level, message, fields: { session: this.session.sessionId, ...fields } });
  }

  /** Ends a session that cannot go on. Viewers are told the sentence, the log the cause, which may be pages of output. */
  #fail(sentence: string, error: unknown): Promise<void> {
    if (!this.#life.isOver) this.#log('error', sentence, { cause: textOf(error) });
    return this.end('crashed', sentence);
  }

  async #restart(session: HostSession, notice: Notice): Promise<void> {
    const late = systemClock.setTimeout(
      () => void this.#fail('The browser could not be started again in time.', 'its parts do not answer'),
      RESTART_TIMEOUT_MS,
    );
    try {
      await this.#startAgain(session, notice);
    } finally {
      late.cancel();
    }
  }

  async #startAgain(session: HostSession, notice: Notice): Promise<void> {
    await this.#workstation?.stop();
    const workstation = await this.#startWorkstation(session);
    if (!workstation) return;
    this.#room?.useDevices(workstation.devices);
    this.#run(workstation);
    this.#room?.tellAll(notice);
  }

  /** A connection has come in, or never will. */
  #arrived({ userId }: ViewerHandover): void {
    if (this.#arriving.delete(userId)) this.tell({ type: 'arrived', userId });
  }

  #watchCursor(workstation: Workstation): void {
    if (this.session.hideCursor) this.#room?.showCursor({ type: 'cursor', shape: 'none' });
    else workstation.watchCursor((cursor) => this.#room?.showCursor(cursor));
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
