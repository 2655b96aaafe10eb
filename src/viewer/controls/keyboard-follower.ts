import type { EventEmitter } from 'eventemitter3';
import type { CloudBrowserClient } from '../../core/index.js';
import type { SoftKeyboard } from '../../input/index.js';
import { KeyboardPan } from './keyboard-pan.js';
import type { Placement } from '../picture/placement.js';
import type { ViewerEvents } from '../viewer-events.js';

/**
 * Follows the focused field of the remote screen: opens a phone's keyboard for the field and keeps the field
 * above the keyboard.
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
    private readonly events: EventEmitter<ViewerEvents>,
  ) {
    this.#client = client;
    this.#keyboard = keyboard;
    this.#pan = new KeyboardPan(container, placement, (shift) => {
      keyboard.place();
      events.emit('shift', shift);
    });
    keyboard.on('open', this.#opened);
    client.on('focus', this.follow);
    this.follow();
  }

  close(): void {
    this.#client.off('focus', this.follow);
    this.#keyboard.off('open', this.#opened);
    this.#pan.close();
  }

  readonly #opened = (open: boolean): void => {
    this.#pan.follow(this.#client.remoteField, open);
    this.events.emit('keyboard', open);
  };

  /** Updates the keyboard and the shift of the picture, after the field, its place or the picture changed. */
  readonly follow = (): void => {
    const { remoteField } = this.#client;
    this.#keyboard.remote = remoteField;
    this.#pan.follow(remoteField, this.#keyboard.open);
    this.#keyboard.place();
  };
}
