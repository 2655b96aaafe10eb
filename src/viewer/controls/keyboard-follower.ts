import type { EventEmitter } from 'eventemitter3';
import { systemTimers, type CloudBrowserClient, type StateChange, type Timers } from '../../core/index.js';
import type { SoftKeyboard } from '../../input/index.js';
import type { RemoteField } from '../../protocol/index.js';
import { KeyboardPan } from './keyboard-pan.js';
import type { Placement } from '../picture/placement.js';
import type { ViewerEvents } from '../viewer-events.js';

/**
 * Time after a reconnect in which the session reports the focused field. The session first has to ask its
 * pages again. Milliseconds.
 */
const RESUME_MS = 1_500;

/** The members of {@link SoftKeyboard} that {@link KeyboardFollower} needs. */
interface FollowingKeyboard extends Pick<SoftKeyboard, 'remote' | 'open' | 'place'> {
  on(event: 'open', listener: (open: boolean) => void): unknown;
  off(event: 'open', listener: (open: boolean) => void): unknown;
}

/**
 * Follows the focused field of the remote screen: opens a phone's keyboard for the field and keeps the field
 * above the keyboard. A lost connection does not close the keyboard at once: it would open again soon after
 * that, and some phones open it only in a tap.
 */
export class KeyboardFollower {
  readonly #pan: KeyboardPan;
  readonly #client: CloudBrowserClient;
  readonly #keyboard: FollowingKeyboard;
  #field: RemoteField | undefined;
  /** Timer of {@link RESUME_MS}. Undefined except after a reconnect. */
  #resuming: unknown;

  constructor(
    client: CloudBrowserClient,
    keyboard: FollowingKeyboard,
    container: HTMLElement,
    placement: Placement,
    private readonly events: EventEmitter<ViewerEvents>,
    private readonly timers: Timers = systemTimers,
  ) {
    this.#client = client;
    this.#keyboard = keyboard;
    this.#pan = new KeyboardPan(container, placement, (shift) => {
      keyboard.place();
      events.emit('shift', shift);
    });
    keyboard.on('open', this.#opened);
    client.on('focus', this.follow);
    client.on('state', this.#stateChanged);
    this.follow();
  }

  close(): void {
    this.#client.off('focus', this.follow);
    this.#client.off('state', this.#stateChanged);
    this.#keyboard.off('open', this.#opened);
    this.#stopResuming();
    this.#pan.close();
  }

  readonly #opened = (open: boolean): void => {
    this.#pan.follow(this.#field, open);
    this.events.emit('keyboard', open);
  };

  /** Updates the keyboard and the shift of the picture, after the field, its place or the picture changed. */
  readonly follow = (): void => {
    const { remoteField, state } = this.#client;
    if (remoteField) this.#stopResuming();
    if (remoteField || (state !== 'reconnecting' && this.#resuming === undefined)) this.#field = remoteField;
    this.#keyboard.remote = this.#field;
    this.#pan.follow(this.#field, this.#keyboard.open);
    this.#keyboard.place();
  };

  readonly #stateChanged = ({ state, previous }: StateChange): void => {
    this.#stopResuming();
    if (state === 'playing' && previous === 'reconnecting' && this.#field)
      this.#resuming = this.timers.setTimeout(() => {
        this.#resuming = undefined;
        this.follow();
      }, RESUME_MS);
    this.follow();
  };

  #stopResuming(): void {
    if (this.#resuming !== undefined) this.timers.clearTimeout(this.#resuming);
    this.#resuming = undefined;
  }
}
