import type { InputDevices } from './input-devices.js';
import type { Writer } from './masked-fields.js';
import { Keyboard } from './keyboard/keyboard.js';
import { merged, type UserEvent } from './merge-events.js';
import { Pointer } from './pointer.js';
import type { Task, TaskLane } from './task-lane.js';
import { TouchInput } from './touch.js';

export type { UserEvent };

/** An event in the queue. It may become another one while it waits. */
interface Waiting {
  event: UserEvent;
  done: () => void;
}

/**
 * One user's hands. Knows all that this user holds, and lets go of it when the user leaves. Events of all users go through one
 * queue, so each is done before the next begins: those of one user in the order in which they came, users in turn.
 */
export class UserInput {
  readonly #lane: TaskLane;
  /** The newest event, while it waits. */
  #newest: Waiting | undefined;
  readonly #keyboard: Keyboard;
  readonly #pointer: Pointer;
  readonly #touch: TouchInput;
  readonly #writer: Writer;
  #closed = false;

  constructor(
    private readonly devices: InputDevices,
    rights: Pick<Writer, 'mayWrite' | 'onRefused'>,
  ) {
    const { keymap, sink, keys, pageKeys, sync, glass, queue } = devices;
    this.#lane = queue.lane();
    this.#keyboard = new Keyboard(keymap, keys, pageKeys, sync);
    this.#pointer = new Pointer(sink);
    this.#touch = new TouchInput(glass);
    const pointer = this.#pointer;
    this.#writer = {
      mayWrite: () => rights.mayWrite(),
      onRefused: () => rights.onRefused(),
      get drags() {
        return pointer.holdsAny;
      },
      letGo: () => this.#releaseAll(),
    };
    devices.masked?.join(this.#writer);
  }

  /**
   * False: far more waits of this user than a person does, and this is not done.
   *
   * @param done called when the display or the page has the event, or a later one that says the same
   */
  handle(event: UserEvent, done: () => void): boolean {
    if (this.#closed) return true;
    const both = this.#newest && merged(this.#newest.event, event);
    if (this.#newest && both) {
      Object.assign(this.#newest, { event: both, done });
      return true;
    }
    const waiting = { event, done };
    const task: Task = () => {
      if (this.#newest === waiting) this.#newest = undefined;
      const pending = this.#perform(waiting.event);
      return pending ? pending.then(waiting.done) : waiting.done();
    };
    this.#newest = waiting;
    // What is held must not stay held, whatever waits.
    if (event.type !== 'release') return this.#lane.push(task);
    this.#lane.pushLast(task);
    return true;
  }

  /** Lets go of everything, when all that waits is done; nothing more is accepted. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.releaseAll();
    this.#lane.pushLast(() => this.devices.masked?.leave(this.#writer));
  }

  /** Releases everything that is held, when all that waits is done. */
  releaseAll(): void {
    this.#newest = undefined;
    this.#lane.pushLast(() => this.#releaseAll());
  }

  /** What this user does counts no more: what waits is given up, and all that is held released before anybody's next event. */
  giveUp(): void {
    this.#newest = undefined;
    this.#lane.clear();
    this.devices.queue.urge(() => this.#releaseAll());
  }

  /** Nothing is heard of the user: keys are lifted before they repeat. */
  releaseUnconfirmedKeys(): void {
    this.#newest = undefined;
    this.#lane.pushLast(() => this.#keyboard.releaseUnconfirmed());
  }

  /** Whether this user holds a key, which would repeat for as long. */
  get holdsKeys(): boolean {
    return this.#keyboard.holdsAnything;
  }

  #perform(event: UserEvent): Promise<void> | void {
    // While masked fields are still open, or closed, for whoever has composed.
    const finishing = this.devices.text.finishBefore(event, this);
    return finishing ? finishing.then(() => this.#admit(event)) : this.#admit(event);
  }

  #admit(event: UserEvent): Promise<void> | void {
    const admitted = this.devices.masked?.admits(event, this.#writer) ?? true;
    if (admitted === true) return this.#act(event);
    return admitted.then((may) => (may ? this.#act(event) : undefined));
  }

  #act(event: UserEvent): Promise<void> | void {
    switch (event.type) {
      case 'move':
        return this.#pointer.move(event);
      case 'relative':
        return this.#pointer.moveBy(event);
      case 'button':
        this.#keyboard.matchModifiers(event.modifiers);
        return this.#pointer.handle(event);
      case 'wheel':
        this.#keyboard.matchModifiers(event.modifiers);
        return this.devices.wheel.handle(event);
      case 'key':
        return this.#key(event);
      case 'text':
        return this.devices.text.commit(event.text, this);
      case 'composition':
        return this.devices.text.compose(event.text, this);
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
    await this.devices.text.finishOf(this);
    await this.#keyboard.releaseAll();
    this.#pointer.releaseAll();
    this.#touch.releaseAll();
  }
}
