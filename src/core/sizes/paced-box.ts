import type { Box } from '../client-preferences.js';
import type { SizePace } from './size-pace.js';

/**
 * Sends the box (the size of the area that the screen should fill), no faster than {@link SizePace} allows.
 * The removal of the box is sent at once, because it does not change the size of the screen.
 */
export class PacedBox {
  /** Box that was last sent to the session on this connection. */
  #sent: Box | null = null;

  constructor(
    private readonly pace: SizePace,
    private readonly send: (box: Box | null) => void,
  ) {}

  /** Sends this box, or null for no box. Replaces a waiting box. */
  set(box: Box | null): void {
    if (box && !isSame(box, this.#sent)) {
      this.pace.send('box', () => this.#send(box));
      return;
    }
    this.pace.drop('box');
    if (!box && this.#sent) this.#send(null);
  }

  /** Records the box that was sent when a new connection opened. */
  opened(box: Box | null): void {
    if (box) this.pace.sent();
    this.#sent = box;
  }

  #send(box: Box | null): void {
    this.#sent = box;
    this.send(box);
  }
}

function isSame(one: Box, other: Box | null): boolean {
  return one.width === other?.width && one.height === other.height;
}
