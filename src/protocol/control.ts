import type { Call, CallAnswer, RemoteEvent } from './calls.js';
import type { ClipboardMessage } from './transfer/clipboard.js';
import type { RemoteFocus } from './input/focus.js';
import type { BoxMessage, ScreenInfo } from './screen.js';
import type { LeavePointerLock, PointerLock } from './input/pointer-lock.js';
import type { DialogNotice } from './session-api/dialogs.js';
import type { AgentsNotice, HandoffsNotice } from './session-api/handoffs.js';
import type { PrivacyNotice } from './session-api/users.js';

/**
 * The formats of frames, best first. All formats except `image` need WebCodecs. `h264-444` keeps the colour
 * of each pixel and needs a decoder for the High 4:4:4 Predictive profile. `h264-limited` is `h264` with
 * levels from 16 to 235, for decoders that assume these levels for all video. `image` is a JPEG per frame and
 * works in every browser.
 */
export const MEDIA_KINDS = ['h264-444', 'h264', 'h264-limited', 'image'] as const;

/** One of {@link MEDIA_KINDS}. */
export type MediaKind = (typeof MEDIA_KINDS)[number];

/** Text messages, viewer to host. Each is a JSON object with a `type`. */
export type ViewerMessage =
  | Hello
  | SecondHello
  | Call
  | BoxMessage
  | ClipboardMessage
  | LeavePointerLock
  | {
      type: 'ping';
      id: number;
      /** True: a person is active. Counts as input for the inactive timeout. */ active?: boolean;
    }
  | { type: 'key-frame'; /** The stream that needs a key frame. */ stream: number }
  | { type: 'visible'; /** False: send no frames, because the page is not visible. */ visible: boolean }
  | { type: 'sound'; /** True: send sound packets. Default: none. */ on: boolean }
  | {
      type: 'focus';
      /** True: report the focused text field, see {@link RemoteFocus}. */ on: boolean;
    }
  | {
      /** Keys are down, see {@link Hello.tellsHeld}. */ type: 'held';
    }
  | {
      /** Sent shortly after input, so that TCP detects a lost packet earlier. */ type: 'probe';
    };

/** Data from a page for the customer's endpoint that authorizes viewers: any JSON value except null. */
export type Userdata = string | number | boolean | readonly unknown[] | Readonly<Record<string, unknown>>;

/**
 * The first message of a viewer's connection. A second connection starts with {@link SecondHello} instead.
 */
export interface Hello {
  type: 'hello';
  version: number;
  /** Formats that this viewer can show, in its order of preference. Not empty. */
  media: MediaKind[];
  /** Data from an earlier `welcome`, to reconnect as the same user. */
  resume?: { userId: string; secret: string };
  /** Data for the customer's endpoint that authorizes viewers. */
  userdata?: Userdata;
  /**
   * True if the viewer sends `held` every {@link HELD_INTERVAL_MS} while a key is down. On a stalled
   * connection the host then releases the key before it repeats.
   */
  tellsHeld?: boolean;
  /**
   * Pixels of the viewer's own screen per CSS pixel. For sessions that use the pixel ratio of the first
   * viewer.
   */
  pixelRatio?: number;
  /** True if the viewer can open a second connection, see {@link SecondConnectionOffer}. */
  secondConnection?: boolean;
}

/** The first message of a viewer's second connection, see {@link SecondConnectionOffer}. */
export interface SecondHello {
  type: 'second-hello';
  version: number;
  /** The key of {@link SecondConnectionOffer}. */
  key: string;
}

/**
 * Time between two `held` messages in milliseconds. If three messages are missing, the host releases the held
 * keys.
 */
export const HELD_INTERVAL_MS = 100;

/** Text messages, host to viewer. A viewer ignores an unknown `type`. */
export type HostMessage =
  | Welcome
  | SecondConnectionOffer
  | ScreenInfo
  | StreamInfo
  | Cursor
  | Pong
  | CloseWarning
  | Notice
  | CallAnswer
  | RemoteEvent
  | PrivacyNotice
  | AgentsNotice
  | HandoffsNotice
  | DialogNotice
  | RecordingNotice
  | ClipboardMessage
  | RemoteFocus
  | PointerLock;

