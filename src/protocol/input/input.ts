/**
 * Input events of a viewer, as sent to the host. Positions are pixels of the remote screen, from its top
 * left. The host clamps them to the screen. `modifiers` is the state of the user's own keyboard, so that a
 * host can correct stuck keys.
 */
export type InputEvent =
  | PointerMove
  | RelativeMove
  | PointerButton
  | Wheel
  | Key
  | CommitText
  | Composition
  | Touch
  | ReleaseAll
  | Paste
  | Acknowledge;

/** Bits of `modifiers`. */
export const Modifier = { shift: 1, control: 2, alt: 4, meta: 8 } as const;

interface Sequenced {
  /**
   * Number of the event. Increases by one per event of this viewer, also across reconnects as the same user.
   * 32 bits, wraps, never 0.
   * `MediaPacket.inputSeq` refers to this number.
   */
  seq: number;
  /** Sum of {@link Modifier} bits. */
  modifiers: number;
}

interface At {
  /** 0 to 65535. */
  x: number;
  /** 0 to 65535. */
  y: number;
}

/** State of a stylus, in the units of `PointerEvent`. */
export interface PenState {
  /** Force of the tip, 0 to 1. */
  pressure: number;
  /** Degrees to the right, -90 to 90. */
  tiltX: number;
  /** Degrees towards the user, -90 to 90. */
  tiltY: number;
}

interface MaybePen {
  /**
   * State of the stylus, while its tip is down and with the event that lifts it. Absent for a mouse, and for
   * a stylus that hovers. Older hosts ignore it, so for them a stylus is a mouse.
   */
  pen?: PenState;
}

export interface PointerMove extends Sequenced, At, MaybePen {
  type: 'move';
}

/**
 * The distance of a mouse move instead of its position, while a page of the remote browser has locked the
 * pointer. The distance 0 means that the user's pointer has left the picture, so that pages close their hover
 * menus. Older hosts ignore it.
 */
export interface RelativeMove extends Sequenced {
  type: 'relative';
  /** Pixels of the remote screen to the right, -32767 to 32767. Longer distances are clamped. */
  x: number;
  /** Pixels down, as `x`. */
  y: number;
}

export interface PointerButton extends Sequenced, At, MaybePen {
  type: 'button';
  /** As in `MouseEvent.button`: 0 left, 1 middle, 2 right, 3 back, 4 forward. */
  button: number;
  pressed: boolean;
}

export interface Wheel extends Sequenced, At {
  type: 'wheel';
  /** Remote CSS pixels to scroll right, sent in steps of 1/8 pixel. -4095 to 4095. */
  deltaX: number;
  /** Remote CSS pixels to scroll down, as `deltaX`. */
  deltaY: number;
  /**
   * True if the device scrolls in notches, such as a mouse wheel. Then the remote browser animates the
   * scroll. The events of a touchpad are smooth without animation.
   */
  notched: boolean;
}

export interface Key extends Sequenced {
  type: 'key';
  pressed: boolean;
  /** True for an auto-repeat of a key that is already down. */
  repeat: boolean;
  /** The physical key, as `KeyboardEvent.code`. May be empty (on-screen keyboards). */
  code: string;
  /**
   * The key's value in the user's own keyboard layout, as `KeyboardEvent.key`: one character or a named key.
   */
  key: string;
  /** True if Caps Lock is on. Pages warn about it beside password fields. */
  capsLock?: boolean;
}

/** Finished text from an input method, a dead key, an on-screen keyboard or the emoji picker. */
export interface CommitText extends Sequenced {
  type: 'text';
  text: string;
}

/**
 * Unfinished text of an input method. It replaces the previous unfinished text. Empty if the composition is
 * cancelled.
 */
export interface Composition extends Sequenced {
  type: 'composition';
  text: string;
}

export interface TouchPoint extends At {
  /** 0 to 255, unique among the fingers that are down. */
  id: number;
}

/** A change of touches, as in a DOM touch event. `points` are all fingers that are down after the change. */
export interface Touch extends Sequenced {
  type: 'touch';
  phase: 'start' | 'move' | 'end' | 'cancel';
  points: TouchPoint[];
}

/** Releases every key, button and finger that this viewer holds (blur, hidden page). */
export interface ReleaseAll extends Sequenced {
  type: 'release';
}

/**
 * Puts the content of a clipboard transfer on the browser's clipboard, and triggers the browser's own paste.
 * Send all bytes of the transfer before this event. Otherwise nothing is pasted.
 */
export interface Paste extends Sequenced {
  type: 'paste';
  /** As in `ClipboardOffer.transfer`. */
  transfer: number;
  /**
   * The key of the paste shortcut, as in {@link Key}. The host presses and releases it while `modifiers` are
   * held.
   */
  code: string;
  key: string;
}

/**
 * Reports that the viewer has painted or dropped a frame. The host adapts a viewer's frame rate to these
 * reports.
 */
export interface Acknowledge {
  type: 'ack';
  stream: number;
  frame: number;
}

type WithoutSeq<Event> = Event extends Sequenced ? Omit<Event, 'seq'> : never;

/**
 * An input event without its number, which the client adds. Acknowledgements have no such number and are not
 * included.
 */
export type InputWithoutSeq = WithoutSeq<InputEvent>;
