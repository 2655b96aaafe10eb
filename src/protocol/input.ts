/**
 * What a viewer's hands do, as it goes over the wire. Coordinates are pixels of the remote screen, from its top left;
 * the host clamps them to the screen. `modifiers` is the state the user means, so a host can correct keys that got
 * stuck on the way.
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
  /** One up per event of this connection; comes back in `MediaPacket.inputSeq`. 32 bits, wraps, never 0. */
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

export interface PointerMove extends Sequenced, At {
  type: 'move';
}

/** How far the mouse moved, in place of where it is: while a page of the remote browser has locked the pointer. */
export interface RelativeMove extends Sequenced {
  type: 'relative';
  /** Pixels of the remote screen to the right, -32768 to 32767. */
  x: number;
  /** Down, as `x`. */
  y: number;
}

export interface PointerButton extends Sequenced, At {
  type: 'button';
  /** As in `MouseEvent.button`: 0 left, 1 middle, 2 right, 3 back, 4 forward. */
  button: number;
  pressed: boolean;
}

export interface Wheel extends Sequenced, At {
  type: 'wheel';
  /** Remote CSS pixels to scroll right, in 1/8 pixel steps over the wire; -4095 to 4095. */
  deltaX: number;
  /** Remote CSS pixels to scroll down, as `deltaX`. */
  deltaY: number;
  /** The device scrolls in notches (a mouse wheel), so the browser should glide; a touchpad glides by itself. */
  notched: boolean;
}

export interface Key extends Sequenced {
  type: 'key';
  pressed: boolean;
  /** An auto-repeat of a key that is already down. */
  repeat: boolean;
  /** The physical key, as `KeyboardEvent.code`; may be empty (on-screen keyboards). */
  code: string;
  /** What the user's own layout makes of it, as `KeyboardEvent.key`: one character or a named key. */
  key: string;
}

/** Finished text from an input method, a dead key, an on-screen keyboard or the emoji picker. */
export interface CommitText extends Sequenced {
  type: 'text';
  text: string;
}

/** Unfinished text of an input method, replacing the one before; empty when the composition is given up. */
export interface Composition extends Sequenced {
  type: 'composition';
  text: string;
}

export interface TouchPoint extends At {
  /** 0 to 255, unique among the fingers that are down. */
  id: number;
}

/** Like a DOM touch event: `points` are all fingers still on the glass after the change. */
export interface Touch extends Sequenced {
  type: 'touch';
  phase: 'start' | 'move' | 'end' | 'cancel';
  points: TouchPoint[];
}

/** Lets go of every key, button and finger that this viewer holds (blur, hidden page). */
export interface ReleaseAll extends Sequenced {
  type: 'release';
}

/**
 * Presses the browser's own paste, with the content of a transfer on its clipboard. The transfer has come whole before; one that is
 * not there is no paste.
 */
export interface Paste extends Sequenced {
  type: 'paste';
  /** As in `ClipboardOffer.transfer`. */
  transfer: number;
  /** The key of the shortcut, as in {@link Key}, pressed and lifted with `modifiers` held. */
  code: string;
  key: string;
}

/** A frame is decoded and ready to be painted. The host paces a viewer by these. */
export interface Acknowledge {
  type: 'ack';
  stream: number;
  frame: number;
}

type WithoutSeq<Event> = Event extends Sequenced ? Omit<Event, 'seq'> : never;

/** An input event as its source makes it; the connection that sends it adds the number. */
export type InputWithoutSeq = WithoutSeq<InputEvent>;
