import { fork, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServerDisconnectReason, SessionMethod } from 'cloud-browser/protocol';
import {
  FILE_CHANNEL,
  type AuthorizationAnswer,
  type AuthorizationRequest,
  type AutomationHandover,
  type Bookmark,
  type CallingAgent,
  type FromHost,
  type HostPlace,
  type HostSession,
  type CloseKind,
  type ExpectedScreen,
  type ToHost,
  type TokenEnd,
  type ViewerHandover,
} from '../../host-protocol.js';
import { RECORDING_CHANNEL, type RecordingEnd, type RecordingOrder } from '../../recording-protocol.js';
import type { Log } from '../../platform/log.js';
import type { Clock, Timer } from '../../platform/time/clock.js';
import type { SessionLimits } from '../../platform/session-limits.js';
import type { FileAnswer, FileRequest, Host, HostListener } from '../../sessions/ports.js';
import type { RecordingSink } from '../../sessions/recordings/recording-ports.js';
import type { ListenerHandle } from '../egress-process.js';
import type { SessionGroup } from '../groups/session-group.js';
import type { ControlGroups } from '../groups/control-groups.js';
import { giveSocket } from '../give-socket.js';
import { hostArguments, hostCommand } from './host-command.js';
import { HostCalls } from './host-calls.js';
import { HostFailure } from './host-failure.js';
import { HostFiles } from './host-files.js';
import { HostNetwork, type Egress } from './host-network.js';
import { HostPreparation } from './host-preparation.js';
import { HostRecordings } from './host-recordings.js';
import { HostWatch } from './host-watch.js';
import { killGroup } from '../processes.js';

/** Limit of the time from `fork` to `ready`. */
const READY_TIMEOUT_MS = 20_000;
/** Limit of the time from `stop` (or `ended`) to the end of the process. */
export const STOP_TIMEOUT_MS = 4_000;
/** Characters of a host's output that are kept for the log: enough for an error with its stack. */
const OUTPUT_TAIL_CHARS = 4_096;

/** Options of a host process. */
export interface HostLaunch {
  /** Main module of the host. */
  entry: string;
  environment: Record<string, string>;
  egress: Egress;
  /** Limits of each session. */
  limits: SessionLimits;
  groups: Pick<ControlGroups, 'create'>;
  clock: Clock;
  log: Log;
}

/** Reason and message of a host's end. */
export type HostEnd = Omit<Extract<FromHost, { type: 'ended' }>, 'type'>;

/** One session host: an operating system process in a group of its own. */
export class HostProcess implements Host {
  /** Resolves when the process has isolated itself. Rejects with {@link HostFailure}. */
  readonly ready: Promise<void>;
  /** Resolves when its session's page is on the display, if that happens. */
  readonly shown: Promise<void>;
  /** Resolves when the process and its group are gone. */
  readonly gone: Promise<HostEnd>;

  readonly #child: ChildProcess;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #calls: HostCalls;
  readonly #files: HostFiles;
  readonly #recordings: HostRecordings;
  readonly #limits: SessionLimits;
  readonly #group: SessionGroup;
  readonly #network: HostNetwork;
  readonly #preparation: HostPreparation;
  #listener: HostListener | undefined;
  #markReady: () => void = () => undefined;
  #markShown: () => void = () => undefined;
  #output = '';
  #end: HostEnd | undefined;
  #killTimer: Timer | undefined;
  #watch: HostWatch | undefined;
  #stopReason: ServerDisconnectReason | undefined;

