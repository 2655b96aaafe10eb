import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { ServerDisconnectReason, SessionMethod } from 'cloud-browser/protocol';
import type {
  AutomationHandover,
  Bookmark,
  CallingAgent,
  HostPlace,
  HostSession,
  TimeoutKind,
  TokenEnd,
  ViewerHandover,
} from '../../server/src/host-protocol.js';
import type {
  FileAnswer,
  FileRequest,
  Host,
  HostListener,
  HostPool,
  ProfileSave,
  ProfileTransfer,
} from '../../server/src/sessions/ports.js';
import type { ProfileWorkingCopy } from '../../server/src/sessions/profiles/profile-claims.js';
import type { RecordingEnd, RecordingOrder } from '../../server/src/recording-protocol.js';
import type { RecordingSink } from '../../server/src/sessions/recordings/recording-ports.js';
import { workingCopyOf } from './working-copy.js';

/** The place of hosts that a test gave no place. */
export const NOWHERE: HostPlace = { directory: '/nowhere', extensions: '/nowhere' };

/** A session host that runs no browser and records its calls. */
export class FakeHost implements Host {
  readonly programs: { client: AutomationHandover; socket: Socket }[] = [];
  readonly viewers: { viewer: ViewerHandover; socket: Socket }[] = [];
  readonly warnings: { kind: TimeoutKind; delay: number | null }[] = [];
  readonly admins: { tokenId: string; hash: string }[] = [];
  readonly endedTokens: { tokenId: string; reason: TokenEnd }[] = [];
  readonly bookmarks: Bookmark[] = [];
  readonly calls: { method: SessionMethod; args: readonly unknown[] }[] = [];
  /** The program of each call. Undefined for calls of the service itself. */
  readonly callers: (CallingAgent | undefined)[] = [];
  /** Signals of the calls. A signal is aborted when the client of its call has gone. */
  readonly leaving: (AbortSignal | undefined)[] = [];
  /** Performs a call; the caller receives its result or the error that it throws. */
  perform: (method: SessionMethod, args: readonly unknown[]) => unknown = () => null;
  readonly files: FileRequest[] = [];
  /** Answers a request for bytes of a file. */
  answerFile: (request: FileRequest) => FileAnswer | Promise<FileAnswer> = () => ({
    status: 404,
    body: Readable.from([]),
  });
  stopReason: ServerDisconnectReason | undefined;

  constructor(
    readonly session: HostSession,
    readonly profile: ProfileTransfer,
    readonly listener: HostListener,
  ) {}

  attach(viewer: ViewerHandover, socket: Socket): void {
    this.viewers.push({ viewer, socket });
    socket.end();
  }

  automate(client: AutomationHandover, socket: Socket): void {
    this.programs.push({ client, socket });
    socket.end();
  }

  admitAdmin(tokenId: string, hash: string): void {
    this.admins.push({ tokenId, hash });
  }

  endToken(tokenId: string, reason: TokenEnd): void {
    this.endedTokens.push({ tokenId, reason });
  }

  closeWarning(kind: TimeoutKind, delay: number | null): void {
    this.warnings.push({ kind, delay });
  }

  addBookmarks(items: readonly Bookmark[]): void {
    this.bookmarks.push(...items);
  }

  async call(
    method: SessionMethod,
    args: readonly unknown[],
    program?: CallingAgent,
    leaving?: AbortSignal,
  ): Promise<unknown> {
    this.calls.push({ method, args });
    this.callers.push(program);
    this.leaving.push(leaving);
    return await this.perform(method, args);
  }

  async file(request: FileRequest): Promise<FileAnswer> {
    this.files.push(request);
    return await this.answerFile(request);
  }

  /** Recordings that were ordered, with the receiver of each. */
  readonly recordings: { order: RecordingOrder; sink: RecordingSink }[] = [];
  readonly recordingEnds: { number: number; reason: RecordingEnd }[] = [];
  readonly markers: { number: number; name: string }[] = [];

  record(order: RecordingOrder, sink: RecordingSink): void {
    this.recordings.push({ order, sink });
  }

  endRecording(number: number, reason: RecordingEnd): void {
    this.recordingEnds.push({ number, reason });
  }

  mark(number: number, name: string): void {
    this.markers.push({ number, name });
  }

  requestKeyFrame(): void {
    // A test of this host sends its parts by itself.
  }

  async stop(reason: ServerDisconnectReason): Promise<void> {
    this.stopReason ??= reason;
    const { save } = this.profile;
    if (save) await save.run(NOWHERE).catch((error: unknown) => save.failed(error));
    this.listener.onEnded(this.stopReason, 'Stopped.');
  }
}

/** Accepts every session, or fails with the error that a test sets. */
export class FakeHostPool implements HostPool {
  readonly hosts: FakeHost[] = [];
  /** Profiles that a killed service left, by their ids. */
  left: string[] = [];
  /** Saves that were taken over. */
  readonly takenUp: ProfileSave[] = [];
  failure: Error | undefined;
  /** True if hosts show their page as soon as they have accepted. */
  showsAtOnce = false;
  /** When set, hosts accept only after it resolves. */
  gate: Promise<void> = Promise.resolve();

  async start(session: HostSession, profile: ProfileTransfer, listener: HostListener): Promise<Host> {
    await this.gate;
    if (this.failure) throw this.failure;
    await profile.load?.(NOWHERE);
    const host = new FakeHost(session, profile, listener);
    this.hosts.push(host);
    if (this.showsAtOnce) queueMicrotask(() => listener.onStarted({}));
    return host;
  }

  recover(saveOf: (left: ProfileWorkingCopy) => ProfileSave): void {
    this.takenUp.push(...this.left.map((profile) => saveOf(workingCopyOf(profile))));
  }

  async close(): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.stop('ended')));
  }

  /** The host that was started last. */
  get last(): FakeHost {
    const host = this.hosts.at(-1);
    if (!host) throw new Error('No host was started.');
    return host;
  }
}
