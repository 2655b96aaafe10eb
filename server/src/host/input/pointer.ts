import type { PointerButton } from 'cloud-browser/protocol';

/** Moves the display's pointer and presses its buttons. */
export interface PointerSink {
  move(x: number, y: number): void;
  /** Moves by a distance. Has an effect only while a page has locked the pointer. */
  moveBy(x: number, y: number): void;
  button(button: number, pressed: boolean): void;
  /**
   * Takes the pointer out of the browser, so that pages close their hover menus. Does nothing if the pointer
   * is no longer at this position, because another user has moved it.
   */
  leave(x: number, y: number): void;
  /** True if a page has locked the pointer. Then `move` does nothing. */
  readonly locked: boolean;
}

/** X button numbers, by `MouseEvent.button`. 4 to 7 are the wheel. */
const X_BUTTONS = [1, 2, 3, 8, 9] as const;

/** The pointer of one user. It tracks the buttons that the user holds. */
export class Pointer {
  readonly #held = new Set<number>();
  /** Last position of this user. */
  #at: { x: number; y: number } | undefined;

  constructor(private readonly sink: PointerSink) {}

  move(at: { x: number; y: number }): void {
    this.#point(at);
  }

  /**
   * Moves by a distance. Called for a user whose viewer has also locked the local pointer. The distance 0
   * means that the user's pointer has left the picture.
   */
  moveBy({ x, y }: { x: number; y: number }): void {
    const from = this.#at;
    // While the local pointer is locked, the positions in this user's events have no meaning.
    this.#at = undefined;
    if (x !== 0 || y !== 0) this.sink.moveBy(x, y);
    else if (from && !this.holdsAny) this.sink.leave(from.x, from.y);
  }

  handle(event: PointerButton): void {
    const button = X_BUTTONS[event.button];
    if (button === undefined) return;
    this.#point(event);
    // Ignores a press of a button that is already held. In this case the earlier release was lost. Also
    // ignores a release of a button that is not held.
    if (event.pressed === this.#held.has(button)) return;
    if (event.pressed) this.#held.add(button);
    else this.#held.delete(button);
    this.sink.button(button, event.pressed);
  }

  get holdsAny(): boolean {
    return this.#held.size > 0;
  }

  /**
   * Moves to a position. If a page has locked the pointer, moves by the distance from this user's last
   * position instead. Events of users whose own pointer is not locked contain positions, not distances.
   */
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
