import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { ServerDisconnectReason, SessionMethod } from 'cloud-browser/protocol';
import type {
  AuthorizationAnswer,
  AuthorizationRequest,
  Bookmark,
  HostPlace,
  HostSession,
  CloseKind,
  ViewerHandover,
} from '../host-protocol.js';
import type { Moment, SessionRecord } from './session-record.js';
import type { Months } from './usage.js';

/** What a running host tells about itself. Every host ends with exactly one `onEnded`. */
export interface HostListener {
  /** The start page is on the display. */
  onStarted(timings: Record<string, number>): void;
  onViewers(count: number): void;
  /** A connection that was given to the host has become a viewer, which was told before, or is over. */
  onArrived(userId: string): void;
  /** A person did something. */
  onActivity(): void;
  /** Somebody waits to be let in. */
  onAuthorize(request: AuthorizationRequest): Promise<AuthorizationAnswer>;
  /** The session is over, by request or by itself; nothing of it runs any more, and its profile was saved if it could be. */
  onEnded(reason: ServerDisconnectReason, message: string): void;
}

/** Bytes of a file that are sent, or asked for. */
export interface FileRequest {
  method: 'GET' | 'POST';
  /** What the session gave out for this file. */
  ticket: string;
  /** Where the bytes that are sent begin in the file. */
  offset: number;
  /** Absent: none. */
  body?: Readable;
}

/** What a host answers to a {@link FileRequest}. */
export interface FileAnswer {
  /** As of HTTP. With all but 200 for `GET`, the body is JSON. */
  status: number;
  /** Bytes of the body, where they are known. */
  length?: number;
  /** What the file is to be called, percent-encoded. */
  name?: string;
  body: Readable;
}

/** One session's data plane. */
export interface Host {
  /** Gives a viewer's socket to the host. The socket is the host's from here on. */
  attach(viewer: ViewerHandover, socket: Socket): void;
  /** Shows viewers that the session ends in `delay` milliseconds, or with null that it does not after all. */
  closeWarning(kind: CloseKind, delay: number | null): void;
  /** Appends to the browser's bookmarks. */
  addBookmarks(items: readonly Bookmark[]): void;
  /** Performs a method of the session, which checks the arguments, with the rights of its admin; rejects with `HostCallError`. */
  call(method: SessionMethod, args: readonly unknown[]): Promise<unknown>;
  /** Passes on a request for bytes of a file; the host judges it. Rejects with `HostCallError`. */
  file(request: FileRequest): Promise<FileAnswer>;
  /** Ends the session; resolves when nothing of it runs any more. Safe to call twice. */
  stop(reason: ServerDisconnectReason): Promise<void>;
}

/** Carries what a session leaves behind out of its place. */
export interface ProfileSave {
  /** Of the profile. */
  readonly id: string;
  /** Nothing of the session runs any more, its place is still there. */
  run(place: HostPlace): Promise<void>;
  /** It could not be saved. `later`: the place is to be kept, and {@link run} called again; `never`: that would not help. */
  failed(error: unknown): 'later' | 'never';
}

/** What carries the browser state that a session begins with into its place, and out again what it leaves behind. */
export interface ProfileTransfer {
  /** Before the session starts; rejects with a `ServiceError` when the profile cannot be used. Null: nothing to load. */
  load: ((place: HostPlace) => Promise<void>) | null;
  /** Null: nothing is kept. */
  save: ProfileSave | null;
}

/** Where hosts come from. */
export interface HostPool {
  /**
   * Resolves once the host has accepted the session; rejects with a `ServiceError` when there is no room, or when its
   * profile cannot be loaded.
   */
  start(session: HostSession, profile: ProfileTransfer, listener: HostListener): Promise<Host>;
  /**
   * Saves what sessions of a killed service left in their places, while others already start. Call once; `saveOf` is called at
   * once for each profile.
   */
  takeUp(saveOf: (profileId: string) => ProfileSave): void;
  /** Ends every host. */
  close(): Promise<void>;
}

