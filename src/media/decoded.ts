/** A frame is on the canvas. */
export interface PaintedFrame {
  stream: number;
  frame: number;
  /** From the packet. */
  inputSeq: number;
  /** Milliseconds from handing the packet to the decoder to painting its picture. */
  decodeTime: number;
  /** Pixels of the picture, which is also the size of the canvas from now on. */
  width: number;
  height: number;
}

/** What happens to the packets that a stage is given. Every packet ends in `onPainted` or `onDropped`. */
export interface StageListener {
  onPainted(painted: PaintedFrame): void;
  /** Outdated, or not decodable without a frame that is missing. */
  onDropped(stream: number, frame: number): void;
  /** Nothing can be decoded until a key frame comes. Repeated at most once a second, or after a failure. */
  onKeyFrameNeeded(stream: number): void;
  /** The decoder refuses this stream again and again: another kind of media is needed. */
  onFailed(stream: number, message: string): void;
}
