import type { ClipboardData, Key, Paste } from 'cloud-browser/protocol';
import { copies, presses } from './clipboard-events.js';
import type { InputDevices } from './input-devices.js';
import type { InputUser } from './fields/masked-fields.js';
import { Keyboard } from './keyboard/keyboard.js';
import { merged, type UserEvent } from './merge-events.js';
import { Pen } from './pen.js';
import { Pointer } from './pointer.js';
import type { Task, TaskLane } from './task-lane.js';
import { TouchInput } from './touch.js';

export type { UserEvent };

/** An event in the queue. A later event may be merged into it while it waits. */
interface Waiting {
  event: UserEvent;
  done: () => void;
}

/** Outcome of an event that a customer's program sends, see {@link UserInput.performed}. */
export type Performed = 'done' | 'refused' | 'dropped' | 'full';

/**
 * Handles one user's input. Tracks the keys, buttons and fingers that this user holds, and releases them when
 * the user leaves. Events of all users go through one queue, and each is finished before the next begins.
 * Events of one user keep their order. Users take turns.
 */
export class UserInput {
  readonly #lane: TaskLane;
  /** The user's newest event, while it waits in the queue. */
  #newest: Waiting | undefined;
  readonly #keyboard: Keyboard;
  readonly #pointer: Pointer;
  readonly #pen: Pen;
  readonly #touch: TouchInput;
  readonly #writer: InputUser;
  /**
   * Stands for the user on all connections. The host finishes composed text when a connection is lost. The
   * input method repeats this text on the next connection.
   */
  readonly #user: object;
  #closed = false;
  /** Number of events that masked fields refused. */
  #refusals = 0;