/** A moment at which a service lived. */
export interface SignOfLife {
  date: Date;
  /** Absent in those that were made without it. */
  moment?: Moment;
}

/** Where session records outlive the process. A record that was saved is durable. */
export interface Registry {
  get(sessionId: string): Promise<SessionRecord | undefined>;
  /** Records of sessions of this service process, or a former one in its place, that have not ended. */
  unfinished(): Promise<SessionRecord[]>;
  /** Records of sessions that have not ended, on all machines, oldest first (of equal ones by their ids), behind the one named. */
  running(after: SessionRecord | undefined, limit: number): Promise<SessionRecord[]>;
  /**
   * Adds a record or replaces the one with the same id. Saves of one session are applied in order. Rejects with
   * `SupersededError` when another process has taken the place of this one.
   */
  save(record: SessionRecord): Promise<void>;
  /** Forgets up to `limit` records of sessions that ended before a moment, and answers how many; what they add to the usage stays. */
  retire(endedBefore: Date, limit: number): Promise<number>;
  /**
   * What sessions have used that are not live in this process: the ended ones, also when their end could not be written yet, and
   * so far those that run on other machines. Of one tenant, or of everything.
   */
  usage(tenantId: string | undefined): Promise<Months>;
  /** Notes that the service lives, so that a killed one's sessions can be ended at the right time. */
  markAlive(sign: SignOfLife): Promise<void>;
  /** The last {@link markAlive} before this process. */
  lastAlive(): SignOfLife | undefined;
}

/** A request to an endpoint of a customer's. */
export interface WebhookRequest {
  url: string;
  bearer: string | null;
  /** Besides those that every JSON request has. */
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body: unknown;
}

/** What a customer's endpoint answered. */
export interface WebhookAnswer {
  status: number;
  text: string;
}

/** Reaches endpoints of customers, and nothing that is not theirs. */
export interface WebhookClient {
  /** Rejects, within five seconds, with an error whose message says in a sentence why there is no answer. */
  post(request: WebhookRequest): Promise<WebhookAnswer>;
}

/** An event for a customer's endpoint. */
export interface WebhookEvent extends WebhookRequest {
  /** Events of one session arrive in the order in which they were added. */
  sessionId: string;
}

/** Delivers events, however long that takes. */
export interface EventQueue {
  /** Resolves when the event will survive the end of the process. */
  add(event: WebhookEvent): Promise<void>;
}

/** Where profiles are kept. One session at a time writes a profile. */
export interface ProfileStore {
  /** Rejects with a `ServiceError` when there is no profile of this id, or when it cannot be read whole. */
  load(id: string, place: HostPlace): Promise<void>;
  /**
   * Replaces the profile by what the session left in its place; a failure leaves the old one. Rejects with
   * `ProfileTooLargeError` when it is too large.
   */
  save(id: string, place: HostPlace): Promise<void>;
}

/** Which sessions write which profiles, on all machines. Those of this one are told apart by the `ProfileBook`. */
export interface ProfileClaims {
  /**
   * Claims a profile for a session, or null for one of a killed service. False: a session on another machine has it. May be asked
   * again by who has it.
   */
  claim(profile: string, sessionId: string | null): Promise<boolean>;
  /** Whether a session on another machine writes the profile for the first time, or what it left is not saved. */
  isUnsaved(profile: string): Promise<boolean>;
  /** Gives a claim back, at once or as soon as that is possible. */
  release(profile: string, sessionId: string | null): void;
}

/** The credentials of a session. A higher generation makes those of the lower ones worthless. */
export interface SessionTokens {
  embedToken(sessionId: string, generation: number): string;
  adminToken(sessionId: string, generation: number): string;
  /** Compares in constant time. */
  opensEmbed(candidate: string, sessionId: string, generation: number): boolean;
  /** Compares in constant time. */
  opensAdmin(candidate: string, sessionId: string, generation: number): boolean;
}
