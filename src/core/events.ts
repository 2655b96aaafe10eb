import type {
  CloseWarning,
  Cursor,
  DisconnectReason,
  MediaPacket,
  Notice,
  RemoteField,
  SoundPacket,
  StreamInfo,
  Welcome,
} from '../protocol/index.js';
import type { ConnectionState } from './connection-states.js';
import type { ConnectionQuality } from './quality.js';

/** A step of the connection state machine. */
export interface StateChange {
  state: ConnectionState;
  previous: ConnectionState;
}

/** The end of a connection that is not sought again. */
export interface Disconnection {
  reason: DisconnectReason;
  /** A sentence for people. */
  message: string;
}

/** The session is about to end by itself, or is not any more. */
export interface CloseWarningInfo {
  /** Which limit in time runs out; `shutdown`: the service is being stopped. */
  type: 'absolute' | 'inactive' | 'offline' | 'shutdown';
  /** Absent: the session does not end after all, so a warning of this type is to be hidden. */
  deadline?: {
    /** Seconds until the session ends. */
    delay: number;
    /** When that is, on this machine's clock. */
    closeDate: Date;
  };
}

/** Who has the browser to themselves. */
export interface PrivacyInfo {
  /** Undefined: nobody. */
  userId: string | undefined;
  /** It is somebody else: no picture comes and no input counts, which the page should say. */
  shutOut: boolean;
}

/** Events of the client and their arguments. */
export interface ClientEvents {
  state: [change: StateChange];
  /** Connected, for the first time or again. */
  welcome: [welcome: Welcome];
  /** Describes the packets that follow. */
  stream: [stream: StreamInfo];
  /** The remote screen has another pixel ratio than before: see `CloudBrowserClient.pixelRatio`. */
  pixelRatio: [ratio: number];
  packet: [packet: MediaPacket];
  /** 20 ms of sound; only after `setSound(true)`, and none while the remote browser is silent. */
  sound: [packet: SoundPacket];
  cursor: [cursor: Cursor];
  /** What takes text has the keyboard, or another, or elsewhere; undefined: nothing does. Only after `watchFocus(true)`. */
  focus: [field: RemoteField | undefined];
  /** A measured round trip, milliseconds. */
  rtt: [milliseconds: number];
  /** The connection has become better or worse. */
  quality: [quality: ConnectionQuality];
  /** This machine has lost its network, or has one again: false and true. Told while a connection is wanted. */
  network: [online: boolean];
  /** The session is about to end by itself. */
  closeWarning: [warning: CloseWarningInfo];
  /** Something happened to the remote browser: it or a page of it crashed or was ended, or it was closed. */
  notice: [notice: Notice];
  /** A user has the browser to themselves, or nobody any more. */
  privacy: [privacy: PrivacyInfo];
  /** A page of the remote browser has locked the pointer: it wants `relative` moves; or not any more. */
  pointerLock: [locked: boolean];
  disconnect: [disconnection: Disconnection];
  /** Something went wrong that did not end the connection. */
  error: [error: Error];
}

/** The public form of a host's message. */
export function warningOf({ kind, delay }: CloseWarning): CloseWarningInfo {
  if (delay === null) return { type: kind };
  return { type: kind, deadline: { delay: delay / 1000, closeDate: new Date(Date.now() + delay) } };
}
