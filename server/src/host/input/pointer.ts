import type { PointerButton } from 'cloud-browser/protocol';

/** Moves the display's pointer and its buttons. */
export interface PointerSink {
  move(x: number, y: number): void;
  /** Does nothing while nobody has locked the pointer. */
  moveBy(x: number, y: number): void;
  button(button: number, pressed: boolean): void;
  /** A page has locked the pointer: `move` does nothing. */
  readonly locked: boolean;
}

/** X button numbers, by `MouseEvent.button`. 4 to 7 are the wheel. */
const X_BUTTONS = [1, 2, 3, 8, 9] as const;

/** The display's pointer in the hands of one user: knows which buttons that user holds. */
export class Pointer {
  readonly #held = new Set<number>();
  /** Where this user pointed last. */
  #at: { x: number; y: number } | undefined;

  constructor(private readonly sink: PointerSink) {}

  move(at: { x: number; y: number }): void {
    this.#point(at);
  }

  /** How far a user moves whose own pointer is locked as well. */
  moveBy({ x, y }: { x: number; y: number }): void {
    // Positions that come with such a user's presses are none.
    this.#at = undefined;
    this.sink.moveBy(x, y);
  }

  handle(event: PointerButton): void {
    const button = X_BUTTONS[event.button];
    if (button === undefined) return;
    this.#point(event);
    // A second press of a held button means that a release was lost.
    if (event.pressed === this.#held.has(button)) return;
    if (event.pressed) this.#held.add(button);
    else this.#held.delete(button);
    this.sink.button(button, event.pressed);
  }

  get holdsAny(): boolean {
    return this.#held.size > 0;
  }

  /** A page that has locked the pointer hears how far users go who cannot lock their own. */
  #point({ x, y }: { x: number; y: number }): void {
    const from = this.#at;
    this.#at = { x, y };
    if (!this.sink.locked) this.sink.move(x, y);
    else if (from) this.sink.moveBy(x - from.x, y - from.y);
  }

  releaseAll(): void {
    for (const button of this.#held) this.sink.button(button, false);
    this.#held.clear();
  }
}
