import type { CloudBrowserClient } from '../core/index.js';
import type { SoftKeyboard } from '../input/index.js';
import { KeyboardPan } from './keyboard-pan.js';
import type { PictureShift, Placement } from './placement.js';

/** Listener for changes of a phone's keyboard. */
export interface FocusListener {
  onShift(shift: PictureShift): void;
  onKeyboard(open: boolean): void;
}

/**
 * Follows the focused field of the remote screen: opens a phone's keyboard for it and keeps it above the
 * keyboard.
 */
export class KeyboardFollower {
  readonly #pan: KeyboardPan;
  readonly #client: CloudBrowserClient;
  readonly #keyboard: SoftKeyboard;

  constructor(
    client: CloudBrowserClient,
    keyboard: SoftKeyboard,
    container: HTMLElement,
    placement: Placement,
    listener: FocusListener,
  ) {
    this.#client = client;
    this.#keyboard = keyboard;
    this.#pan = new KeyboardPan(container, placement, (shift) => {
      keyboard.place();
      listener.onShift(shift);
    });
    keyboard.onOpen = (open) => {
      this.#pan.follow(client.remoteField, open);
      listener.onKeyboard(open);
    };
    client.on('focus', this.follow);
    this.follow();
  }

  close(): void {
    this.#client.off('focus', this.follow);
    this.#keyboard.onOpen = undefined;
    this.#pan.close();
  }

  /** Updates after the field, its place or the picture changed. */
  readonly follow = (): void => {
    const { remoteField } = this.#client;
    this.#keyboard.remote = remoteField;
    this.#pan.follow(remoteField, this.#keyboard.open);
    this.#keyboard.place();
  };
}
