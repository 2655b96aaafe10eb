import type { MediaKind } from '../protocol/index.js';
import type { CopyState, RemoteCopy } from './copy-state.js';
import type { PictureShift } from './placement.js';
import type { ConnectionQuality } from '../core/index.js';
import type { ImageOnlyCause, MediaFigures, PaintedFrame, SoundFigures } from '../media/index.js';

/** Why the viewer shows images instead of video. */
export interface ImageNotice {
  cause: ImageOnlyCause | 'decoder-failed';
  /** A sentence for people. */
  message: string;
}

/** Events of a viewer and their arguments. Those of the connection are the client's. */
export interface ViewerEvents {
  /** A frame is on the canvas. */
  painted: [painted: PaintedFrame];
  /**
   * The picture that was painted, for canvases and textures of your own. It is closed after the call: draw it, or keep a
   * `clone()` (VideoFrame) or a copy (ImageBitmap). `painted` follows with its particulars.
   */
  frame: [image: VideoFrame | ImageBitmap];
  /** The size of the remote picture is known, or another than before. Pixels. */
  resize: [size: { width: number; height: number }];
  /** The picture may lie elsewhere in the container. `exact`: it keeps its pixels there, otherwise it is scaled. */
  place: [exact: boolean];
  /** The container wears another pointer: a value of the CSS property `cursor`, empty when the remote pointer is not shown. */
  cursor: [style: string];
  /** A phone's keyboard is to be there, or not any more. */
  keyboard: [open: boolean];
  /** The picture is shifted, so that what is written can be seen above a phone's keyboard. */
  shift: [shift: PictureShift];
  /** This user has copied something in the remote browser. */
  remoteCopy: [copy: RemoteCopy];
  /** What became of it, or of a paste; undefined: it does not matter any more. */
  copyState: [state: CopyState | undefined];
  /** Images are shown instead of video. */
  images: [notice: ImageNotice];
  /** Sound has come that the browser does not let the page play before its user has done something on it; or it plays. */
  audioblocked: [blocked: boolean];
  /** The connection has become better or worse, as the client tells it. */
  quality: [quality: ConnectionQuality];
  error: [error: Error];
}

/** What happens right now; a plain object that does not change. */
export interface ViewerStats extends MediaFigures, SoundFigures {
  /** The newest round trip in milliseconds. */
  rtt: number | undefined;
  /** How well the session can be used over this connection; undefined before the first round trip. */
  quality: ConnectionQuality | undefined;
  /** How frames come, once a stream has begun. */
  media: MediaKind | undefined;
  /** Pixels of the remote picture, 0 before the first. */
  width: number;
  height: number;
}
