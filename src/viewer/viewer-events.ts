import type { MediaKind } from '../protocol/index.js';
import type { CopyState, RemoteCopy } from './clipboard/copy-state.js';
import type { PictureShift } from './picture/placement.js';
import type { ConnectionQuality } from '../core/index.js';
import type { ImageOnlyCause, MediaFigures, PaintedFrame, SoundFigures } from '../media/index.js';

/** Reason for showing images instead of video. */
export interface ImageNotice {
  cause: ImageOnlyCause | 'decoder-failed';
  /** A sentence for users. */
  message: string;
}

/** Events of a viewer and their arguments. The client emits the events of the connection. */
export interface ViewerEvents {
  /** A frame was painted on the canvas. */
  painted: [painted: PaintedFrame];
  /**
   * The painted picture, for your own canvases and textures. It is closed after the call. Draw it, or keep a
   * `clone()` (VideoFrame) or a copy (ImageBitmap). The event `painted` with the details follows.
   */
  frame: [image: VideoFrame | ImageBitmap];
  /** The size of the remote picture is available or has changed. Pixels. */
  resize: [size: { width: number; height: number }];
  /** The picture may have moved in the container. `exact` is true if it is shown without scaling. */
  place: [exact: boolean];
  /**
   * The cursor of the container changed: a value of the CSS property `cursor`. Empty if the remote cursor is
   * not shown.
   */
  cursor: [style: string];
  /** A phone's keyboard opened or closed. */
  keyboard: [open: boolean];
  /** The picture was shifted, so that the focused field stays visible above a phone's keyboard. */
  shift: [shift: PictureShift];
  /** This user copied something in the remote browser. */
  remoteCopy: [copy: RemoteCopy];
  /** Result of a copy or a paste. Undefined when it is no longer relevant. */
  copyState: [state: CopyState | undefined];
  /** Images are shown instead of video. */
  images: [notice: ImageNotice];
  /** The local browser blocks sound until the user interacts with the page, or allows sound again. */
  audioblocked: [blocked: boolean];
  /** The connection became better or worse. The client emits the same event. */
  quality: [quality: ConnectionQuality];
  error: [error: Error];
}

/** Current statistics. An immutable plain object. */
export interface ViewerStats extends MediaFigures, SoundFigures {
  /** Latest round-trip time in milliseconds. */
  rtt: number | undefined;
  /** Quality of the connection. Undefined before the first round trip, and in the state `closed`. */
  quality: ConnectionQuality | undefined;
  /** Kind of media of the stream. Undefined before the first stream. */
  media: MediaKind | undefined;
  /** Size of the remote picture in pixels. 0 before the first picture. */
  width: number;
  height: number;
}
