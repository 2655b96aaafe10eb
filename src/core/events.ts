import type {
  CloseWarning,
  Cursor,
  DisconnectReason,
  MediaPacket,
  Notice,
  PrivacyNotice,
  RemoteField,
  SoundPacket,
  StreamInfo,
  Welcome,
} from '../protocol/index.js';
import type { ConnectionState } from './connection-states.js';
import type { ConnectionQuality } from './quality.js';

/** A change of the connection's state. */
export interface StateChange {
  state: ConnectionState;
  previous: ConnectionState;
}

/** The end of a connection that the client does not reconnect. */
export interface Disconnection {
  reason: DisconnectReason;
  /** A sentence for people. */
  message: string;
}

/** The session is about to end by itself, or is not any more. */
export interface CloseWarningInfo {
  /** The time limit that runs out. `shutdown`: the service is shutting down. */
  type: 'absolute' | 'inactive' | 'offline' | 'shutdown';
  /** Absent: the session does not end after all. Hide the warning of this type. */
  deadline?: {
    /** Seconds until the session ends. */
    delay: number;
    /** The time of the end, on this machine's clock. */
    closeDate: Date;
  };
}

/** The user who has the browser alone (privacy mode). */
export interface PrivacyInfo {
  /** Undefined: no user. */
  userId: string | undefined;
  /**
   * True if another user has the browser alone. This client then gets no picture and its input is ignored.
   * The page should say so.
   */
  shutOut: boolean;
  /** The start, on this machine's clock. Undefined without a user, and with sessions that do not send it. */
  since: Date | undefined;
  /** The time at which it ends unless it is renewed. Undefined: it does not end by itself. */
  until: Date | undefined;
  /** Warns the user who has it. `users.enablePrivacyMode()` renews it, otherwise it ends at `until`. */
  ending: boolean;
}

/** Events of the client and their arguments. */
export interface ClientEvents {
  state: [change: StateChange];
  /** Connected, for the first time or again. */
  welcome: [welcome: Welcome];
  /** Describes the packets that follow. */
  stream: [stream: StreamInfo];
  /** The pixel ratio of the remote screen changed, see `CloudBrowserClient.pixelRatio`. */
  pixelRatio: [ratio: number];
  packet: [packet: MediaPacket];
  /** 20 ms of sound. Only after `setSound(true)`, and none while the remote browser is silent. */
  sound: [packet: SoundPacket];
  cursor: [cursor: Cursor];
  /**
   * The text field that has the keyboard, or its data, changed. Undefined: no text field has it. Only after
   * `watchFocus(true)`.
   */
  focus: [field: RemoteField | undefined];
  /** A measured round trip in milliseconds. */
  rtt: [milliseconds: number];
  /** The connection quality changed. */
  quality: [quality: ConnectionQuality];
  /**
   * This machine has lost its network (false), or has one again (true). Emitted while a connection is
   * requested.
   */
  network: [online: boolean];
  /** The session is about to end by itself. */
  closeWarning: [warning: CloseWarningInfo];
  /** An event of the remote browser: it or a page of it crashed or was ended, or it was closed. */
  notice: [notice: Notice];
  /** A user has the browser alone, renews that, or gets a warning of its end. Or no user has it any more. */
  privacy: [privacy: PrivacyInfo];
  /**
   * True: a page of the remote browser has locked the pointer and needs `relative` moves. False: it has
   * released it.
   */
  pointerLock: [locked: boolean];
  disconnect: [disconnection: Disconnection];
  /** An error that did not end the connection. */
  error: [error: Error];
}

/**
 * Converts a host's notice about privacy to its public form.
 * @param own this client's user
 */
export function privacyOf(
  { userId, elapsed, remaining, ending = false }: PrivacyNotice,
  own: string | undefined,
): PrivacyInfo {
  const at = (milliseconds: number): Date => new Date(Date.now() + milliseconds);
  return {
    userId: userId ?? undefined,
    shutOut: userId !== null && userId !== own,
    since: elapsed === undefined ? undefined : at(-elapsed),
    until: typeof remaining === 'number' ? at(remaining) : undefined,
    ending,
  };
}

/** Converts a host's close warning to its public form. */
export function warningOf({ kind, delay }: CloseWarning): CloseWarningInfo {
  if (delay === null) return { type: kind };
  return { type: kind, deadline: { delay: delay / 1000, closeDate: new Date(Date.now() + delay) } };
}
