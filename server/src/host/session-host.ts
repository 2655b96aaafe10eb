import type { Socket } from 'node:net';
import type { InputEvent, Notice, ServerDisconnectReason } from 'cloud-browser/protocol';
import type {
  AuthorizationAnswer,
  CloseKind,
  FromHost,
  HostPlace,
  HostSession,
  TokenEnd,
  ViewerHandover,
} from '../host-protocol.js';
import { openRecordingChannel } from './recording-channel.js';
import type { EarlyParts } from './workstation/early-parts.js';
import { FeatureSet } from './features/feature-set.js';
import type { WarmWorkstation } from './workstation/warm-workstation.js';
import { streamParts } from './stream/stream-parts.js';
import { systemClock } from '../platform/time/clock.js';
import { ActivityReport } from './room/activity-report.js';
import { ArrivingViewers } from './room/entrance/arriving-viewers.js';
import { AuthorizationRequests } from './room/authorization-requests.js';
import { AdminTokens } from './room/calls/admin-tokens.js';
import { Calls } from './room/calls/calls.js';
import { CloseWarnings } from './room/close-warnings.js';
import { SessionStandby } from './session-standby.js';
import { enforceLimits, type StartOrder } from './enforce-limits.js';
import type { ResourceWatch } from './limits/resource-watch.js';
import { EndedTokens } from './room/ended-tokens.js';
import { NOTICES } from './room/notices.js';
import { Room } from './room/room.js';
import { RoomReports } from './room-reports.js';
import { ScreenChanges } from './workstation/screen-changes.js';
import { ServiceOrders } from './service-orders.js';
import { SessionLog, textOf } from './session-log.js';
import { SessionStateMachine } from './session-state.js';
import { SessionWorkstation, type WorkstationOwner } from './session-workstation.js';
import { SessionUsers } from './room/users/session-users.js';
import type { Viewer } from './room/viewers/viewer.js';
import { StreamHub } from './stream/stream-hub.js';
import { watchProcesses } from './workstation/watch-processes.js';
import type { Workstation } from './workstation/workstation.js';

/** Milliseconds between two activity reports. This is the precision of the inactivity timeout. */
const ACTIVITY_INTERVAL_MS = 250;

/**
 * One session, from start to end. It has a workstation (the display with the browser), the streams that show
 * the display, and the room of the users.
 */
export class SessionHost {
  private readonly session: HostSession;
  /** Carries out orders of the service when the session is open. */
  readonly orders: ServiceOrders;
  readonly #log: SessionLog;
  readonly #arriving: ArrivingViewers;
  readonly #streams: StreamHub;
  readonly #calls: Calls;
  readonly #screen: ScreenChanges;
  readonly #authorizations: AuthorizationRequests;
  readonly #warnings = new CloseWarnings(() => performance.now());
  readonly #admins: AdminTokens;
  readonly #endedTokens = new EndedTokens();
  readonly #activity = new ActivityReport(() => this.tell({ type: 'activity' }), ACTIVITY_INTERVAL_MS);
  readonly #workstation: SessionWorkstation;
  #watch: ResourceWatch | undefined;
  #room: Room | undefined;
  #features: FeatureSet | undefined;
  readonly #life = new SessionStateMachine();
  readonly #standby: SessionStandby;
  /** The promise of the first call of {@link end}. */
  #end: Promise<void> | undefined;

