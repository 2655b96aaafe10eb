import type {
  ClipboardMessage,
  Cursor,
  HostMessage,
  RemoteField,
  StreamInfo,
  Welcome,
} from '../protocol/index.js';
import type { Emitter } from './emitter.js';
import { warningOf, type ClientEvents } from './events.js';

/** What the session said of itself last, and the client's events that tell of a change. */
export class SessionFacts {
  welcome: Welcome | undefined;
  stream: StreamInfo | undefined;
  cursor: Cursor | undefined;
  field: RemoteField | undefined;
  pixelRatio = 1;
  pointerLocked = false;
  #privateTo: string | undefined;

  constructor(private readonly events: Emitter<ClientEvents>) {}

  /** The other user who has the browser to themselves. */
  get shutOutBy(): string | undefined {
    return this.#privateTo === this.welcome?.userId ? undefined : this.#privateTo;
  }

  /** A connection begins: the stream and privacy of an earlier one count no more. */
  welcomed(welcome: Welcome): void {
    this.welcome = welcome;
    this.stream = undefined;
    this.#focus(undefined);
    this.#becomePrivate(undefined);
    this.#scaled(welcome.pixelRatio ?? 1);
    this.#lockPointer(false);
  }

  received(message: Exclude<HostMessage, ClipboardMessage | { type: 'welcome' | 'answer' | 'event' }>): void {
    if (message.type === 'stream') {
      this.stream = message;
      this.events.emit('stream', message);
    } else if (message.type === 'screen') {
      this.#scaled(message.pixelRatio);
    } else if (message.type === 'cursor') {
      this.cursor = message;
      this.events.emit('cursor', message);
    } else if (message.type === 'close-warning') {
      this.events.emit('closeWarning', warningOf(message));
    } else if (message.type === 'notice') {
      this.events.emit('notice', message);
    } else if (message.type === 'pointer-lock') {
      this.#lockPointer(message.locked);
    } else if (message.type === 'privacy') {
      this.#becomePrivate(message.userId ?? undefined);
    } else if (message.type === 'focus') {
      this.#focus(message.field ?? undefined);
    }
  }

  #focus(field: RemoteField | undefined): void {
    if (!field && !this.field) return;
    this.field = field;
    this.events.emit('focus', field);
  }

  #scaled(pixelRatio: number): void {
    if (pixelRatio === this.pixelRatio) return;
    this.pixelRatio = pixelRatio;
    this.events.emit('pixelRatio', pixelRatio);
  }

  #lockPointer(locked: boolean): void {
    if (locked === this.pointerLocked) return;
    this.pointerLocked = locked;
    this.events.emit('pointerLock', locked);
  }

  #becomePrivate(userId: string | undefined): void {
    if (userId === this.#privateTo) return;
    this.#privateTo = userId;
    this.events.emit('privacy', { userId, shutOut: this.shutOutBy !== undefined });
  }
}
