import { nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { CallError, type CloudBrowserClient } from '../../core/index.js';
import type { ShownDialog } from '../../protocol/index.js';
import { focusedElement, isField } from '../../viewer/focused-field.js';
import type { Viewer } from '../../viewer/index.js';
import { sentenceFor } from '../lang/error-sentence.js';
import type { Words } from '../lang/texts.js';
import type { TimedNotice } from '../status/timed-notice.js';
import { dialogView } from './dialog-view.js';

/**
 * Minimum width and height of a remote screen that shows the whole dialog of Chromium, in CSS pixels.
 * Chromium's dialog is 448 pixels wide, and begins at least 7 pixels from the left edge of the screen. With
 * its longest text, and below the tabs and the address bar, it ends 455 pixels from the upper edge. Its
 * buttons are in its lower right corner.
 */
const FITTING_SIDE = 455;

/** The part of the element that {@link DialogCard} needs. */
export interface DialogCardHost extends ReactiveControllerHost {
  readonly words: Words & { readonly mark: string | undefined };
  readonly notices: TimedNotice;
  readonly viewOnly: boolean;
  readonly client: CloudBrowserClient | undefined;
  readonly viewer: Viewer | undefined;
  readonly renderRoot: HTMLElement | DocumentFragment;
  focus(): void;
}

/**
 * Shows the dialog of the page in front, if the remote screen is too small for Chromium's own dialog. That
 * one stays open behind this one, and Chromium closes it with the answer.
 */
export class DialogCard implements ReactiveController {
  readonly #host: DialogCardHost;
  #client: CloudBrowserClient | undefined;
  /** The client to which `#sentId` and `#draft` belong. It is kept while the element is removed. */
  #latest: CloudBrowserClient | undefined;
  /** The dialog that is rendered. */
  #shown: ShownDialog | undefined;
  /** Number of the dialog that has got the focus. */
  #focusedId: number | undefined;
  /** Number of the dialog whose answer was sent. */
  #sentId: number | undefined;
  /** Text that the user has typed into a prompt. It is kept while the connection is lost. */
  #draft: { id: number; text: string } | undefined;
  /** True if the remote browser had the focus before the dialog. */
  #fromPicture = false;
  /** True if the dialog had the focus before this update. */
  #hadFocus = false;

  constructor(host: DialogCardHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Renders the dialog, if there is one to show. */
  view(): TemplateResult | typeof nothing {
    const { words } = this.#host;
    const dialog = (this.#shown = this.#current);
    if (!dialog) return nothing;
    return dialogView({
      ...{ dialog, words, lang: words.mark, text: this.#textOf(dialog) },
      answer: (accept) => this.#answer(dialog, accept),
      typed: (text) => void (this.#draft = { id: dialog.id, text }),
      key: (event) => this.#key(dialog, event),
      pressedBeside: this.#pressedBeside,
    });
  }

  hostUpdate(): void {
    this.#hadFocus = this.#find('.dialog')?.contains(this.#focused) ?? false;
    // Without a connection, the element does not call `view`.
    this.#shown = undefined;
  }

  hostUpdated(): void {
    this.#follow(this.#host.client);
    const card = this.#find('.dialog');
    const message = card?.querySelector<HTMLElement>('.message');
    // Keys can scroll only an element that can have the focus.
    if (message) message.tabIndex = message.scrollHeight > message.clientHeight ? 0 : -1;
    if (this.#shown && this.#shown.id !== this.#focusedId) this.#takeFocus();
    this.#focusedId = this.#shown?.id;
    // Otherwise Tab could reach the remote browser, and Chromium's own dialog would get the keys.
    this.#find('.surface')?.toggleAttribute('inert', card !== null);
    if (!card && this.#hadFocus && this.#fromPicture && !isOutside()) this.#host.focus();
  }

  hostDisconnected(): void {
    this.#follow(undefined);
  }

  /** The dialog to show now. */
  get #current(): ShownDialog | undefined {
    const { client, viewer, viewOnly } = this.#host;
    const { dialog, stream, pixelRatio = 1 } = client ?? {};
    if (!stream || Math.min(stream.width, stream.height) / pixelRatio >= FITTING_SIDE) return undefined;
    // The page may also set `viewOnly` of the viewer.
    return (viewer ?? { viewOnly }).viewOnly ? undefined : dialog;
  }

  /** The focused element of the shadow tree. */
  get #focused(): Element | null {
    const { renderRoot } = this.#host;
    return renderRoot instanceof ShadowRoot ? renderRoot.activeElement : null;
  }

  /** True while the buttons take no press, because the user cannot have seen the dialog. */
  get #isNew(): boolean {
    const button = this.#find('.dialog .accept');
    return button !== null && getComputedStyle(button).pointerEvents === 'none';
  }

  #find(selector: string): HTMLElement | null {
    return this.#host.renderRoot.querySelector<HTMLElement>(selector);
  }

  #follow(client: CloudBrowserClient | undefined): void {
    if (client === this.#client) return;
    for (const event of ['dialog', 'stream', 'pixelRatio'] as const) {
      this.#client?.off(event, this.#changed);
      client?.on(event, this.#changed);
    }
    this.#client = client;
    if (!client || client === this.#latest) return;
    this.#latest = client;
    // Another session begins with the same numbers.
    this.#sentId = this.#draft = undefined;
  }

  readonly #changed = (): void => this.#host.requestUpdate();

  #textOf({ id, defaultPrompt }: ShownDialog): string {
    return this.#draft?.id === id ? this.#draft.text : defaultPrompt;
  }

  /** Focuses a dialog that has appeared, unless the user may type into a field outside of the element. */
  #takeFocus(): void {
    // The dialog may replace an earlier one, which had the focus.
    if (!this.#hadFocus) this.#fromPicture = this.#find('.surface')?.contains(this.#focused) ?? false;
    if (!isOutside() && (this.#fromPicture || !isField(focusedElement(document)))) this.#focus();
  }

  #focus(): void {
    const field = this.#find('.dialog input');
    if (field instanceof HTMLInputElement) field.select();
    (field ?? this.#find('.dialog .accept'))?.focus({ preventScroll: true });
  }

  #answer(dialog: ShownDialog, accept: boolean): void {
    const { id, type } = dialog;
    if (id === this.#sentId) return;
    this.#sentId = id;
    const text = accept && type === 'prompt' ? { text: this.#textOf(dialog) } : {};
    this.#client?.remote.call('answerDialog', [id, { accept, ...text }]).catch((error: unknown) => {
      if (this.#sentId === id) this.#sentId = undefined;
      // Another user was faster. The session closes the dialog.
      if (error instanceof CallError && error.code === 'err_dialog_gone') return;
      this.#host.notices.show(sentenceFor(error, this.#host.words));
    });
  }

  /** Handles a key in the dialog. No key reaches the page around the element, or the remote browser. */
  #key(dialog: ShownDialog, event: KeyboardEvent): void {
    event.stopPropagation();
    const { type, key, target, repeat, isComposing } = event;
    if (type !== 'keydown' || isComposing) return;
    // A key that repeats, or that comes as soon as the dialog appears, was meant for the page.
    const isAnswer = key === 'Enter' || (key === ' ' && !isField(this.#focused));
    if (isAnswer && (repeat || this.#isNew)) event.preventDefault();
    else if (key === 'Escape') this.#answer(dialog, dialog.type === 'alert');
    else if (key === 'Enter' && target instanceof HTMLInputElement) this.#answer(dialog, true);
    else if (key === 'Tab') this.#moveFocus(event);
    else if (isWayOut(event) && this.#focused instanceof HTMLElement) this.#focused.blur();
  }

  /** Moves the focus to the next element of the dialog, or back. After the last one comes the first one. */
  #moveFocus(event: KeyboardEvent): void {
    event.preventDefault();
    const all = [...this.#host.renderRoot.querySelectorAll<HTMLElement>('.dialog *')];
    const stops = all.filter(({ tabIndex }) => tabIndex >= 0);
    const at = stops.findIndex((stop) => stop === this.#focused);
    stops.at((at + (event.shiftKey ? -1 : 1)) % stops.length)?.focus();
  }

  /** Keeps the focus in the dialog. */
  readonly #pressedBeside = (press: Event): void => {
    if (press.target !== press.currentTarget) return;
    press.preventDefault();
    this.#focus();
  };
}

/**
 * True if this page is in a frame, and the focus is outside of it. A remote page must not take the focus from
 * there: what the user types would become the answer of a prompt.
 */
function isOutside(): boolean {
  return window.parent !== window && !document.hasFocus();
}

/** True for the shortcut that gives the keyboard back to the page, as in the remote browser. */
function isWayOut({ ctrlKey, altKey, shiftKey, key }: KeyboardEvent): boolean {
  return ctrlKey && altKey && shiftKey && /^(Control|Alt|Shift)$/.test(key);
}
