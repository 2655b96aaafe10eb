import type { Socket } from 'node:net';
import type { ServerDisconnectReason, SessionMethod } from 'cloud-browser/protocol';
import {
  FILE_CHANNEL,
  type AutomationHandover,
  type Bookmark,
  type CallingAgent,
  type FromHost,
  type HostPlace,
  type HostSession,
  type CloseKind,
  type ExpectedScreen,
  type TokenEnd,
  type ViewerHandover,
} from '../../host-protocol.js';
import { RECORDING_CHANNEL, type RecordingEnd, type RecordingOrder } from '../../recording-protocol.js';
import type { Log } from '../../platform/log.js';
import { notReadyIn } from '../../platform/process/start-advice.js';
import type { Clock } from '../../platform/time/clock.js';
import type { SessionLimits } from '../../platform/session-limits.js';
import type { FileAnswer, FileRequest, Host, HostListener } from '../../sessions/ports.js';
import type { RecordingSink } from '../../sessions/recordings/recording-ports.js';
import type { ListenerHandle } from '../egress-process.js';
import type { SessionGroup } from '../groups/session-group.js';
import type { ControlGroups } from '../groups/control-groups.js';
import { HostCalls } from './host-calls.js';
import { HostChild, type HostProgram } from './host-child.js';
import { HostEndCause, type HostEnd } from './host-end.js';
import { HostFailure } from './host-failure.js';
import { HostFiles } from './host-files.js';
import { HostNetwork, type Egress } from './host-network.js';
import { HostPreparation } from './host-preparation.js';
import { HostRecordings } from './host-recordings.js';
import { HostReports } from './host-reports.js';
import { HostWatch } from './host-watch.js';

/** Longest time in milliseconds from `fork` to the message `ready`. */
const READY_TIMEOUT_MS = 20_000;
/** Longest time in milliseconds from the message `stop` or `ended` to the end of the process. */
export const STOP_TIMEOUT_MS = 5_500;
/**
 * The same time for a session whose profile is kept. On a slow machine, the browser needs several seconds to
 * write the profile. A killed browser loses what it has not written, for example cookies. The time is below
 * the 25 s for which a client waits for the end of a session.
 */
export const SAVING_STOP_TIMEOUT_MS = 20_000;

/** Options of a host process. */
export interface HostLaunch extends HostProgram {
  egress: Egress;
  groups: Pick<ControlGroups, 'create'>;
  log: Log;
}

/**
 * The process of one session host. Exchanges messages with the host, connects its network, and reports its
 * end.
 */
export class HostProcess implements Host {
  /**
   * Resolves when the process has isolated itself and accepts a session. Rejects with {@link HostFailure}.
   */
  readonly ready: Promise<void>;
  /** Resolves when the page of the session is on the display. May never resolve. */
  readonly shown: Promise<void>;
  /** Resolves when the process has ended and the rest of its process group was killed. */
  readonly gone: Promise<HostEnd>;

  readonly #child: HostChild;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #calls: HostCalls;
  readonly #files: HostFiles;
  readonly #recordings: HostRecordings;
  readonly #limits: SessionLimits;
  readonly #group: SessionGroup;
  readonly #network: HostNetwork;
  readonly #preparation: HostPreparation;
  readonly #reports: HostReports;
  #markReady: () => void = () => undefined;
  #markShown: () => void = () => undefined;
  readonly #cause: HostEndCause;
  #watch: HostWatch | undefined;
  #stopTimeout = STOP_TIMEOUT_MS;

