import type { PointerButton } from 'cloud-browser/protocol';

/** Moves the display's pointer and its buttons. */
export interface PointerSink {
  move(x: number, y: number): void;
  button(button: number, pressed: boolean): void;
}

/** X button numbers, by `MouseEvent.button`. 4 to 7 are the wheel. */
const X_BUTTONS = [1, 2, 3, 8, 9] as const;

/** The display's pointer in the hands of one user: knows which buttons that user holds. */
export class Pointer {
  readonly #held = new Set<number>();

  constructor(private readonly sink: PointerSink) {}

  move(at: { x: number; y: number }): void {
    this.sink.move(at.x, at.y);
  }

  handle(event: PointerButton): void {
    const button = X_BUTTONS[event.button];
    if (button === undefined) return;
    this.sink.move(event.x, event.y);
    // A second press of a held button means that a release was lost.
    if (event.pressed === this.#held.has(button)) return;
    if (event.pressed) this.#held.add(button);
    else this.#held.delete(button);
    this.sink.button(button, event.pressed);
  }

  get holdsAny(): boolean {
    return this.#held.size > 0;
  }

  releaseAll(): void {
    for (const button of this.#held) this.sink.button(button, false);
    this.#held.clear();
  }
}
