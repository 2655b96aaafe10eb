import { LEAVE_REASONS, type DisconnectReason } from '../protocol/index.js';

/**
 * The messages between the public client `@hyperbeam/web` and an embed. They are plain objects. The embed
 * module exchanges them by function calls, and the embed page in an iframe by `postMessage`. The public
 * client defines their names and shapes.
 */

/** The messages from the embed to the client. */
export type FromEmbed =
  | {
      type: 'connection';
      data: {
        user_id: string;
        width: number;
        height: number;
        /** Limit for `resize`: width times height, in CSS pixels. */ max_area: number;
      };
    }
  | { type: 'resize'; data: { width: number; height: number } }
  | { type: 'rtt'; /** Milliseconds. */ data: number }
  | { type: 'disconnect'; data: { type: ReturnType<typeof disconnectType> } }
  | {
      type: 'close_warning';
      /**
       * If `deadline` is absent, the warning of this type is withdrawn. `delay` is in milliseconds,
       * `closeDate` is ISO 8601.
       */
      data: { type: string; deadline?: { delay: number; closeDate: string } };
    }
  | { type: 'connection_state'; data: { state: 'connecting' | 'playing' | 'reconnecting' | 'failed' } }
  | {
      type: 'peer_mouse';
      /**
       * `x` and `y` are fractions of the remote screen, 0 to 1. `clientX` and `clientY` are pixels of the
       * page.
       */
      data: { userId: string; x: number; y: number; clientX: number; clientY: number };
    }
  | { type: 'blur' }
  | {
      /**
       * Sent before the answer to a call of `screenshot`. Only clients up to version 0.0.37 have this call.
       */
      type: 'screenshot';
      data: { mime: string; buf: ArrayBuffer; tabId?: number };
    }
  | {
      /**
       * After the end of the session, the user has requested another session (`start_again`), or wants to
       * close the view (`close_request`). Sent only by the page in an iframe.
       */
      type: 'start_again' | 'close_request';
      data: { /** The reason for the end of the session. */ reason: string | undefined };
    }
  | { type: 'ext_reconn' }
  | Answer;

const DISCONNECT_TYPES = ['request', 'inactive', 'absolute', 'kicked', 'unauthorized'] as const;

/**
 * Converts a reason to its name in the public client. The public client also uses `request` if its own page
 * ends the connection, and `unknown` for all other reasons.
 */
export function disconnectType(reason: DisconnectReason): (typeof DISCONNECT_TYPES)[number] | 'unknown' {
  const known = DISCONNECT_TYPES.find((type) => type === reason);
  return known ?? (LEAVE_REASONS.some((leave) => leave === reason) ? 'request' : 'unknown');
}

/**
 * Answer to the call `i`: its result `r`, or the message `e` of its error. After a listener was added, each
 * further answer with the same number is an event for this listener.
 */
export type Answer = { i: number; r?: unknown } | { i: number; e: string };

/** Client to embed: calls the method `m` with the arguments `a`. `t` is the session's admin token. */
export interface CallMessage {
  m: string;
  a: unknown[];
  i: number;
  t?: string | undefined;
}

/**
 * Options that a page passes to the public client, which passes them to the embed. Later changes arrive as
 * messages.
 */
export interface EmbedOptions {
  /** Milliseconds after which the public client stops waiting for an answer. Default 5000. */
  timeout?: number;
  delegateKeyboard?: boolean;
  disableInput?: boolean;
  /** Called with each frame, see `openFrameCallback`. */
  frameCb?: (frame: ImageBitmap | HTMLVideoElement) => void;
  /** Called once with the sound as a track. Then the embed itself plays no sound. */
  audioTrackCb?: (track: MediaStreamTrack) => void;
  /** Called once with the picture as a track. */
  videoTrackCb?: (track: MediaStreamTrack) => void;
}

/** Reads a call from a message. Returns undefined if the message is not a call. */
export function asCall(message: Record<string, unknown>): CallMessage | undefined {
  const { m, a, i, t } = message;
  if (typeof m !== 'string' || typeof i !== 'number') return undefined;
  return { m, a: Array.isArray(a) ? a : [], i, ...(typeof t === 'string' && { t }) };
}