  /** Throws the errors of {@link HostChild}. */
  constructor(
    launch: HostLaunch,
    readonly place: HostPlace,
    /** Screen of the session for which the host is started. Undefined if the host waits for a session. */
    expected?: ExpectedScreen,
  ) {
    this.#clock = launch.clock;
    this.#log = launch.log;
    this.#network = new HostNetwork(launch.egress, (interruption) =>
      this.#child.send({ type: 'interrupted', what: interruption === 'restarted' ? 'network' : 'part' }),
    );
    this.#limits = launch.limits;
    this.#group = launch.groups.create();
    this.#cause = new HostEndCause(this.#group);
    this.#calls = new HostCalls(launch.clock, (message) => this.#child.send(message));
    this.#reports = new HostReports(launch.log, (message) => this.#child.send(message));
    try {
      this.#child = new HostChild(launch, place, expected, {
        onMessage: (message, handle) => this.#onMessage(message, handle),
        onDisconnect: () => this.#child.killAfter(this.#stopTimeout),
      });
    } catch (error) {
      void this.#group.remove();
      throw error;
    }
    this.#files = new HostFiles(this.#child.channel(FILE_CHANNEL));
    this.#recordings = new HostRecordings(
      this.#child.channel(RECORDING_CHANNEL),
      (error) =>
        this.#log.error('a session host sent an invalid recording', { host: this.#child.pid, error }),
      () => (this.stopped ? 'session_ended' : 'interrupted'),
    );
    // Adds the host to its control group before the host starts any program. So every program is in the
    // group.
    if (this.#child.pid !== undefined) this.#group.add(this.#child.pid);
    this.gone = this.#child.exited.then((how) => this.#onExit(how));
    this.shown = new Promise((resolve) => (this.#markShown = resolve));
    this.ready = this.#becomeReady();
    // Prevents an unhandled rejection, because a warm host can fail before any code waits for `ready`. `gone`
    // reports the failure to the pool.
    this.ready.catch(() => undefined);
    this.#preparation = new HostPreparation({
      ...{ clock: this.#clock, group: this.#group, ready: this.ready },
      gone: this.gone.then(({ message }) => message),
      order: (session) => this.#child.send({ type: 'prepare', session, limits: this.#limits }),
      onEnded: (problem) => this.#endWarmHost(problem),
    });
  }

  /**
   * Starts a browser in the host before there is a session. Resolves when the browser is ready for a session.
   * Rejects with {@link HostFailure} if the browser does not start in time. If the browser ends later, before
   * the host has a session, the host ends as well.
   *
   * @param share share of the processor until the session starts
   */
  async prepare(session: HostSession, share: 'usual' | 'waiting'): Promise<void> {
    const problem = await this.#preparation.run(session, share);
    if (problem !== undefined) throw new HostFailure(problem, this.#child.output);
  }

  /** True if the pool has requested the end of the host. */
  get stopped(): boolean {
    return this.#cause.requested;
  }

  /** True if the process has ended or cannot be reached any more. */
  get lost(): boolean {
    return this.#child.lost;
  }

  /**
   * Starts the session in the host. The listener receives all events except the end, which {@link gone}
   * reports.
   */
  start(session: HostSession, listener: HostListener): void {
    this.#reports.listener = listener;
    if (session.keepProfile) this.#stopTimeout = SAVING_STOP_TIMEOUT_MS;
    this.#group.setShare('usual');
    this.#network.setProxy(session.httpProxy);
    this.#child.send({
      type: 'start',
      session: { ...session, httpProxy: null },
      limits: this.#limits,
      sharesProcessor: this.#group.sharesProcessor,
    });
  }

  /** Passes a viewer's socket to the host. Closes a socket that cannot be passed on. */
  attach(viewer: ViewerHandover, socket: Socket): void {
    this.#child.giveSocket({ type: 'viewer', viewer }, socket);
  }

  /** Passes the socket of a program to the host. Closes a socket that cannot be passed on. */
  automate(client: AutomationHandover, socket: Socket): void {
    this.#child.giveSocket({ type: 'automation', client }, socket);
  }

  admitAdmin(tokenId: string, hash: string): void {
    this.#child.send({ type: 'admitAdmin', tokenId, hash });
  }

  endToken(tokenId: string, reason: TokenEnd): void {
    this.#child.send({ type: 'revoke', tokenId, reason });
  }

  closeWarning(kind: CloseKind, delay: number | null): void {
    this.#child.send({ type: 'closeWarning', kind, delay });
  }

  addBookmarks(items: readonly Bookmark[]): void {
    this.#child.send({ type: 'bookmarks', items });
  }

  /** Performs a method of the session. Rejects with `HostCallError`. */
  call(
    method: SessionMethod,
    args: readonly unknown[],
    program?: CallingAgent,
    leaving?: AbortSignal,
  ): Promise<unknown> {
    return this.#calls.begin(method, args, program, leaving);
  }

  /** Sends the host a request to download or upload bytes of a file. Rejects with `HostCallError`. */
  file(request: FileRequest): Promise<FileAnswer> {
    return this.#files.ask(request);
  }

  record(order: RecordingOrder, sink: RecordingSink): void {
    this.#recordings.add(order.number, sink);
    this.#child.send({ type: 'record', order });
  }

  endRecording(number: number, reason: RecordingEnd): void {
    this.#child.send({ type: 'endRecording', number, reason });
  }

  mark(number: number, name: string): void {
    this.#child.send({ type: 'marker', number, name });
  }

  requestKeyFrame(number: number): void {
    this.#child.send({ type: 'recordedKeyFrame', number });
  }

  /**
   * Requests the end of the host, and kills the host if it does not end in time. Resolves when the host is
   * gone.
   */
  async stop(reason: ServerDisconnectReason): Promise<void> {
    if (!this.#cause.requested) {
      this.#cause.request(reason);
      this.#child.send({ type: 'stop', reason });
      this.#child.killAfter(this.#stopTimeout);
    }
    await this.gone;
  }

  /** Kills a host that has no session. Resolves when the host is gone. */
  async kill(): Promise<void> {
    this.#cause.request('ended');
    this.#child.kill();
    await this.gone;
  }

  /** Removes the control groups of the host. Call after all processes of the session have ended. */
  removeGroup(): Promise<void> {
    return this.#group.remove();
  }

  /**
   * Ends a host whose warm browser has ended. Does nothing if a session has taken the host in the meantime,
   * because the host then starts another browser itself.
   */
  #endWarmHost(problem: string): void {
    if (this.#reports.listener) return;
    this.#log.warn('a warm browser ended before a session took it', { problem });
    void this.kill();
  }

  async #becomeReady(): Promise<void> {
    let late: string | undefined;
    const timer = this.#clock.setTimeout(() => {
      late = `A session host does not start: ${notReadyIn(READY_TIMEOUT_MS)}.`;
      this.#child.kill();
    }, READY_TIMEOUT_MS);
    const ready = new Promise<'ready'>((resolve) => (this.#markReady = () => resolve('ready')));
    const first = await Promise.race([ready, this.gone]);
    timer.cancel();
    if (first !== 'ready') throw new HostFailure(late ?? first.message, this.#child.output);
    this.#watch = new HostWatch({
      clock: this.#clock,
      pid: this.#child.pid ?? -1,
      ping: () => this.#child.send({ type: 'ping' }),
      onContinued: () => this.#onContinued(),
      onHang: (milliseconds) => this.#endHung(milliseconds),
    });
  }

  #onContinued(): void {
    this.#log.warn('a session host was stopped and is continued', { host: this.#child.pid });
    this.#child.send({ type: 'interrupted', what: 'part' });
  }

  #endHung(milliseconds: number): void {
    this.#log.error('a session host does not answer and is ended', { host: this.#child.pid, milliseconds });
    this.#cause.hang(milliseconds);
    this.#child.kill();
  }

  #onMessage(message: FromHost, handle: unknown): void {
    switch (message.type) {
      case 'ready':
        this.#markReady();
        break;
      case 'pong':
        this.#watch?.pong();
        break;
      case 'prepared':
        this.#preparation.answered();
        break;
      case 'unprepared':
        this.#preparation.answered(message.message);
        break;
      case 'network':
        this.#network.takeListener(handle as ListenerHandle | undefined);
        break;
      case 'log':
        this.#log[message.level](message.message, { ...message.fields, host: this.#child.pid });
        break;
      case 'called':
        this.#calls.settle(message);
        break;
      case 'ended':
        this.#cause.report(message);
        this.#child.killAfter(this.#stopTimeout);
        break;
      case 'busy':
        this.#group.setShare(message.busy ? 'busy' : 'usual');
        break;
      case 'freezer':
        void this.#openFreezer();
        break;
      case 'started':
        this.#calls.started();
        this.#markShown();
        this.#reports.take(message);
        break;
      case 'standby':
        this.#group.standBy(message.standby);
        this.#reports.take(message);
        break;
      default:
        this.#reports.take(message);
    }
  }

  /** Answers the host's request for the control file that freezes its programs. */
  async #openFreezer(): Promise<void> {
    const { pid } = this.#child;
    const file = pid === undefined ? undefined : await this.#group.openFreezer(pid, this.place.uid);
    this.#child.send({ type: 'freezer', file: file ?? null });
  }

  #onExit(how: string): HostEnd {
    this.#watch?.stop();
    this.#calls.abandon();
    this.#files.close();
    this.#network.close();
    const known = this.#cause.find();
    if (known) return known;
    const fields = { host: this.#child.pid, how, output: this.#child.output };
    this.#log.error('a session host stopped unexpectedly', fields);
    return { reason: 'crashed', message: `The session host stopped unexpectedly (${how}).` };
  }
}
