import type { EventEmitter } from 'eventemitter3';
import { isUnderWay, type ConnectionState } from '../../core/connection/connection-states.js';
import type { CloudBrowserClient } from '../../core/index.js';
import {
  attachInput,
  detectPlatform,
  SentEvents,
  type AttachedInput,
  type KeyboardScope,
  type SentEvent,
} from '../../input/index.js';
import type { Welcome } from '../../protocol/index.js';
import { AutoResize, type ResizeMode } from './auto-resize.js';
import { ClipboardExchange } from '../clipboard/clipboard-exchange.js';
import { warnAboutViewport } from '../picture/pinch-viewport.js';
import type { Placement } from '../picture/placement.js';
import { RemoteCursor } from '../picture/remote-cursor.js';
import { KeptTyping } from './kept-typing.js';
import { KeyboardFollower } from './keyboard-follower.js';
import type { ViewerEvents } from '../viewer-events.js';

/** Settings of a viewer that its controls follow. */
export interface ControlSettings {
  /** True if the viewer ignores the user's input. */
  viewOnly: boolean;
  keyboard: KeyboardScope;
  resizeMode: ResizeMode;
}

/** The parts of the viewer that the controls need. */
export interface ControlsParts {
  /** The viewer changes these and then calls {@link Controls.apply}. */
  readonly settings: Readonly<ControlSettings>;
  readonly client: CloudBrowserClient;
  readonly container: HTMLElement;
  readonly placement: Placement;
  /** The controls emit the viewer's events about cursor, keyboard and clipboard. */
  readonly events: EventEmitter<ViewerEvents>;
}

/**
 * Handles all input for the remote screen: mouse, keyboard, touch, cursor, clipboard and container size. Also
 * sends generated input. Loaded while the viewer connects, see `ViewerControls`.
 */
export class Controls {
  /** Copies from and pastes into the remote browser. */
  readonly clipboard: ClipboardExchange;
  readonly #parts: ControlsParts;
  readonly #cursor: RemoteCursor;
  readonly #sent: SentEvents;
  readonly #autoResize: AutoResize;
  readonly #typing: KeptTyping;
  #input: AttachedInput | undefined;
  #focus: KeyboardFollower | undefined;

  constructor(parts: ControlsParts) {
    this.#parts = parts;
    const { client, container, placement, events } = parts;
    const size = () => (placement.size.width > 0 ? placement.size : (client.welcome ?? placement.size));
    this.#sent = new SentEvents((event) => void client.sendInput(event), size, detectPlatform());
    this.clipboard = new ClipboardExchange({ client, container, events, input: () => this.#input });
    this.#cursor = new RemoteCursor(container);
    this.#autoResize = new AutoResize(client);
    this.#typing = new KeptTyping(client);
    placement.on('box', this.#autoResize.follow);
    if (placement.box) this.#autoResize.follow(placement.box);
    client.on('state', this.#stateChanged).on('welcome', this.#checkPage);
    client.on('cursor', this.#showCursor).on('pixelRatio', this.#showCursor);
  }

  /** Applies the settings of the viewer. */
  apply(): void {
    const { viewOnly, keyboard } = this.#parts.settings;
    if (viewOnly) this.#detach();
    else this.#attach();
    this.#input?.setKeyboard(keyboard);
    this.#showState();
  }

  get keyboardOpen(): boolean {
    return this.#input?.softKeyboard.open ?? false;
  }

  focus(): void {
    this.#input?.focus();
  }

  showKeyboard(): void {
    this.#input?.softKeyboard.show();
  }

  hideKeyboard(): void {
    this.#input?.softKeyboard.hide();
  }

  /** Updates the place of the focused remote field after the remote picture changed its size. */
  resized(): void {
    this.#focus?.follow();
  }

  sendEvent(event: SentEvent): void {
    this.#sent.handle(event);
  }

  releaseSentKeys(): void {
    this.#sent.releaseKeys();
  }

  close(): void {
    const { client, placement } = this.#parts;
    this.#detach();
    this.#showState();
    client.off('state', this.#stateChanged).off('welcome', this.#checkPage);
    client.off('cursor', this.#showCursor).off('pixelRatio', this.#showCursor);
    placement.off('box', this.#autoResize.follow);
    this.#autoResize.close();
    this.clipboard.close();
    this.#cursor.close();
  }

  readonly #stateChanged = ({ state }: { state: ConnectionState }): void => {
    if (state !== 'playing') this.#input?.release();
    this.#typing.stateChanged();
    this.#captureKeys();
  };

  readonly #checkPage = ({ pinch }: Welcome): void => {
    if (pinch && this.#input) warnAboutViewport();
  };

  #attach(): void {
    if (this.#input) return;
    const { client, container, placement, events } = this.#parts;
    const sink = this.#typing;
    this.#input = attachInput({ surface: container, placement, sink, pastes: this.clipboard });
    this.#captureKeys();
    const { softKeyboard } = this.#input;
    this.#focus = new KeyboardFollower(client, softKeyboard, container, placement, events);
    if (client.welcome) this.#checkPage(client.welcome);
  }

  /** Without a connection, keys stay local. Otherwise Tab could not reach a button that connects again. */
  #captureKeys(): void {
    this.#input?.captureKeys(isUnderWay(this.#parts.client.state));
  }

  #detach(): void {
    // The follower reports that the input closes a phone's keyboard.
    this.#input?.close();
    this.#typing.forget();
    this.#focus?.close();
    this.#focus = this.#input = undefined;
  }

  /** Updates resizing and the cursor. A view-only viewer does not resize the remote screen. */
  #showState(): void {
    this.#autoResize.on = this.#parts.settings.resizeMode === 'auto' && this.#input !== undefined;
    this.#showCursor();
  }

  readonly #showCursor = (): void => {
    const { client, events } = this.#parts;
    events.emit('cursor', this.#cursor.show(this.#input && client.cursor, client.pixelRatio));
  };
}
