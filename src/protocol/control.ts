import type { Call, CallAnswer, RemoteEvent } from './calls.js';
import type { ClipboardMessage } from './clipboard.js';
import type { RemoteFocus } from './focus.js';
import type { BoxMessage, ScreenInfo } from './screen.js';
import type { LeavePointerLock, PointerLock } from './pointer-lock.js';
import type { PrivacyNotice } from './session-api/users.js';

/**
 * How a viewer can show frames, best first. `h264` needs WebCodecs, and `h264-444`, where each pixel has a colour of its own,
 * a decoder for the High 4:4:4 Predictive profile; `h264-limited` is `h264` with levels from 16 to 235, for decoders that take
 * all video for that; `image` is a JPEG per frame and works anywhere.
 */
export const MEDIA_KINDS = ['h264-444', 'h264', 'h264-limited', 'image'] as const;

/** One of {@link MEDIA_KINDS}. */
export type MediaKind = (typeof MEDIA_KINDS)[number];

/** Text messages, viewer to host: one JSON object each, told apart by `type`. */
export type ViewerMessage =
  | Hello
  | Call
  | BoxMessage
  | ClipboardMessage
  | LeavePointerLock
  | {
      type: 'ping';
      id: number;
      /** A person asks to stay: counts as input for the inactive timeout. */ active?: boolean;
    }
  | { type: 'key-frame'; /** The stream whose decoder failed. */ stream: number }
  | { type: 'visible'; /** False: send no frames, nobody is looking. */ visible: boolean }
  | { type: 'sound'; /** True: send sound packets, which nobody gets unasked. */ on: boolean }
  | { type: 'focus'; /** True: tell what has the keyboard, see {@link RemoteFocus}. */ on: boolean }
  | {
      /** Keys are down, see {@link Hello.tellsHeld}. */ type: 'held';
    };

/** What a page has for the customer's endpoint that decides about viewers: anything that JSON has but null. */
export type Userdata = string | number | boolean | readonly unknown[] | Readonly<Record<string, unknown>>;

/** The first message of every connection. */
export interface Hello {
  type: 'hello';
  version: number;
  /** What this viewer can show, in its order of preference; not empty. */
  media: MediaKind[];
  /** From an earlier `welcome`: come back as the same user. */
  resume?: { userId: string; secret: string };
  /** For the customer's endpoint that decides about viewers. */
  userdata?: Userdata;
  /**
   * While a key is down, `held` is sent every {@link HELD_INTERVAL_MS}: so the host can lift a key that nothing is heard of,
   * before it repeats on a line that stands still.
   */
  tellsHeld?: boolean;
  /** Pixels of the viewer's own screen for one of its CSS pixels, for sessions whose screen takes over that of the first viewer. */
  pixelRatio?: number;
}

/** Between two `held` messages: a host lifts what is held after the silence of three. */
export const HELD_INTERVAL_MS = 100;

/** Text messages, host to viewer. A viewer ignores a `type` that it does not know. */
export type HostMessage =
  | Welcome
  | ScreenInfo
  | StreamInfo
  | Cursor
  | Pong
  | CloseWarning
  | Notice
  | CallAnswer
  | RemoteEvent
  | PrivacyNotice
  | ClipboardMessage
  | RemoteFocus
  | PointerLock;

/** Answers {@link Hello}; frames follow. */
export interface Welcome {
  type: 'welcome';
  version: number;
  userId: string;
  /** Proves on a reconnect that this client is that user. */
  secret: string;
  /** Pixels of the remote screen. */
  width: number;
  height: number;
  /** Refresh rate of the remote display, frames a second. */
  fps: number;
  /** Pixels that the remote screen may be resized to, width times height. */
  maxArea: number;
  /** Pixels of the remote screen for one CSS pixel of its pages. Absent: one. */
  pixelRatio?: number;
  /** The host takes clipboard transfers and `paste` events. Absent: it takes neither. */
  clipboard?: boolean;
  /** Two fingers zoom the remote page, so they must not zoom the page around it. Absent: they do not. */
  pinch?: boolean;
}

/** Describes the packets that carry the same `stream` number; sent before the first of them. */
export interface StreamInfo {
  type: 'stream';
  /** 0 to 65535, one up at every change of size or format, wraps. */
  stream: number;
  media: MediaKind;
  /** For WebCodecs, taken from the stream itself; empty for images. */
  codec: string;
  /** Visible pixels. */
  width: number;
  height: number;
  /** Pixels in the encoded picture: even, so up to one more than visible; the rest is to be cropped. */
  codedWidth: number;
  codedHeight: number;
}

/** The shape of the remote pointer. */
export interface Cursor {
  type: 'cursor';
  /** `none`: the remote side hides the pointer. */
  shape: 'image' | 'none';
  /** PNG as a data URL; only with `image`. */
  url?: string;
  width?: number;
  height?: number;
  /** The pixel of the picture that points. */
  hotX?: number;
  hotY?: number;
}

/** Answers a `ping`. */
export interface Pong {
  type: 'pong';
  id: number;
}

/** The session is about to end by itself, or is not any more. */
export interface CloseWarning {
  type: 'close-warning';
  /** Which limit in time runs out; `shutdown`: the service is being stopped. Each has a warning of its own. */
  kind: 'absolute' | 'inactive' | 'offline' | 'shutdown';
  /** Milliseconds until the session ends; null: it does not after all. */
  delay: number | null;
}

/** Something happened to the browser that everybody watching should know. */
export interface Notice {
  type: 'notice';
  /**
   * The browser, or its screen, crashed, or did not answer any more, or was closed, and was started again; so was the sound, or the
   * browser's network; the process of a page crashed; a page was ended because the session used more than it may; a page does not answer
   * although somebody acts on it; a page beyond the most that may be open was closed again. `field-masked` is told to one user: what
   * they did to a masked field was refused, since they have no role `field_masking`. So is `file-refused`: a page asked for files, or gave
   * one out, and this user may not have that, or there is no room. So are `control-given` and `control-taken`: their input counts from
   * now on, or does not any more.
   */
  kind:
    | 'browser-crashed'
    | 'browser-hung'
    | 'browser-closed'
    | 'sound-restarted'
    | 'network-restarted'
    | 'page-crashed'
    | 'page-ended'
    | 'page-hung'
    | 'tab-refused'
    | 'field-masked'
    | 'file-refused'
    | 'control-given'
    | 'control-taken';
  /** A sentence for people. */
  message: string;
}
