import type { Socket } from 'node:net';
import type { ServerDisconnectReason } from 'cloud-browser/protocol';
import type { HostSession, ViewerHandover } from '../host-protocol.js';
import type { SessionRecord } from './session-record.js';

/** Time as the domain sees it, so that tests can turn it by hand. */
export interface Clock {
  /** Milliseconds on a clock that no administrator can set back. */
  now(): number;
  /** Calendar time, for records only. */
  date(): Date;
  setTimeout(run: () => void, milliseconds: number): Timer;
}

/** A timer that can be given up. */
export interface Timer {
  cancel(): void;
}

/** What a running host tells about itself. Every host ends with exactly one `onEnded`. */
export interface HostListener {
  /** The start page is on the display. */
  onStarted(timings: Record<string, number>): void;
  onViewers(count: number): void;
  /** A person did something. */
  onActivity(): void;
  /** The session is over, by request or by itself; nothing of it runs any more. */
  onEnded(reason: ServerDisconnectReason, message: string): void;
}

/** One session's data plane. */
export interface Host {
  /** Gives a viewer's socket to the host. The socket is the host's from here on. */
  attach(viewer: ViewerHandover, socket: Socket): void;
  /** Ends the session; resolves when nothing of it runs any more. Safe to call twice. */
  stop(reason: ServerDisconnectReason): Promise<void>;
}

/** Where hosts come from. */
export interface HostPool {
  /** Resolves once the host has accepted the session; rejects with a `ServiceError` when there is no room. */
  start(session: HostSession, listener: HostListener): Promise<Host>;
  /** Ends every host. */
  close(): Promise<void>;
}

/** Where session records outlive the process. A record that was saved is durable. */
export interface Registry {
  get(sessionId: string): Promise<SessionRecord | undefined>;
  /** Records of sessions that have not ended. */
  unfinished(): Promise<SessionRecord[]>;
  /** Adds a record or replaces the one with the same id. Saves of one session are applied in order. */
  save(record: SessionRecord): Promise<void>;
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