  constructor(
    private readonly order: StartOrder,
    private readonly place: HostPlace,
    private readonly early: EarlyParts,
    private readonly tell: (message: FromHost) => void,
    /** A browser that already runs with the settings of this session. */
    warm: WarmWorkstation | undefined,
  ) {
    const { session } = order;
    this.session = session;
    this.#log = new SessionLog(session.sessionId, tell);
    this.#arriving = new ArrivingViewers((userId) => this.tell({ type: 'arrived', userId }));
    this.#authorizations = new AuthorizationRequests((request) =>
      this.tell({ type: 'authorize', ...request }),
    );
    this.#admins = new AdminTokens(session.adminTokenHash);
    this.#calls = new Calls(
      (token) => this.#admins.accepts(token),
      (hash) => this.#admins.acceptsHash(hash),
    );
    this.#streams = new StreamHub(
      (media, size) => streamParts(session, media, size),
      (error) => void this.#fail('The picture of the session could not be encoded.', error),
    );
    this.#workstation = new SessionWorkstation(order, place, early, this.#workstationOwner(), warm);
    this.#standby = new SessionStandby(order, {
      ...{ sound: early.sound, tell },
      isUsed: () => this.#isUsed,
      workstation: () => this.#workstation.current,
      onFailure: (error) => void this.#fail('The session could not be continued.', error),
    });
    this.orders = new ServiceOrders({
      ...{ calls: this.#calls, standby: this.#standby, log: this.#log, tell },
      features: () => this.#features,
      workstation: () => this.#workstation.current,
      isOver: () => this.#life.isOver,
    });
    // The screen can change only after the room for viewers was opened.
    const shown = () => (this.#room ? this.#workstation.current : undefined);
    this.#screen = new ScreenChanges(session, this.#streams, shown, (message) =>
      this.#room?.tellAll(message),
    );
  }

  /** Starts the session. If the start fails, ends the session with a reason. */
  async start(): Promise<void> {
    const warn = (message: string, fields: Record<string, unknown>) => this.#log.warn(message, fields);
    const notify = (notice: Notice) => this.#notify(notice);
    const processes = watchProcesses({
      ...{ warn, notify },
      isStopping: () => this.#workstation.current?.stopping ?? true,
      endBrowser: () => this.#workstation.current?.endBrowser(),
    });
    this.#watch = enforceLimits(this.order, this.place, {
      ...{ tell: this.tell, warn },
      onPageEnded: () => this.#workstation.pageEnded(),
      end: (sentence) => void this.end('resource_limit', sentence),
      onLook: (uses, now) => {
        if (!this.#standby.frozen) processes.look(uses, now);
      },
    });
    try {
      const workstation = await this.#workstation.start();
      if (!workstation) return;
      const room = this.#openRoom(workstation);
      this.early.sound.play({
        wanted: () => room.isHeard || (this.#features?.listens ?? false),
        onSound: (packet) => {
          room.sound(packet);
          this.#features?.soundCame(packet);
        },
        onRestart: () => {
          this.#workstation.current?.reconnectSound();
          room.tellAll(NOTICES.soundRestarted);
        },
        onCardHung: (milliseconds) =>
          this.#log.warn('PulseAudio does not answer and is ended', { milliseconds }),
        onCardEnded: (exit) => this.#log.programEnded(exit),
        onFailure: (message) => this.#log.warn(message),
      });
      this.#workstation.run(workstation);
      this.tell({ type: 'started', timings: workstation.timings });
      this.orders.open();
      this.#arriving.open((socket, viewer) => room.enter(socket, viewer));
    } catch (error) {
      await this.#fail('The session could not start.', error);
    }
  }

  /** Makes the features of the session, and the room of its users. */
  #openRoom({ devices }: Workstation): Room {
    const users = new SessionUsers(this.#calls, this.session.automation ?? undefined);
    const features = new FeatureSet({
      ...{
        session: this.session,
        place: this.place.directory,
        limits: this.order.limits,
        clock: systemClock,
      },
      ...{ calls: this.#calls, users, devices, streams: this.#streams, endedTokens: this.#endedTokens },
      frames: this.#streams,
      openRecordingChannel,
      changeScreen: (shape) => this.#screen.apply(shape),
      reveal: (viewer) => this.#room?.reveal(viewer),
      onHandoff: (state) => this.tell({ type: 'handoff', state }),
      log: (level, message, fields) => this.#log.write(level, message, fields),
      onActivity: () => this.#activity.active(),
      onAct: (viewer, event) => this.#acted(viewer, event),
    });
    const listener = new RoomReports({
      ...{ tell: this.tell, log: this.#log },
      ...{ authorizations: this.#authorizations, warnings: this.#warnings },
      acted: (viewer, event) => this.#acted(viewer, event),
    });
    this.#features = features;
    const room = new Room({
      ...{ session: this.session, streams: this.#streams, devices, calls: this.#calls, users, listener },
      ...{ features: features.list, limits: this.order.limits, endedTokens: this.#endedTokens },
    });
    this.#room = room;
    return room;
  }

  /** Takes over a viewer's TCP connection. The service has read and allowed its upgrade request. */
  takeViewer(viewer: ViewerHandover, socket: Socket): void {
    this.#standby.wake();
    this.#arriving.take(viewer, socket);
  }

  /** Handles the service's answer about the control group of the session's programs. */
  takeFreezer(file: string | null): void {
    this.#standby.takeFreezer(file);
  }

  /** Handles the service's answer about a user who asked to join. */
  authorized(request: number, answer: AuthorizationAnswer): void {
    this.#authorizations.answered(request, answer);
  }

  /** Accepts another admin token, which the service has issued. `hash` is the hash of the token. */
  admitAdmin(tokenId: string, hash: string): void {
    this.#admins.add(tokenId, hash);
  }

  /** Ends the connections that a token admitted, because the token has ended. */
  endToken(tokenId: string, reason: TokenEnd): void {
    this.#endedTokens.end(tokenId, reason);
    if (this.#admins.remove(tokenId)) this.#room?.adminsChanged((hash) => this.#admins.acceptsHash(hash));
  }

  /** Notifies viewers that the network was restarted, or that a stopped part of the session was continued. */
  interrupted(what: 'network' | 'part'): void {
    this.#notify(what === 'network' ? NOTICES.networkRestarted : NOTICES.browserResumed);
  }

  /** Warns viewers that the session ends in `delay` milliseconds. Null withdraws the warning. */
  closeWarning(kind: CloseKind, delay: number | null): void {
    const warning = this.#warnings.set(kind, delay);
    this.#room?.tellAll(warning);
  }

  /** Ends the session and all its processes. Only the first reason is used. */
  end(reason: ServerDisconnectReason, message: string): Promise<void> {
    this.#end ??= this.#endAll(reason, message);
    return this.#end;
  }

  async #endAll(reason: ServerDisconnectReason, message: string): Promise<void> {
    this.#life.move('ending');
    // Continues frozen programs, so that the browser can write its profile and exit.
    this.#standby.end();
    this.orders.open();
    this.#room?.close(reason, message);
    this.#activity.close();
    this.#watch?.stop();
    this.#arriving.close(reason, message);
    const featuresEnded = Promise.allSettled([this.#features?.stop()]);
    this.#streams.close();
    await this.orders.finish();
    const parts = await Promise.allSettled([this.#workstation.stop(), this.early.sound.stop()]);
    // Only the last message tells the service the reason of the end. So the host sends this message even if a
    // part did not stop.
    for (const part of [...parts, ...(await featuresEnded)])
      if (part.status === 'rejected')
        this.#log.write('error', 'A part of the session did not stop.', { cause: textOf(part.reason) });
    this.#standby.close();
    this.#life.move('ended');
    this.tell({ type: 'ended', reason, message });
  }

  /** Connects the workstation with the session's other parts. */
  #workstationOwner(): WorkstationOwner {
    return {
      life: this.#life,
      warn: (message, fields) => this.#log.warn(message, fields),
      notify: (notice) => this.#notify(notice),
      onRunning: (workstation) => {
        this.#watch?.lookSoon();
        this.#features?.browserStarted(workstation);
        this.orders.browserStarted();
        this.#watchCursor(workstation);
        this.#streams.show(workstation.screen);
      },
      onReplaced: ({ devices }) => this.#room?.useDevices(devices),
      onPartEnded: (exit) => {
        this.#standby.wake();
        this.#features?.browserIsGone();
        this.#log.programEnded(exit);
      },
      giveUp: (sentence) => void this.end('crashed', sentence),
      fail: (sentence, error) => void this.#fail(sentence, error),
    };
  }

  /**
   * True while a viewer, a program or a feature uses the session. Also true while the session starts,
   * restarts its browser or ends.
   */
  get #isUsed(): boolean {
    const someone = this.#arriving.any || (this.#room?.isUsed ?? false);
    return someone || (this.#features?.busy ?? false) || this.#life.state !== 'running';
  }

  /** Handles input of a user, or a user's request to keep the session open. */
  #acted(viewer?: Viewer, event?: InputEvent): void {
    if (viewer && event) this.#features?.userActed(viewer, event);
    this.#activity.active();
    this.#workstation.current?.acted();
  }

  #notify(notice: Notice): void {
    this.#room?.tellAll(notice);
  }

  /**
   * Ends a session that cannot continue. Viewers receive only the sentence. The log also gets the cause,
   * which may contain many lines of a program's output.
   */
  #fail(sentence: string, error: unknown): Promise<void> {
    if (!this.#life.isOver) this.#log.write('error', sentence, { cause: textOf(error) });
    return this.end('crashed', sentence);
  }

  #watchCursor(workstation: Workstation): void {
    if (this.session.hideCursor) this.#room?.showCursor({ type: 'cursor', shape: 'none' });
    else workstation.watchCursor((cursor) => this.#room?.showCursor(cursor));
  }
}
