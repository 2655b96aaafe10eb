import { Modifier, type ClipboardData, type Paste } from 'cloud-browser/protocol';
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

/** Keys that copy, with Control or, for the last one, with Shift. */
const COPY_KEYS = /^([cxCX]|Insert|Delete)$/;

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

  /**
   * Does something else in this user's turn, which counts as a press at a place of the screen, or as one that is meant for no masked
   * field. Resolves to what comes of it; false when it may not be done, or too much waits of this user.
   */
  inTurn(at: { x: number; y: number } | undefined, act: () => Promise<boolean>): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const task = async () => {
        const may = await this.#admitsPress(at);
        await (may ? act() : Promise.resolve(false)).then(resolve, reject);
      };
      if (this.#closed || !this.#lane.push(task)) resolve(false);
    });
  }

  /** Has the browser paste something. False, and `done`: as {@link handle}. */
  paste(event: Paste, data: ClipboardData, done: () => void): boolean {
    if (this.#closed) return true;
    // What comes later must not be done with what came before.
    this.#newest = undefined;
    return this.#lane.push(async () => {
      await this.devices.text.finishBefore({ ...event, type: 'key', pressed: true, repeat: false }, this);
      await this.devices.clipboard.acts(this, false);
      if ((await this.devices.masked?.admits(event, this.#writer)) ?? true) {
        await this.devices.clipboard.bring(this, data);
        this.devices.clipboard.pasting();
        await this.#keyboard.tap(event);
      }
      done();
    });
  }

  /** Lets go of everything, when all that waits is done; nothing more is accepted. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.releaseAll();
    this.#lane.pushLast(() => {
      this.devices.masked?.leave(this.#writer);
      this.devices.clipboard.forget(this);
    });
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
    const alone = presses(event) ? this.devices.clipboard.acts(this, copies(event)) : undefined;
    if (!finishing && !alone) return this.#admit(event);
    return Promise.all([finishing, alone]).then(() => this.#admit(event));
  }

  #admit(event: UserEvent): Promise<void> | void {
    const admitted = this.devices.masked?.admits(event, this.#writer) ?? true;
    if (admitted === true) return this.#act(event);
    return admitted.then((may) => (may ? this.#act(event) : undefined));
  }

  #admitsPress(at: { x: number; y: number } | undefined): true | Promise<boolean> {
    const { masked } = this.devices;
    if (!masked || (!at && !this.#writer.mayWrite())) return true;
    const { x, y } = at ?? { x: 0, y: 0 };
    const press = { type: 'button', seq: 0, modifiers: 0, x, y, button: 0, pressed: true } as const;
    return masked.admits(press, this.#writer);
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

/** Whether the browser may copy or paste for it. */
function presses(event: UserEvent): boolean {
  return event.type === 'key' || event.type === 'button'
    ? event.pressed
    : event.type === 'touch' && event.phase !== 'move';
}

function copies(event: UserEvent): boolean {
  return (
    event.type === 'key' &&
    (event.modifiers & (Modifier.control | Modifier.shift)) !== 0 &&
    COPY_KEYS.test(event.key)
  );
}
