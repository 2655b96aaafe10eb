import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { HandoffState, ServerDisconnectReason, SessionMethod } from 'cloud-browser/protocol';
import type {
  AgentUse,
  AuthorizationAnswer,
  AuthorizationRequest,
  AutomationHandover,
  Bookmark,
  CallingAgent,
  HostPlace,
  HostSession,
  CloseKind,
  TokenEnd,
  ViewerHandover,
} from '../host-protocol.js';
import type { ProfileWorkingCopy } from './profiles/profile-claims.js';
import type { Moment, SessionRecord } from './records/session-record.js';
import type { RecordingHost } from './recordings/recording-ports.js';
import type { Months } from './records/usage.js';

/** Listener for the events of a running host. Each host calls `onEnded` exactly once. */
export interface HostListener {
  /** Called when the start page is on the display. `timings`: milliseconds from the start to each step. */
  onStarted(timings: Record<string, number>): void;
  onViewers(count: number): void;
  /**
   * Called when a connection that was passed to the host has become a viewer or was closed. `onViewers` is
   * called first.
   */
  onArrived(userId: string): void;
  /**
   * Called after input of a person. Also called after a command of a program whose activity keeps the session
   * alive.
   */
  onActivity(): void;
  /** Called when a hand-off (an agent's request for a person) has begun or ended. */
  onHandoff(state: HandoffState): void;
  /** Called when agents have joined, left or sent commands. */
  onAgentUse(use: AgentUse): void;
  /** Called when the programs of the session were frozen (`standby` is true), or when they continue. */
  onStandby(standby: boolean): void;
  /** Called when a user waits for admission. Resolves to the answer of the customer's endpoint. */
  onAuthorize(request: AuthorizationRequest): Promise<AuthorizationAnswer>;
  /**
   * Called when the session has ended, with or without a request. All its processes have ended, and its
   * profile was saved if possible.
   */
  onEnded(reason: ServerDisconnectReason, message: string): void;
}

/** Request to upload or download bytes of a file. */
export interface FileRequest {
  method: 'GET' | 'POST';
  /** Ticket that the session issued for this file. */
  ticket: string;
  /** Position in the file of the first byte that is sent. */
  offset: number;
  /** Bytes to upload. Absent: none. */
  body?: Readable;
}

/** A host's answer to a {@link FileRequest}. */
export interface FileAnswer {
  /** HTTP status. For 200 on `GET`, the body has the bytes of the file. Otherwise the body is JSON. */
  status: number;
  /** Bytes of the body, if known. */
  length?: number;
  /** Name of the file, percent-encoded. */
  name?: string;
  body: Readable;
}

/** Interface to the host that runs one session. */
export interface Host extends RecordingHost {
  /** Passes a viewer's socket to the host. The host then owns the socket. */
  attach(viewer: ViewerHandover, socket: Socket): void;
  /** Passes the socket of a program that drives the session to the host. The host then owns the socket. */
  automate(client: AutomationHandover, socket: Socket): void;
  /** Lets the host recognize an admin token by its hash. */
  admitAdmin(tokenId: string, hash: string): void;
  /** Ends the connections that a token admitted, because the token has ended. */
  endToken(tokenId: string, reason: TokenEnd): void;
  /** Warns viewers that the session ends in `delay` milliseconds. Null withdraws the warning. */
  closeWarning(kind: CloseKind, delay: number | null): void;
  /** Adds bookmarks at the end of the browser's list. */
  addBookmarks(items: readonly Bookmark[]): void;
  /**
   * Performs a method of the session with the rights of its admin. The session checks the arguments. Rejects
   * with `HostCallError`.
   *
   * @param program program on whose behalf the service calls; absent for a call with the rights of the admin
   * @param leaving signals that the client has gone; a call that still waits is then refused
   */
  call(
    method: SessionMethod,
    args: readonly unknown[],
    program?: CallingAgent,
    leaving?: AbortSignal,
  ): Promise<unknown>;
  /**
   * Sends the host a request for bytes of a file. The host decides if the request is allowed. Rejects with
   * `HostCallError`.
   */
  file(request: FileRequest): Promise<FileAnswer>;
  /** Ends the session. Resolves when all its processes have ended. Safe to call twice. */
  stop(reason: ServerDisconnectReason): Promise<void>;
}

/**
 * Saves the profile data that a session left in its place. The place of a session is its directory on this
 * machine.
 */
export interface ProfileSave {
  readonly workingCopy: ProfileWorkingCopy;
  /** Saves the data. Called after all processes of the session have ended, while its place still exists. */
  run(place: HostPlace): Promise<void>;
  /**
   * Handles a failed save. `later`: the caller keeps the place and calls {@link run} again. `never`: a retry
   * would not help.
   */
  failed(error: unknown): 'later' | 'never';
}

/**
 * Loads a profile (browser state) into the place of a session before the start, and saves the profile after
 * the end.
 */
export interface ProfileTransfer {
  /**
   * Called before the session starts. Rejects with a `ServiceError` if the profile cannot be used. Null:
   * there is nothing to load.
   */
  load: ((place: HostPlace) => Promise<void>) | null;
  /** Null: nothing is saved. */
  save: ProfileSave | null;
}

