import type { InputWithoutSeq } from '../protocol/index.js';
import type { PastedContent } from './clipboard/pasted-content.js';

/**
 * A position in pixels of the remote screen. Functions of {@link PicturePlacement} that return CSS pixels say
 * so in their comments.
 */
export interface RemotePoint {
  x: number;
  y: number;
}

/** Position of the remote screen on the page. Client coordinates are CSS pixels, as in mouse events. */
export interface PicturePlacement {
  /** Size of the remote screen in its pixels. 0 before it is available. */
  readonly size: { width: number; height: number };
  /** Number of remote screen pixels per CSS pixel of the remote page. */
  readonly pixelRatio: number;
  /**
   * Returns the remote pixel at a client position. Undefined outside the picture, and before the first
   * picture.
   */
  toRemote(clientX: number, clientY: number): RemotePoint | undefined;
  /**
   * Returns the remote pixel nearest to a client position. So a drag continues outside the picture. Undefined
   * before there is a picture.
   */
  nearestRemote(clientX: number, clientY: number): RemotePoint | undefined;
  /** Returns the client position of a point of the remote screen, with `x` and `y` from 0 to 1. */
  toClient(x: number, y: number): RemotePoint;
  /**
   * Converts a client position to the surface's own pixels, also under CSS transforms. The origin is the
   * place of a child with `left: 0; top: 0`.
   */
  toContainer(clientX: number, clientY: number): RemotePoint;
  /** Returns the number of CSS pixels of the page per CSS pixel of the remote page, above 0. */
  scale(): number;
}

/** Sends input events. */
export interface InputSink {
  /** Returns false if the event is lost, because there is no connection. */
  sendInput(event: InputWithoutSeq): boolean;
  /** Turns reports about the focused remote field on or off. Absent if such reports are not available. */
  watchFocus?(on: boolean): void;
}

/** Receives pasted content. */
export interface PasteOutlet {
  /** False if the session is of an old version that does not support pasting. Text is then typed. */
  readonly takesPaste: boolean;
  /**
   * Uploads content and returns the transfer id for a `paste` event. Undefined if it cannot be pasted. The
   * implementation reports the failure.
   */
  upload(content: PastedContent): Promise<number | undefined>;
  /** Puts content on the remote clipboard, for this user's next paste there. */
  offer(content: PastedContent): Promise<void>;
}

/** The source of input, its mapping to the remote screen, and the receiver of the events. */
export interface InputTarget {
  /** Element that shows the remote screen. It must allow a child: the text field of the keyboard. */
  readonly surface: HTMLElement;
  readonly placement: PicturePlacement;
  readonly sink: InputSink;
  /** If undefined, pasted text is typed. */
  readonly pastes?: PasteOutlet;
}
