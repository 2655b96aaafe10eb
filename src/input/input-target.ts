import type { InputWithoutSeq } from '../protocol/index.js';
import type { PastedContent } from './pasted-content.js';

/** A position on the remote screen, in its pixels. */
export interface RemotePoint {
  x: number;
  y: number;
}

/** How the remote screen lies on the page. Client coordinates are those of mouse events, in CSS pixels. */
export interface PicturePlacement {
  /** The remote screen's size in its pixels; 0 before it is known. */
  readonly size: { width: number; height: number };
  /** The remote pixel at a client position; undefined beside the picture and before there is one. */
  toRemote(clientX: number, clientY: number): RemotePoint | undefined;
  /** The remote pixel nearest to a client position: a drag goes on beside the picture. Undefined before there is a picture. */
  nearestRemote(clientX: number, clientY: number): RemotePoint | undefined;
  /** The client position of a part of the remote screen, `x` and `y` from 0 to 1. */
  toClient(x: number, y: number): RemotePoint;
  /** CSS pixels of the page per CSS pixel of the remote one, above 0. */
  scale(): number;
}

/** Takes input events, in the order of the calls, and sends them at once. */
export interface InputSink {
  /** False when there is no connection: the event is lost. */
  sendInput(event: InputWithoutSeq): boolean;
  /** Whether to be told what has the keyboard on the remote screen. Absent: nobody can tell. */
  watchFocus?(on: boolean): void;
}

/** Takes what is pasted. */
export interface PasteOutlet {
  /** False: the session is older than pasting; texts are typed then. */
  readonly takesPaste: boolean;
  /** Sends something that a `paste` event names; undefined, and told elsewhere: it cannot be pasted. */
  upload(content: PastedContent): Promise<number | undefined>;
  /** Puts something on the remote clipboard, for this user's next paste there. */
  offer(content: PastedContent): Promise<void>;
}

/** Where input comes from, how positions map onto the remote screen, and where events go. */
export interface InputTarget {
  /** The element that shows the remote screen. It must be able to hold a child: the keyboard's text field. */
  readonly surface: HTMLElement;
  readonly placement: PicturePlacement;
  readonly sink: InputSink;
  /** Without one, pasted text is typed. */
  readonly pastes?: PasteOutlet;
}
