import type { InputEvent } from 'cloud-browser/protocol';
import type { InputDevices } from './input-devices.js';
import { Keyboard } from './keyboard/keyboard.js';
import { Pointer } from './pointer.js';
import { TouchInput } from './touch.js';

/** An event that changes the browser; acknowledgements are the room's business. */
export type UserEvent = Exclude<InputEvent, { type: 'ack' }>;

/**
 * One user's hands. Knows all that this user holds, and lets go of it when the user leaves. Events of all users go
 * through one queue, so each is done before the next begins, in the order in which they came.
 */
export class UserInput {
  readonly #keyboard: Keyboard;
  readonly #pointer: Pointer;
  readonly #touch: TouchInput;
  #closed = false;

  constructor(private readonly devices: InputDevices) {
    const { keymap, sink, keys, pageKeys, sync, glass } = devices;
    this.#keyboard = new Keyboard(keymap, keys, pageKeys, sync);
    this.#pointer = new Pointer(sink);
    this.#touch = new TouchInput(glass);
  }

  /** @param done called when the display or the page has the event */
  handle(event: UserEvent, done: () => void): void {
    if (this.#closed) return;
    this.devices.queue.push(() => {
      const pending = this.#perform(event);
      return pending ? pending.then(done) : done();
    });
  }

  /** Lets go of everything; nothing more is accepted. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.devices.queue.push(() => this.#releaseAll());
  }

  /** Releases everything that is held: the user may not hold it any more. */
  releaseAll(): void {
    this.devices.queue.push(() => this.#releaseAll());
  }

  /** Nothing is heard of the user: keys are lifted before they repeat. */
  releaseUnconfirmedKeys(): void {
    this.devices.queue.push(() => this.#keyboard.releaseUnconfirmed());
  }

  /** Whether this user holds a key, which would repeat for as long. */
  get holdsKeys(): boolean {
    return this.#keyboard.holdsAnything;
  }

  #perform(event: UserEvent): Promise<void> | void {
    switch (event.type) {
      case 'move':
        return this.#pointer.move(event);
      case 'button':
        this.#keyboard.matchModifiers(event.modifiers);
        return this.#pointer.handle(event);
      case 'wheel':
        this.#keyboard.matchModifiers(event.modifiers);
        return this.devices.wheel.handle(event);
      case 'key':
        return this.#key(event);
      case 'text':
        return this.devices.text.commit(event.text);
      case 'composition':
        return this.devices.text.compose(event.text);
      case 'touch':
        return this.#touch.handle(event);
      case 'release':
        return this.#releaseAll();
    }
  }

  async #key(event: Extract<UserEvent, { type: 'key' }>): Promise<void> {
    await this.#keyboard.handle(event);
    if (event.pressed && event.key === 'Escape') await this.devices.pages.resetZoom();
  }

  async #releaseAll(): Promise<void> {
    await this.#keyboard.releaseAll();
    this.#pointer.releaseAll();
    this.#touch.releaseAll();
  }
}