  constructor(
    private readonly devices: InputDevices,
    rights: Pick<InputUser, 'mayWrite' | 'onRefused' | 'hold'> & Partial<Pick<InputUser, 'isProgram'>>,
  ) {
    const { keymap, sink, keys, pageKeys, sync, glass, queue, modifiers } = devices;
    this.#lane = queue.lane();
    this.#user = rights.hold;
    this.#keyboard = new Keyboard(keymap, keys, pageKeys, sync, modifiers);
    this.#pointer = new Pointer(sink);
    this.#touch = new TouchInput(glass);
    this.#pen = new Pen(this.#pointer, devices);
    const [pointer, pen] = [this.#pointer, this.#pen];
    this.#writer = {
      mayWrite: () => rights.mayWrite(),
      onRefused: () => rights.onRefused(),
      hold: rights.hold,
      isProgram: rights.isProgram === true,
      get drags() {
        return pointer.holdsAny || pen.isDown;
      },
      letGo: () => this.#releaseAll(),
      liftKeys: () => this.devices.queue.urge(() => this.#keyboard.releaseAll()),
    };
    devices.masked?.join(this.#writer);
  }

  /**
   * Handles an event. Returns false and drops the event if too many of this user's events wait. The limit is
   * far above the number of events that a person produces.
   *
   * @param done called when the display or the page has received the event, or when a masked field has
   *   refused it. If the event is merged into a later event, only that event's `done` is called.
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
    // A release is never dropped, because keys and buttons must not stay pressed.
    if (event.type === 'release') this.#lane.pushLast(task);
    else if (!this.#lane.push(task)) {
      this.#newest = undefined;
      return false;
    }
    return true;
  }

  /**
   * Performs another action when it is this user's turn. Resolves to the result of `act`. Resolves to false
   * if a masked field forbids the action, if too many tasks of this user wait, if this user loses control
   * before the turn, or has left.
   *
   * @param at position of the action on the screen. Undefined if the action cannot affect a masked field
   */
  inTurn(at: { x: number; y: number } | undefined, act: () => Promise<boolean>): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const perform = async () => (await this.#admitsAt(at)) && act();
      const task: Task = () => perform().then(resolve, reject);
      task.onDropped = () => resolve(false);
      if (this.#closed || !this.#lane.push(task)) resolve(false);
    });
  }

  /**
   * Performs an event of a program. Resolves to `done` when the display or the page has received it, and to
   * `refused` if a masked field did not accept it. Resolves to `dropped` if the user lost control before the
   * event's turn, and to `full` if too many events wait.
   *
   * @param onBegin called immediately before the event is performed
   */
  performed(event: UserEvent, onBegin: () => void = () => undefined): Promise<Performed> {
    return this.#inLane(async () => {
      onBegin();
      await this.#perform(event);
    });
  }

  /**
   * Presses and releases a key with these modifiers, as one event. For the result and `onBegin`, see
   * {@link performed}.
   */
  tap(
    { code, key, modifiers }: Pick<Key, 'code' | 'key' | 'modifiers'>,
    onBegin: () => void = () => undefined,
  ): Promise<Performed> {
    const press = { type: 'key', seq: 0, code, key, modifiers, pressed: true, repeat: false } as const;
    return this.#inLane(async () => {
      onBegin();
      await this.#perform(press);
      await this.#act({ ...press, pressed: false });
      this.#keyboard.matchModifiers(0);
    });
  }

  /**
   * Pastes data: puts it into the clipboard and presses the paste key. For the result and `done`, see
   * {@link handle}.
   */
  paste(event: Paste, data: ClipboardData, done: () => void): boolean {
    if (this.#closed) return true;
    // Prevents later events from being merged with events that came before this one.
    this.#newest = undefined;
    return this.#lane.push(async () => {
      if (this.#withholds(event)) return done();
      await this.devices.text.finishBefore(
        { ...event, type: 'key', pressed: true, repeat: false },
        this.#user,
      );
      await this.devices.clipboard.acts(this, false);
      if ((await this.devices.masked?.admits(event, this.#writer)) ?? true) {
        await this.devices.clipboard.offer(this, data);
        this.devices.clipboard.pasting();
        await this.#keyboard.tap(event);
      }
      done();
    });
  }

  /**
   * Removes content that another user has sent for a paste. Call it before this user's input that reaches a
   * page without this class. Resolves when the content is removed. Returns undefined if there is none.
   */
  removePasteOfOthers(): Promise<void> | undefined {
    return this.#closed ? undefined : this.devices.clipboard.acts(this, false);
  }

  /** Releases all keys, buttons and fingers after the waiting events. Accepts no more events. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.releaseAll();
    this.#lane.pushLast(() => {
      this.devices.masked?.leave(this.#writer);
      this.devices.clipboard.forget(this);
    });
  }

  /** Releases the user's keys, buttons and fingers after the waiting events. */
  releaseAll(): void {
    this.#newest = undefined;
    this.#lane.pushLast(() => this.#releaseAll());
  }

  /**
   * Drops this user's waiting events. Releases the user's keys, buttons and fingers before any other event.
   */
  giveUp(): void {
    this.#newest = undefined;
    this.#lane.clear();
    this.devices.queue.urge(() => this.#releaseAll());
  }

  /** Releases held keys before the display repeats them, because the user's connection is silent. */
  releaseUnconfirmedKeys(): void {
    this.#newest = undefined;
    this.#lane.pushLast(() => this.#keyboard.releaseUnconfirmed());
  }

  /** True if this user holds a key, a button or a finger. */
  get holdsAny(): boolean {
    const { holdsAny } = this.#pointer;
    return this.#keyboard.holdsAnything || holdsAny || this.#pen.isDown || this.#touch.holdsAny;
  }

  /**
   * Blocks the user's typing after an action at a masked element that works like a press, for example after a
   * screen reader moved the focus to the element. Called in the user's turn.
   */
  withholdTyping(): void {
    this.devices.masked?.hold(this.#writer);
  }

  /** Allows the user's typing again after an action that moved the focus. Called in the user's turn. */
  resumeTyping(): void {
    this.#writer.hold.end();
  }

  #inLane(perform: () => Promise<void>): Promise<Performed> {
    // Prevents later events from being merged with events that came before this one.
    this.#newest = undefined;
    return new Promise((resolve, reject) => {
      const task: Task = () => {
        const before = this.#refusals;
        return perform().then(() => resolve(this.#refusals === before ? 'done' : 'refused'), reject);
      };
      task.onDropped = () => resolve('dropped');
      if (this.#closed) resolve('dropped');
      else if (!this.#lane.push(task)) resolve('full');
    });
  }

  #perform(event: UserEvent): Promise<void> | void {
    if (this.#withholds(event)) return;
    // Finishes composed text first. The next step may open or close the masked fields for the user of this
    // event, who may not be the composing user.
    const finishing = this.devices.text.finishBefore(event, this.#user);
    const alone = presses(event) ? this.devices.clipboard.acts(this, copies(event)) : undefined;
    if (!finishing && !alone) return this.#admit(event);
    return Promise.all([finishing, alone]).then(() => this.#admit(event));
  }

  #withholds(event: UserEvent | Paste): boolean {
    if (this.devices.masked?.withholds(event, this.#writer) !== true) return false;
    this.#dropped(event);
    return true;
  }

  #admit(event: UserEvent): Promise<void> | void {
    const admitted = this.devices.masked?.admits(event, this.#writer) ?? true;
    if (admitted === true) return this.#act(event);
    return admitted.then((may) => (may ? this.#act(event) : this.#dropped(event)));
  }

  /**
   * Handles a refused event. If the event was text, also forgets composed text that the host finished before
   * the user's input method did. The refused event may be the one in which the input method repeats that
   * text.
   */
  #dropped({ type }: UserEvent | Paste): void {
    this.#refusals++;
    if (type === 'text' || type === 'composition') this.devices.text.forgetFinished(this.#user);
  }

  #admitsAt(at: { x: number; y: number } | undefined): true | Promise<boolean> {
    const { masked } = this.devices;
    if (!masked || (!at && !this.#writer.mayWrite())) return true;
    return masked.admitsAt(at ?? { x: 0, y: 0 }, this.#writer);
  }

  #act(event: UserEvent): Promise<void> | void {
    switch (event.type) {
      case 'move':
        return this.#pen.move(event);
      case 'relative':
        return this.#pointer.moveBy(event);
      case 'button':
        this.#keyboard.matchModifiers(event.modifiers);
        return this.#pen.handle(event);
      case 'wheel':
        return this.#keyboard.scroll(event, () => this.devices.wheel.handle(event));
      case 'key':
        return this.#key(event);
      case 'text':
        return this.devices.text.commit(event.text, this.#user);
      case 'composition':
        return this.devices.text.compose(event.text, this.#user);
      case 'touch':
        if (event.phase === 'start') this.#keyboard.matchModifiers(event.modifiers);
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
    await this.devices.text.finishOf(this.#user);
    await this.#keyboard.releaseAll();
    this.#pen.lift();
    this.#pointer.releaseAll();
    this.#touch.releaseAll();
  }
}
