import type { CloudBrowserClient } from '../core/index.js';
import {
  attachInput,
  detectPlatform,
  SentEvents,
  type AttachedInput,
  type KeyboardScope,
  type SentEvent,
} from '../input/index.js';
import type { Welcome } from '../protocol/index.js';
import { AutoResize, type ResizeMode } from './auto-resize.js';
import { ClipboardExchange } from './clipboard-exchange.js';
import { warnAboutViewport } from './pinch-viewport.js';
import type { Placement } from './placement.js';
import { RemoteCursor } from './remote-cursor.js';
import { RemoteFocus } from './remote-focus.js';
import type { ViewerEvents } from './viewer-events.js';

/** The events of a viewer that its controls tell. */
export type ControlsEvent = 'cursor' | 'keyboard' | 'shift' | 'remoteCopy' | 'copyState';

/** What controls need of their viewer. */
export interface ControlsParts {
  readonly client: CloudBrowserClient;
  readonly container: HTMLElement;
  readonly placement: Placement;
  readonly tell: <Name extends ControlsEvent>(name: Name, ...args: ViewerEvents[Name]) => void;
}

/**
 * What a person acts with on the remote screen: mouse, keyboard, touch, the pointer's shape, the clipboard and the size of the box; and what a program sends
 * in the place of one. Loaded beside the first picture, see `ViewerControls`.
 */
export class Controls {
  /** Copying from the remote browser, and pasting into it. */
  readonly clipboard: ClipboardExchange;
  readonly #parts: ControlsParts;
  readonly #cursor = new RemoteCursor(() => this.#showCursor());
  readonly #sent: SentEvents;
  readonly #autoResize: AutoResize;
  #resizeMode: ResizeMode = 'none';
  #input: AttachedInput | undefined;
  #focus: RemoteFocus | undefined;

  constructor(parts: ControlsParts) {
    this.#parts = parts;
    const { client, container, placement, tell } = parts;
    const size = () => (placement.size.width > 0 ? placement.size : (client.welcome ?? placement.size));
    this.#sent = new SentEvents((event) => void client.sendInput(event), size, detectPlatform());
    this.clipboard = new ClipboardExchange({
      client,
      container,
      input: () => this.#input,
      onCopy: (copy) => tell('remoteCopy', copy),
      onState: (state) => tell('copyState', state),
    });
    this.#autoResize = new AutoResize(client);
    placement.onBox = this.#autoResize.follow;
    client.on('state', this.#stateChanged).on('welcome', this.#checkPage);
    client.on('cursor', this.#showCursor).on('pixelRatio', this.#showCursor);
  }

  /** Takes what a person does, or nothing. */
  set viewOnly(viewOnly: boolean) {
    if (viewOnly) {
      this.#focus?.close();
      this.#input?.close();
      this.#focus = this.#input = undefined;
    } else if (!this.#input) {
      const { client, container, placement, tell } = this.#parts;
      this.#input = attachInput({
        surface: container,
        placement,
        sink: client,
        pastes: this.clipboard,
      });
      const { softKeyboard } = this.#input;
      this.#focus = new RemoteFocus(client, softKeyboard, container, placement, {
        onShift: (shift) => tell('shift', shift),
        onKeyboard: (open) => tell('keyboard', open),
      });
      if (client.welcome) this.#checkPage(client.welcome);
    }
    this.#followBox();
    this.#showCursor();
  }

  set resizeMode(mode: ResizeMode) {
    this.#resizeMode = mode;
    this.#followBox();
  }

  set keyboard(scope: KeyboardScope) {
    this.#input?.setKeyboard(scope);
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

  /** The remote picture has another size. */
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
    const { client, container } = this.#parts;
    this.viewOnly = true;
    client.off('state', this.#stateChanged).off('welcome', this.#checkPage);
    client.off('cursor', this.#showCursor).off('pixelRatio', this.#showCursor);
    this.#autoResize.close();
    this.clipboard.close();
    this.#cursor.close();
    container.style.cursor = '';
  }

  readonly #stateChanged = ({ state }: { state: string }): void => {
    if (state !== 'playing') this.#input?.release();
  };

  readonly #checkPage = ({ pinch }: Welcome): void => {
    if (pinch && this.#input) warnAboutViewport();
  };

  /** Who only views decides nothing. */
  #followBox(): void {
    this.#autoResize.on = this.#resizeMode === 'auto' && this.#input !== undefined;
  }

  readonly #showCursor = (): void => {
    const { client, container, tell } = this.#parts;
    const { cursor } = client;
    const style = this.#input && cursor ? this.#cursor.css(cursor, client.pixelRatio) : '';
    container.style.cursor = style;
    tell('cursor', style);
  };
}
