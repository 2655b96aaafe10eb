import type { BoxMessage, Hello, MediaKind, Userdata, ViewerMessage, Welcome } from '../protocol/index.js';

/** A width and a height in CSS pixels. */
export type Box = NonNullable<BoxMessage['box']>;

/** The settings of a client for its session, valid for all of its connections. */
export class ClientPreferences {
  /** True if the client wants frames. */
  visible = true;
  /** True if the client wants sound packets. */
  sound = false;
  /** True if the client wants reports about the focused field. */
  focus = false;
  /**
   * Size of the area that the remote screen should fill, in CSS pixels. Null if the screen should not follow
   * this client.
   */
  box: Box | null = null;

  constructor(
    /** Formats of frames that can be shown, best first. */
    public media: readonly MediaKind[],
    /** Data for the customer's endpoint that authorizes viewers. */
    public userdata: Userdata | undefined,
  ) {}

  /**
   * Returns the content of the next connection's `hello`. `earlier` is the welcome of an earlier connection,
   * to connect as the same user.
   */
  hello(earlier: Welcome | undefined): Omit<Hello, 'type' | 'version'> {
    const { media, userdata } = this;
    const resume = earlier && { userId: earlier.userId, secret: earlier.secret };
    return {
      media: [...media],
      tellsHeld: true,
      secondConnection: true,
      ...(resume && { resume }),
      ...(userdata !== undefined && { userdata }),
      ...(typeof devicePixelRatio === 'number' && { pixelRatio: devicePixelRatio }),
    };
  }

  /**
   * Yields the first messages of a new connection. There is one message for each setting that differs from
   * the session's default.
   */
  *openingMessages(): Iterable<ViewerMessage> {
    if (!this.visible) yield { type: 'visible', visible: false };
    if (this.sound) yield { type: 'sound', on: true };
    if (this.focus) yield { type: 'focus', on: true };
    if (this.box) yield { type: 'box', box: this.box };
  }
}