/** Answers {@link Hello}. Frames follow. */
export interface Welcome {
  type: 'welcome';
  version: number;
  userId: string;
  /** Proves on a reconnect that this client is the same user. */
  secret: string;
  /** Pixels of the remote screen. */
  width: number;
  height: number;
  /** Refresh rate of the remote display in frames per second. */
  fps: number;
  /** Largest area that the remote screen can be resized to: width times height in pixels. */
  maxArea: number;
  /** Remote screen pixels per CSS pixel of its pages. Absent: 1. */
  pixelRatio?: number;
  /** True if the host supports clipboard transfers and `paste` events. */
  clipboard?: boolean;
  /** True if two fingers zoom the remote page. Then they must not also zoom the local page. */
  pinch?: boolean;
  /**
   * Present after a reconnect as the same user: the `seq` of the newest input event that has arrived from the
   * user. The later events were lost, and the viewer can send them again with their numbers. Null: send none
   * again, because the browser has changed since the user last saw it.
   */
  inputSeq?: number | null;
}

/**
 * The network connection to the viewer loses packets. The host asks the viewer to open a second WebSocket at
 * the same address, for copies of frames and of input.
 */
export interface SecondConnectionOffer {
  type: 'second-connection';
  /** Admits one second connection within 30 seconds. */
  key: string;
}

/** Describes the packets with the same `stream` number. Sent before the first of these packets. */
export interface StreamInfo {
  type: 'stream';
  /**
   * 0 to 65535. Each new stream of the session gets the next number. Numbers wrap. A viewer gets a new stream
   * for example after a change of size.
   */
  stream: number;
  media: MediaKind;
  /** Codec string for WebCodecs, taken from the stream itself. Empty for images. */
  codec: string;
  /** Visible size in pixels. */
  width: number;
  height: number;
  /**
   * Size of the encoded frame in pixels. Both numbers are even, so each may be one more than the visible
   * size. Crop the additional pixels.
   */
  codedWidth: number;
  codedHeight: number;
}

/** A recording of the session has started or ended. */
export interface RecordingNotice {
  type: 'recording';
  on: boolean;
}

/** The shape of the remote pointer. */
export interface Cursor {
  type: 'cursor';
  /** `none`: the remote side hides the pointer. */
  shape: 'image' | 'none';
  /** PNG as a data URL. Only with `image`. */
  url?: string;
  width?: number;
  height?: number;
  /** Position of the hotspot in the picture, in pixels. */
  hotX?: number;
  hotY?: number;
}

/** Answers a `ping`. */
export interface Pong {
  type: 'pong';
  id: number;
}

/** A warning that the session is about to end, or the withdrawal of an earlier warning. */
export interface CloseWarning {
  type: 'close-warning';
  /**
   * The time limit that runs out. `shutdown`: the service is shutting down. Each kind has its own warning.
   */
  kind: 'absolute' | 'inactive' | 'offline' | 'shutdown';
  /** Milliseconds until the session ends. Null withdraws the warning. */
  delay: number | null;
}

/** An event that a page should show to its user. */
export interface Notice {
  type: 'notice';
  /**
   * Kinds for all viewers:
   * - `browser-crashed`, `browser-hung`, `browser-closed`: the browser crashed, did not respond, or was
   *   closed. It was restarted.
   * - `browser-hung-again`: the browser did not respond twice within two minutes. It was restarted with an
   *   empty page, because the page before may be the cause.
   * - `browser-resumed`: a process of the session was stopped for some seconds and continues.
   * - `picture-restarted`, `sound-restarted`, `network-restarted`: the browser's part for the picture, the
   *   sound or the network was restarted.
   * - `page-crashed`: the process of a page ended.
   * - `page-ended`: a page was ended, because the session exceeded its limit of memory or processes.
   * - `page-hung`: a page does not respond to a user's input.
   * - `tab-refused`: a page was closed, because the maximum number of pages is open.
   * - `link-refused`: a user followed a link that would start a program, such as `mailto:`.
   *
   * Kinds for one user:
   * - `field-masked`: the user tried to fill a masked field without the role `field_masking`. The session
   *   ignores their typing until they click elsewhere or press Tab.
   * - `upload-refused`: a page requested a file, but the user lacks the role `file_upload`.
   * - `download-refused`, `print-refused`: a page offered a file or was printed, but the user lacks the role
   *   `file_download`.
   * - `privacy-ended`: the user's privacy mode ended without a call of the user. Other users see the browser
   *   again.
   * - `control-given`, `control-taken`: the user has got or lost control.
   */
  kind:
    | 'browser-crashed'
    | 'browser-hung'
    | 'browser-hung-again'
    | 'browser-closed'
    | 'browser-resumed'
    | 'picture-restarted'
    | 'sound-restarted'
    | 'network-restarted'
    | 'page-crashed'
    | 'page-ended'
    | 'page-hung'
    | 'tab-refused'
    | 'link-refused'
    | 'field-masked'
    | 'privacy-ended'
    | 'upload-refused'
    | 'download-refused'
    | 'print-refused'
    | 'control-given'
    | 'control-taken';
  /** A sentence for people. */
  message: string;
}