/** Starts the hosts of sessions. */
export interface HostPool {
  /**
   * Resolves once the host has accepted the session. Rejects with a `ServiceError` if there is no room, or if
   * the session's profile cannot be loaded.
   */
  start(session: HostSession, profile: ProfileTransfer, listener: HostListener): Promise<Host>;
  /**
   * Starts to save the profile data that sessions of a killed service left in their places. New sessions can
   * start before the saves end. Calls `saveOf` immediately for each profile. Call this method once.
   */
  recover(saveOf: (workingCopy: ProfileWorkingCopy) => ProfileSave): void;
  /** Ends every host. */
  close(): Promise<void>;
}

/** A moment at which a service was alive. */
export interface LastHeartbeat {
  date: Date;
  /** Absent in heartbeats that older versions wrote. */
  moment?: Moment;
}

/** Storage of session records. A saved record outlives the process. */
export interface Registry {
  get(sessionId: string): Promise<SessionRecord | undefined>;
  /**
   * Returns the records of sessions that have not ended: sessions of this process, and of the earlier
   * processes that this process has replaced.
   */
  unfinished(): Promise<SessionRecord[]>;
  /**
   * Returns records of sessions that have not ended, on all machines, oldest first (then by id), after the
   * given one.
   */
  running(after: SessionRecord | undefined, limit: number): Promise<SessionRecord[]>;
  /**
   * Adds a record or replaces the one with the same id. Saves of one session are applied in order. Rejects
   * with `SupersededError` if it is certain that another process has replaced this process. After any other
   * error, the caller can repeat the save.
   *
   * @param after the record is stored only after this promise has resolved; reads return the record at once
   */
  save(record: SessionRecord, after?: Promise<void>): Promise<void>;
  /**
   * Saves the record of a session that ended because another process has replaced this process. The other
   * process does not know when and why the session ended. Absent if no other process can replace this one.
   */
  saveTakenOver?(record: SessionRecord): Promise<void>;
  /**
   * Deletes up to `limit` records of sessions that ended before a moment, and returns their number. Their
   * usage stays counted.
   */
  retire(endedBefore: Date, limit: number): Promise<number>;
  /**
   * Returns the usage of sessions that are not live in this process. The sum includes all ended sessions,
   * also those whose end is not stored yet. It also includes running sessions on other machines, up to the
   * last heartbeat of the machine. `tenantId`: the tenant; undefined: all tenants.
   */
  usage(tenantId: string | undefined): Promise<Months>;
  /** Records that the service is alive, so that sessions of a killed service get the right end time. */
  markAlive(sign: LastHeartbeat): Promise<void>;
  /** Returns the last heartbeat that an earlier process recorded, if there is one. */
  lastAlive(): LastHeartbeat | undefined;
}

/** A request to a customer's endpoint. */
export interface WebhookRequest {
  url: string;
  bearer: string | null;
  /** Headers in addition to the headers of every JSON request. */
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body: unknown;
}

/** Answer of a customer's endpoint. */
export interface WebhookAnswer {
  status: number;
  text: string;
}

/** Sends requests to customers' endpoints. It refuses addresses that the egress rules forbid. */
export interface WebhookClient {
  /**
   * Sends a request. Rejects if it fails or has no answer within five seconds. The message of the error is a
   * sentence with the reason.
   */
  post(request: WebhookRequest): Promise<WebhookAnswer>;
  /** True if the client refuses this address, as far as this is known without a lookup of its name. */
  refuses(url: string): boolean;
}

/** An event for a customer's endpoint. */
export interface WebhookEvent extends WebhookRequest {
  /** Events of one session arrive in the order in which they were added. */
  sessionId: string;
}

/** Delivers events. Repeats failed attempts for up to a day. */
export interface EventQueue {
  /**
   * Resolves when the event is stored, so that the event outlives the process. In a cluster, also resolves if
   * the database is unavailable. Then the event is only in memory until the database can store it.
   */
  add(event: WebhookEvent): Promise<void>;
}

/** Storage of profiles. Only one session at a time writes a profile. */
export interface ProfileStore {
  /**
   * Loads a profile into a place. Rejects with a `ServiceError` if there is no profile with this id, or if it
   * cannot be read completely.
   */
  load(id: string, place: HostPlace): Promise<void>;
  /**
   * Replaces the profile by the data in the session's place. After a failure, the old profile stays. Rejects
   * with `ProfileTooLargeError` if the data is too large.
   *
   * @param claimedBy session whose claim ends with the save. Rejects with `ProfileGoneError` if that claim no
   *   longer exists. Null: the save ends no claim
   */
  save(id: string, place: HostPlace, claimedBy: string | null): Promise<void>;
}

/**
 * Tokens that a session has from its start. They are computed from the id of the session and a generation. A
 * new generation makes the tokens of the old generation invalid.
 */
export interface SessionTokens {
  embedToken(sessionId: string, generation: number): string;
  adminToken(sessionId: string, generation: number): string;
  automationToken(sessionId: string, generation: number): string;
  /** Compares in constant time. */
  opensEmbed(candidate: string, sessionId: string, generation: number): boolean;
  /** Compares in constant time. */
  opensAdmin(candidate: string, sessionId: string, generation: number): boolean;
  /** Compares in constant time. */
  opensAutomation(candidate: string, sessionId: string, generation: number): boolean;
}
