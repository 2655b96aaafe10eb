/**
 * What the public client `@hyperbeam/web` and an embed say to each other: plain objects, passed by function call to the
 * module and by `postMessage` to the page in an iframe. Names and shapes are that client's.
 */

/** Embed to client. */
export type FromEmbed =
  | {
      type: 'connection';
      data: {
        user_id: string;
        width: number;
        height: number;
        /** Pixels; bounds `resize`. */ max_area: number;
      };
    }
  | { type: 'resize'; data: { width: number; height: number } }
  | { type: 'rtt'; /** Milliseconds. */ data: number }
  | { type: 'disconnect'; data: { type: (typeof DISCONNECT_TYPES)[number] | 'unknown' } }
  | {
      type: 'close_warning';
      /** Without a deadline the warning of this type is over. `delay` in milliseconds, `closeDate` as ISO 8601. */
      data: { type: string; deadline?: { delay: number; closeDate: string } };
    }
  | { type: 'connection_state'; data: { state: 'connecting' | 'playing' | 'reconnecting' | 'failed' } }
  | {
      type: 'peer_mouse';
      /** `x` and `y` are parts of the remote screen, 0 to 1; `clientX` and `clientY` the page's pixels. */
      data: { userId: string; x: number; y: number; clientX: number; clientY: number };
    }
  | { type: 'blur' }
  | {
      /** Before the answer to a call of `screenshot`, which clients up to 0.0.37 have. */
      type: 'screenshot';
      data: { mime: string; buf: ArrayBuffer; tabId?: number };
    }
  | {
      /** A person wants another session, or to be rid of this one, which is over. Of the page in an iframe alone. */
      type: 'start_again' | 'close_request';
      data: { /** Why the session was over. */ reason: string | undefined };
    }
  | { type: 'ext_reconn' }
  | Answer;

/** Our reasons that the public client knows; it calls every other one `unknown`. */
export const DISCONNECT_TYPES = ['request', 'inactive', 'absolute', 'kicked', 'unauthorized'] as const;

/** To the call `i`: its result `r`, or the message `e` of its error. Later ones to the same listener are its events. */
export type Answer = { i: number; r?: unknown } | { i: number; e: string };

/** Client to embed: perform the method `m` with the arguments `a`; `t` is the session's admin token. */
export interface CallMessage {
  m: string;
  a: unknown[];
  i: number;
  t?: string | undefined;
}

/** What a page passes to that client; the client passes it on. Setters come as messages as well. */
export interface EmbedOptions {
  /** Milliseconds after which that client gives a call up. Default 5000. */
  timeout?: number;
  delegateKeyboard?: boolean;
  disableInput?: boolean;
  /** Gets each picture; see `openFrameCallback`. */
  frameCb?: (frame: ImageBitmap | HTMLVideoElement) => void;
  /** Gets the sound as a track, once, which is not played otherwise. */
  audioTrackCb?: (track: MediaStreamTrack) => void;
  /** Gets the picture as a track, once. */
  videoTrackCb?: (track: MediaStreamTrack) => void;
}

/** Reads a call out of a message; undefined when it is none. */
export function asCall(message: Record<string, unknown>): CallMessage | undefined {
  const { m, a, i, t } = message;
  if (typeof m !== 'string' || typeof i !== 'number') return undefined;
  return { m, a: Array.isArray(a) ? a : [], i, ...(typeof t === 'string' && { t }) };
}