  constructor(
    launch: HostLaunch,
    readonly place: HostPlace,
    /** Screen of the session for which the host is started. Undefined if the host waits for a session. */
    expected?: ExpectedScreen,
  ) {
    this.#clock = launch.clock;
    this.#log = launch.log;
    this.#network = new HostNetwork(launch.egress, (interruption) =>
      this.#send({ type: 'interrupted', what: interruption === 'restarted' ? 'network' : 'part' }),
    );
    this.#limits = launch.limits;
    this.#group = launch.groups.create();
    this.#calls = new HostCalls(launch.clock, (message) => this.#send(message));
    this.#child = fork(launch.entry, hostArguments(place, expected), {
      detached: true,
      env: launch.environment,
      ...hostCommand(place, launch.limits),
      serialization: 'json',
      // The last two are FILE_CHANNEL and RECORDING_CHANNEL.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe', 'pipe'],
    });
    this.#files = new HostFiles(this.#child.stdio[FILE_CHANNEL] as Duplex);
    this.#recordings = new HostRecordings(this.#child.stdio.at(RECORDING_CHANNEL) as Duplex, (error) =>
      this.#log.error('a session host sent an invalid recording', { host: this.#child.pid, error }),
    );
    // Adds the host to the group before it starts any program, so that every program is in the group.
    if (this.#child.pid !== undefined) this.#group.add(this.#child.pid);
    this.#child.on('message', (message, handle: unknown) => this.#onMessage(message as FromHost, handle));
    // A host that closed its channel can neither serve nor receive a request to end.
    this.#child.once('disconnect', () => this.#killAfter(STOP_TIMEOUT_MS));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#output = (this.#output + text).slice(-OUTPUT_TAIL_CHARS);
    });
    this.gone = new Promise((resolve) => {
      // If the process cannot be started, `error` is emitted instead of `exit`.
      this.#child.once('error', (error) => resolve(this.#onExit(error.message)));
      this.#child.once('exit', (code, signal) => resolve(this.#onExit(signal ?? `exit code ${code}`)));
    });
    this.shown = new Promise((resolve) => (this.#markShown = resolve));
    this.ready = this.#becomeReady();
    // `gone` reports a failed warm host to the pool, often before any code waits for `ready`.
    this.ready.catch(() => undefined);
    this.#preparation = new HostPreparation({
      ...{ clock: this.#clock, group: this.#group, ready: this.ready },
      gone: this.gone.then(({ message }) => message),
      order: (session) => this.#send({ type: 'prepare', session, limits: this.#limits }),
      onEnded: (problem) => this.#endWarmHost(problem),
    });
  }

  /**
   * Starts a browser in the host before there is a session. Resolves when the browser is ready for a session.
   * Rejects with {@link HostFailure} if it does not start, or not in time. If the browser ends later, its
   * host ends as well.
   *
   * @param share share of the processor until the session starts
   */
  async prepare(session: HostSession, share: 'usual' | 'waiting'): Promise<void> {
    const problem = await this.#preparation.run(session, share);
    if (problem !== undefined) throw new HostFailure(problem, this.#output);
  }

  /** True if the pool has requested its end. */
  get stopped(): boolean {
    return this.#stopReason !== undefined;
  }

  /** True if the process has ended or cannot be reached any more. */
  get lost(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null || !this.#child.connected;
  }

  /**
   * Starts the session in the host. The listener receives all events except the end, which is {@link gone}.
   */
  start(session: HostSession, listener: HostListener): void {
    this.#listener = listener;
    this.#group.setShare('usual');
    this.#network.setProxy(session.httpProxy);
    this.#send({
      type: 'start',
      session: { ...session, httpProxy: null },
      limits: this.#limits,
      sharesProcessor: this.#group.sharesProcessor,
    });
  }

  /** Passes a viewer's socket to the host. Closes a socket that cannot be passed on. */
  attach(viewer: ViewerHandover, socket: Socket): void {
    giveSocket(this.#child, { type: 'viewer', viewer } satisfies ToHost, socket);
  }

  /** Passes the socket of a program to the host. Closes a socket that cannot be passed on. */
  automate(client: AutomationHandover, socket: Socket): void {
    giveSocket(this.#child, { type: 'automation', client } satisfies ToHost, socket);
  }

  admitAdmin(tokenId: string, hash: string): void {
    this.#send({ type: 'admitAdmin', tokenId, hash });
  }

  endToken(tokenId: string, reason: TokenEnd): void {
    this.#send({ type: 'revoke', tokenId, reason });
  }

  closeWarning(kind: CloseKind, delay: number | null): void {
    this.#send({ type: 'closeWarning', kind, delay });
  }

  addBookmarks(items: readonly Bookmark[]): void {
    this.#send({ type: 'bookmarks', items });
  }

  /** Performs a method of the session. Rejects with `HostCallError`. */
  call(method: SessionMethod, args: readonly unknown[], program?: CallingAgent): Promise<unknown> {
    return this.#calls.begin(method, args, program);
  }

  /** Sends the host a request for bytes of a file. Rejects with `HostCallError`. */
  file(request: FileRequest): Promise<FileAnswer> {
    return this.#files.ask(request);
  }

  record(order: RecordingOrder, sink: RecordingSink): void {
    this.#recordings.add(order.number, sink);
    this.#send({ type: 'record', order });
  }

  endRecording(number: number, reason: RecordingEnd): void {
    this.#send({ type: 'endRecording', number, reason });
  }

  mark(number: number, name: string): void {
    this.#send({ type: 'marker', number, name });
  }

  /** Requests that the host ends, and kills it if it does not. Resolves when it is gone. */
  async stop(reason: ServerDisconnectReason): Promise<void> {
    if (this.#stopReason === undefined) {
      this.#stopReason = reason;
      this.#send({ type: 'stop', reason });
      this.#killAfter(STOP_TIMEOUT_MS);
    }
    await this.gone;
  }

  /** Kills a host that has no session. Resolves when it is gone. */
  async kill(): Promise<void> {
    this.#stopReason ??= 'ended';
    this.#killGroup();
    await this.gone;
  }

  /** Removes the control groups of the host. Call after all processes of the session have ended. */
  removeGroup(): Promise<void> {
    return this.#group.remove();
  }

  /**
   * Ends a host whose warm browser has ended. If a session took the browser in the meantime, the host starts
   * another one itself.
   */
  #endWarmHost(problem: string): void {
    if (this.#listener) return;
    this.#log.warn('a browser that waited for its session has ended', { problem });
    void this.kill();
  }

  async #becomeReady(): Promise<void> {
    const timer = this.#clock.setTimeout(() => this.#killGroup(), READY_TIMEOUT_MS);
    const ready = new Promise<'ready'>((resolve) => (this.#markReady = () => resolve('ready')));
    const first = await Promise.race([ready, this.gone]);
    timer.cancel();
    if (first !== 'ready') throw new HostFailure(first.message, this.#output);
    this.#watch = new HostWatch({
      clock: this.#clock,
      pid: this.#child.pid ?? -1,
      ping: () => this.#send({ type: 'ping' }),
      onContinued: () => this.#onContinued(),
      onHang: (milliseconds) => this.#endHung(milliseconds),
    });
  }

  #onContinued(): void {
    this.#log.warn('a session host was stopped and is continued', { host: this.#child.pid });
    this.#send({ type: 'interrupted', what: 'part' });
  }

  #endHung(milliseconds: number): void {
    this.#log.error('a session host does not answer and is ended', { host: this.#child.pid, milliseconds });
    const message = `The session host did not answer for ${Math.round(milliseconds / 1000)} s.`;
    this.#end ??= { reason: this.#stopReason ?? 'crashed', message };
    this.#killGroup();
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
        this.#end = this.#endOf(message);
        this.#killAfter(STOP_TIMEOUT_MS);
        break;
      case 'started':
        this.#calls.started();
        this.#markShown();
        this.#listener?.onStarted(message.timings);
        break;
      case 'viewers':
        this.#listener?.onViewers(message.count);
        break;
      case 'arrived':
        this.#listener?.onArrived(message.userId);
        break;
      case 'busy':
        this.#group.setShare(message.busy ? 'busy' : 'usual');
        break;
      case 'activity':
        this.#listener?.onActivity();
        break;
      case 'freezer':
        void this.#openFreezer();
        break;
      case 'standby':
        this.#group.standBy(message.standby);
        this.#listener?.onStandby(message.standby);
        break;
      case 'handoff':
        this.#listener?.onHandoff(message.state);
        break;
      case 'agentUse':
        this.#listener?.onAgentUse(message.use);
        break;
      case 'authorize':
        void this.#authorize(message);
    }
  }

  async #authorize(request: AuthorizationRequest): Promise<void> {
    let answer: AuthorizationAnswer | undefined;
    try {
      answer = await this.#listener?.onAuthorize(request);
    } catch (error) {
      this.#log.error('could not authorize a viewer', { error });
    }
    answer ??= { granted: false, message: 'The service failed. Try again.' };
    this.#send({ type: 'authorized', request: request.request, answer });
  }

  /** Answers the host that wants to freeze its programs. */
  async #openFreezer(): Promise<void> {
    const { pid } = this.#child;
    const file = pid === undefined ? undefined : await this.#group.openFreezer(pid, this.place.uid);
    this.#send({ type: 'freezer', file: file ?? null });
  }

  /**
   * Returns the end with its real reason. If the kernel had no memory left for the session, the browser
   * crashed because of that.
   */
  #endOf({ reason, message }: HostEnd): HostEnd {
    return {
      reason: reason === 'crashed' && this.#group.ranOutOfMemory ? 'resource_limit' : reason,
      message,
    };
  }

  #onExit(how: string): HostEnd {
    this.#killTimer?.cancel();
    this.#watch?.stop();
    this.#killGroup();
    this.#calls.abandon();
    this.#files.close();
    this.#network.close();
    if (this.#end) return this.#end;
    if (this.#stopReason) return { reason: this.#stopReason, message: 'The session host was stopped.' };
    if (this.#group.ranOutOfMemory)
      return { reason: 'resource_limit', message: 'The session host had no memory left.' };
    const fields = { host: this.#child.pid, how, output: this.#output };
    this.#log.error('a session host stopped unexpectedly', fields);
    return { reason: 'crashed', message: `The session host stopped unexpectedly (${how}).` };
  }

  #killAfter(milliseconds: number): void {
    this.#killTimer ??= this.#clock.setTimeout(() => this.#killGroup(), milliseconds);
  }

  #killGroup(): void {
    if (this.#child.pid !== undefined) killGroup(this.#child.pid);
  }

  #send(message: ToHost): void {
    // A host that is already gone receives nothing. `gone` reports its end.
    this.#child.send(message, () => undefined);
  }
}
