import type { BoxMessage, Hello, MediaKind, Userdata, ViewerMessage, Welcome } from '../protocol/index.js';

/** A width and a height in CSS pixels. */
export type Box = NonNullable<BoxMessage['box']>;

/** What a client wants of its session, over all of its connections. */
export class ClientPreferences {
  /** Whether frames are wanted. */
  visible = true;
  /** Whether sound packets are wanted. */
  sound = false;
  /** Whether it is wanted to be told what has the keyboard. */
  focus = false;
  /** What the screen is to fill, in CSS pixels. */
  box: Box | null = null;

  constructor(
    /** What can be shown, best first. */
    public media: readonly MediaKind[],
    /** What the customer's endpoint is told. */
    public userdata: Userdata | undefined,
  ) {}

  /** How the next connection begins, as the user of an earlier one if there was one. */
  hello(earlier: Welcome | undefined): Omit<Hello, 'type' | 'version'> {
    const { media, userdata } = this;
    const resume = earlier && { userId: earlier.userId, secret: earlier.secret };
    return {
      media: [...media],
      tellsHeld: true,
      ...(resume && { resume }),
      ...(userdata !== undefined && { userdata }),
      ...(typeof devicePixelRatio === 'number' && { pixelRatio: devicePixelRatio }),
    };
  }

  /** What a new connection is told first: where a preference is not the session's default, frames and nothing else. */
  *openingMessages(): Iterable<ViewerMessage> {
    if (!this.visible) yield { type: 'visible', visible: false };
    if (this.sound) yield { type: 'sound', on: true };
    if (this.focus) yield { type: 'focus', on: true };
    if (this.box) yield { type: 'box', box: this.box };
  }
}
