import type { EventEmitter } from 'eventemitter3';
import type {
  ClipboardMessage,
  Cursor,
  Handoff,
  HostMessage,
  PrivacyNotice,
  RemoteField,
  SessionAgent,
  ShownDialog,
  StreamInfo,
  Welcome,
} from '../protocol/index.js';
import { privacyOf, warningOf, type ClientEvents, type PrivacyInfo } from './events.js';

/** Stores the newest state that the session sent. Emits an event of the client for each change. */
export class SessionFacts {
  welcome: Welcome | undefined;
  stream: StreamInfo | undefined;
  cursor: Cursor | undefined;
  field: RemoteField | undefined;
  dialog: ShownDialog | undefined;
  pixelRatio = 1;
  pointerLocked = false;
  agents: readonly SessionAgent[] = [];
  handoffs: readonly Handoff[] = [];
  isRecorded = false;
  #privacy: PrivacyInfo | undefined;

  constructor(private readonly events: EventEmitter<ClientEvents>) {}

  /** Id of the user in privacy mode, if it is not this client's user. */
  get shutOutBy(): string | undefined {
    return this.#privacy?.shutOut ? this.#privacy.userId : undefined;
  }

  /** The user in privacy mode. Undefined if no user is in privacy mode. */
  get privacy(): PrivacyInfo | undefined {
    return this.#privacy;
  }

  /**
   * Records the `welcome` of a new connection. Resets the state that the session sent on the earlier
   * connection, except the cursor.
   */
  welcomed(welcome: Welcome): void {
    this.welcome = welcome;
    this.stream = undefined;
    this.#focus(undefined);
    this.#ask(undefined);
    this.#becomePrivate({ type: 'privacy', userId: null });
    this.#recorded(false);
    this.#scaled(welcome.pixelRatio ?? 1);
    this.#lockPointer(false);
    this.#agentsAre([]);
    this.#handoffsAre([]);
  }

  /** Forgets the state that would make the page keep its keyboard or its pointer for the session. */
  ended(): void {
    this.#focus(undefined);
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
      this.#becomePrivate(message);
    } else if (message.type === 'recording') {
      this.#recorded(message.on);
    } else if (message.type === 'focus') {
      this.#focus(message.field ?? undefined);
    } else if (message.type === 'dialog') {
      this.#ask(message.dialog ?? undefined);
    } else if (message.type === 'agents') {
      this.#agentsAre(message.agents);
    } else if (message.type === 'handoffs') {
      this.#handoffsAre(message.open);
    }
  }

  #agentsAre(agents: readonly SessionAgent[]): void {
    if (agents.length === 0 && this.agents.length === 0) return;
    this.agents = agents;
    this.events.emit('agents', agents);
  }

  #handoffsAre(open: readonly Handoff[]): void {
    if (open.length === 0 && this.handoffs.length === 0) return;
    this.handoffs = open;
    this.events.emit('handoff', open);
  }

  #focus(field: RemoteField | undefined): void {
    if (!field && !this.field) return;
    this.field = field;
    this.events.emit('focus', field);
  }

  #ask(dialog: ShownDialog | undefined): void {
    if (!dialog && !this.dialog) return;
    this.dialog = dialog;
    this.events.emit('dialog', dialog);
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

  #recorded(on: boolean): void {
    if (on === this.isRecorded) return;
    this.isRecorded = on;
    this.events.emit('recording', on);
  }

  #becomePrivate(notice: PrivacyNotice): void {
    if (notice.userId === null && !this.#privacy) return;
    const info = privacyOf(notice, this.welcome?.userId);
    this.#privacy = info.userId === undefined ? undefined : info;
    this.events.emit('privacy', info);
  }
}
