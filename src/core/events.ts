import type {
  CloseWarning,
  Cursor,
  DisconnectReason,
  Handoff,
  MediaPacket,
  Notice,
  PrivacyNotice,
  RemoteField,
  SessionAgent,
  ShownDialog,
  SoundPacket,
  StreamInfo,
  Welcome,
} from '../protocol/index.js';
import type { ConnectionState } from './connection/connection-states.js';
import type { ConnectionQuality } from './quality.js';

/** A change of the connection's state. */
export interface StateChange {
  state: ConnectionState;
  previous: ConnectionState;
}

/**
 * The end of a connection, or of the attempts to connect. The client makes no further attempt. Only after
 * `unreachable`, it tries again when this machine regains its network, if the policy allows this.
 */
export interface Disconnection {
  reason: DisconnectReason;
  /** A sentence for people. */
  message: string;
}

/** A warning that the session is about to end, or the withdrawal of an earlier warning. */
export interface CloseWarningInfo {
  /** The time limit that runs out. `shutdown`: the service is shutting down. */
  type: 'absolute' | 'inactive' | 'offline' | 'shutdown';
  /** If absent, the warning of this type is withdrawn, and your page should hide it. */
  deadline?: {
    /** Seconds until the session ends. */
    delay: number;
    /** The time of the end, on this machine's clock. */
    closeDate: Date;
  };
}

/** The user in privacy mode. */
export interface PrivacyInfo {
  /** Undefined if no user is in privacy mode. */
  userId: string | undefined;
  /**
   * True if another user is in privacy mode. This client then gets no picture, and the session ignores its
   * input. The page should show a message about this.
   */
  shutOut: boolean;
  /**
   * The start of privacy mode, on this machine's clock. Undefined if no user is in privacy mode, or if the
   * session does not send the start.
   */
  since: Date | undefined;
  /**
   * The end of privacy mode if the user does not renew it. Undefined if privacy mode has no time limit, or if
   * no user is in privacy mode.
   */
  until: Date | undefined;
  /**
   * True if privacy mode ends soon, at `until`. The user in privacy mode can renew it with
   * `users.enablePrivacyMode()`.
   */
  ending: boolean;
}

/** Events of the client and their arguments. */
export interface ClientEvents {
  state: [change: StateChange];
  /** The client is connected, for the first time or again. */
  welcome: [welcome: Welcome];
  /** Describes the packets that follow. */
  stream: [stream: StreamInfo];
  /** The pixel ratio of the remote screen changed, see `CloudBrowserClient.pixelRatio`. */
  pixelRatio: [ratio: number];
  packet: [packet: MediaPacket];
  /** 20 ms of sound. Emitted only after `setSound(true)`, and not during silence. */
  sound: [packet: SoundPacket];
  cursor: [cursor: Cursor];
  /**
   * The focused text field or its data changed. Undefined if no text field has the focus. Emitted only after
   * `watchFocus(true)`.
   */
  focus: [field: RemoteField | undefined];
  /** A measured round trip in milliseconds. */
  rtt: [milliseconds: number];
  /** The connection quality changed. */
  quality: [quality: ConnectionQuality];
  /**
   * This machine has lost its network (false), or has a network again (true). Emitted from `connect()` until
   * the state is `closed`.
   */
  network: [online: boolean];
  /** The session is about to end by itself, or an earlier warning is withdrawn. */
  closeWarning: [warning: CloseWarningInfo];
  /** A notice about the remote browser, for example after the crash of a page. */
  notice: [notice: Notice];
  /** A recording of the session has started (true) or ended (false). The page should tell its user. */
  recording: [recording: boolean];
  /** A user's privacy mode has started, was renewed, ends soon, or has ended. */
  privacy: [privacy: PrivacyInfo];
  /** An agent has joined or left. The argument lists all agents of the session. */
  agents: [agents: readonly SessionAgent[]];
  /**
   * An agent asks for a person, or such a request has ended. The argument lists all open requests that this
   * user may answer with `finishHandoff`, oldest first.
   */
  handoff: [open: readonly Handoff[]];
  /**
   * The page in front has opened a dialog that this user may answer with the method `answerDialog`. Undefined
   * if it has none any more.
   */
  dialog: [dialog: ShownDialog | undefined];
  /**
   * True if a page of the remote browser has locked the pointer and needs `relative` moves. False if it has
   * released the pointer.
   */
  pointerLock: [locked: boolean];
  disconnect: [disconnection: Disconnection];
  /** An error that did not end the connection. */
  error: [error: Error];
}

/**
 * Converts a host's notice about privacy mode to the argument of the event `privacy`.
 * @param own this client's user
 */
export function privacyOf(
  { userId, elapsed, remaining, ending = false }: PrivacyNotice,
  own: string | undefined,
): PrivacyInfo {
  // Uses the same time for `since` and `until`, so that their difference is exact.
  const now = Date.now();
  const at = (milliseconds: number): Date => new Date(now + milliseconds);
  return {
    userId: userId ?? undefined,
    shutOut: userId !== null && userId !== own,
    since: elapsed === undefined ? undefined : at(-elapsed),
    until: typeof remaining === 'number' ? at(remaining) : undefined,
    ending,
  };
}

/** Converts a host's close warning to the argument of the event `closeWarning`. */
export function warningOf({ kind, delay }: CloseWarning): CloseWarningInfo {
  if (delay === null) return { type: kind };
  return { type: kind, deadline: { delay: delay / 1000, closeDate: new Date(Date.now() + delay) } };
}
