import {
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import type { ConnectionState, Fit } from '../core/index.js';
import { FocusRequest } from '../viewer/focused-field.js';
import type { KeyboardScope, ResizeMode, Viewer, ViewerOptions } from '../viewer/index.js';
import type { Handoff, Userdata } from '../protocol/index.js';
import { CloseCountdown } from './status/close-countdown.js';
import { styles } from './cloud-browser.styles.js';
import { internalsOf, setCustomState } from './custom-states.js';
import type { NextStep } from './status/ending.js';
import { aliases, attributeOf, fillDefaults, guardProperties, PROPERTIES } from './element-properties.js';
import type { CloudBrowserEventMap } from './events.js';
import { KeyboardButton } from './keyboard/keyboard-button.js';
import { LatePlayingViews } from './playing/late-playing-views.js';
import { LateMirror } from './mirror/late-mirror.js';
import type { AccessibilityMode } from './mirror/mirror-owner.js';
import { TimedNotice } from './status/timed-notice.js';
import { SessionController, type SessionControllerHost } from './session-controller.js';
import { SessionElement } from './session-element.js';
import { takeStep } from './status/next-step.js';
import { statusClasses, statusView } from './status/status-view.js';
import { ElementWords } from './lang/words/element-words.js';
import type { ElementTexts } from './lang/texts.js';

/**
 * A remote browser on the page: `<cloud-browser embed-url="…">`. It connects when it has an embed URL and is
 * in a document. It disconnects when it is removed, and reconnects as the same user when it is inserted
 * again.
 *
 * The page sets the size of the element. By default the element takes the available width at 16:9.
 *
 * @event {StateChangeEvent} statechange - The state of the connection changed.
 * @event {ConnectEvent} connect - The element connected or reconnected.
 * @event {DisconnectEvent} disconnect - The connection is over. In the state `failed` the element connects
 *   again when the machine's network returns. In the state `closed` it does not reconnect by itself.
 * @event {ResizeEvent} resize - The size of the remote picture is available or has changed.
 * @event {StatsEvent} stats - New statistics, once a second while playing.
 * @event {CloseWarningEvent} closewarning - The session will end soon, or an earlier warning is withdrawn.
 *   Cancelable: after `preventDefault()` the element shows no countdown.
 * @event {NoticeEvent} notice - Something happened to the remote browser, or this user's control changed.
 *   The element shows the message for 8 s, in the part `panel`. Cancelable: after `preventDefault()` the
 *   element shows nothing.
 * @event {QualityChangeEvent} qualitychange - The connection became better or worse.
 * @event {AudioBlockedEvent} audioblocked - The local browser blocks sound until a user gesture, or allows
 *   sound again.
 * @event {StartAgainEvent} startagain - The user wants a new session after this one ended. Cancelable: by
 *   default the page reloads.
 * @event {CloseRequestEvent} closerequest - The user wants to close the ended session. Cancelable: by default
 *   the element hides.
 * @event {PrivacyChangeEvent} privacychange - The privacy mode of a user started, changed or ended.
 * @event {HandoffEvent} handoff - An agent (a program that uses the browser) asks for the help of a person,
 *   or such a request has ended. Cancelable: after `preventDefault()` the element shows no bar for open
 *   requests.
 * @event {RecordingChangeEvent} recordingchange - A recording of the session started or ended.
 * @event {FileChooserEvent} filechooser - A remote page asks this user for files. Cancelable: after
 *   `preventDefault()` the element opens no local file chooser.
 * @event {FileDropEvent} filedrop - The user dropped files onto the picture. Cancelable: after
 *   `preventDefault()` the element does not upload them.
 * @event {UploadEvent} upload - An upload of the element started, progressed or finished. Cancelable: after
 *   `preventDefault()` the list does not show it.
 * @event {DownloadEvent} download - A download started, progressed or finished. After each connect, also
 *   dispatched for every download that the session has. Cancelable: after `preventDefault()` the list does
 *   not show it.
 * @event {RemoteCopyEvent} remotecopy - This user copied something in the remote browser. Cancelable: after
 *   `preventDefault()` the element does not write it to the local clipboard.
 * @event {CopyStateChangeEvent} copystatechange - Result of a copy or a paste: `copied`, `waiting` for
 *   another click, or `failed`.
 * @event {ViewerEvent} viewer - A viewer was created and is about to connect. Use it to listen to the events
 *   of the viewer and of its client.
 * @event {CloudBrowserErrorEvent} error - An error occurred.
 *
 * @slot overlay - Content over the picture. Its children receive their own clicks.
 * @slot keyboard - Replaces the icon of the keyboard button.
 * @slot connecting - Replaces the indicator of the first connection attempt.
 * @slot reconnecting - Replaces the indicator of a reconnection attempt.
 * @slot failed - Replaces the panel for a failed connection.
 * @slot private - Replaces the cover that is shown while another user is in privacy mode.
 * @slot files - Replaces the list of files.
 * @slot copy - Replaces the message that offers to copy with a click, or reports that content was copied or
 *   that a copy or a paste failed.
 * @slot ended - Replaces the panel for a connection that is over.
 * @slot warning - Replaces the countdown before the session ends.
 * @slot recording - Replaces the message that the session is being recorded.
 * @slot privacy - Replaces the warning that this user's privacy mode ends soon.
 * @slot handoff - Replaces the bar in which an agent asks for the help of a person.
 * @slot sound - Replaces the button that turns on blocked sound.
 * @slot poor - Replaces the message that the connection is slow or silent.
 * @slot way-out - Replaces the hint that explains how to leave the remote browser by keyboard.
 *
 * @csspart surface - Contains the picture and receives input.
 * @csspart mirror-button - Button that turns on the mirror for screen readers. Visible only while it has the
 *   focus.
 * @csspart keyboard - The button of the attribute `keyboard-button`.
 * @csspart status - Layer over the picture that shows the state of the connection and messages.
 * @csspart panel - Text on the layer `status`.
 * @csspart step - Button in the panel of a connection that failed or is over.
 * @csspart retry - Button that connects again. It is also a `step`.
 * @csspart warning - Countdown before the session ends.
 * @csspart stay - Button of the countdown for an inactive session. It keeps the session alive.
 * @csspart recording - Message that the session is being recorded.
 * @csspart privacy - Warning that this user's privacy mode ends soon.
 * @csspart renew - Button of the warning `privacy`. It renews privacy mode.
 * @csspart handoff - Bar in which an agent asks for the help of a person.
 * @csspart handoff-done - Button of the bar `handoff`: the user did what the agent asked for.
 * @csspart handoff-refused - Button of the bar `handoff`: the user could not do it.
 * @csspart handoff-add-note - Opens the field for a note to the agent.
 * @csspart handoff-note - Field for a note to the agent.
 * @csspart dialog - Dialog of the remote page. The element shows it if the remote screen is too small for
 *   Chromium's own dialog.
 * @csspart unmute - Button that turns on blocked sound.
 * @csspart quality - Message that the connection is slow or silent.
 * @csspart way-out - Hint that explains how to leave the remote browser by keyboard.
 * @csspart files - List of files.
 * @csspart copy - Message about a copy or a paste.
 * @csspart copy-button - Button of the message `copy`. It copies.
 * @csspart dismiss-button - Button of the message `copy`. It hides the message.
 * @csspart notice - Message that explains why images are shown instead of video. Messages of the event
 *   `notice` are in the part `panel`.
 *
 * @cssproperty [--cloud-browser-background=#0f1115] - Background beside the picture, and before the first
 *   picture.
 * @cssproperty [--cloud-browser-text-color=#eceef2] - Color of text over the picture.
 * @cssproperty [--cloud-browser-accent-color=#8ab4f8] - Color of the spinner, of progress bars and of focus
 *   rings.
 * @cssproperty [--cloud-browser-scrim=rgb(15 17 21 / 0.78)] - Color that covers the picture behind text.
 * @cssproperty [--cloud-browser-focus-color] - Color of the ring inside the edge while the element has the
 *   keyboard focus. By default the ring has the accent color after keyboard navigation, and there is no ring
 *   after a click.
 *
 * @cssstate idle - The element has no embed URL.
 * @cssstate connecting - The first connection attempt is in progress.
 * @cssstate playing - The element is connected.
 * @cssstate reconnecting - The connection was lost. The element is reconnecting.
 * @cssstate failed - The embed URL is invalid, or the session could not be reached. `connect()` or the retry
 *   button tries again. If the session could not be reached, the element also tries again when the machine's
 *   network returns.
 * @cssstate closed - The connection is over. The element does not reconnect by itself.
 * @cssstate private - Another user is in privacy mode. The picture is covered.
 * @cssstate images - Images are shown instead of video.
 * @cssstate poor - The connection is slow (`quality` is `poor`). Not set if it is silent (`quality` is
 *   `lost`).
 * @cssstate audio-blocked - The local browser blocks sound until a user gesture, and the element is not
 *   muted.
 */
export class CloudBrowserElement extends SessionElement implements SessionControllerHost {
  static override styles = styles;
  static override shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };
  static override properties: PropertyDeclarations = PROPERTIES;

  static {
    // Disables Lit's warning about an update that causes another update. Connecting needs the rendered
    // surface, so it starts in an update and changes the state.
    this.disableWarning?.('change-in-update');
  }

  /** The session's `embed_url`. A new value connects to another session. An empty string disconnects. */
  declare embedUrl: string;
  /** Defines how the picture fills the element: `contain` (default), `cover`, `fill` or `none`. */
  declare fit: Fit;
  /**
   * `auto`: the remote screen follows the size of the element while this user controls the browser and may
   * resize it. `none` (default): the remote screen keeps its size. The attribute is `resize`.
   */
  declare resizeMode: ResizeMode;
  /** Shows the picture but sends no input. */
  declare viewOnly: boolean;
  /**
   * Pauses the video for this element only. The last picture stays visible, and the session sends no frames
   * to this element.
   */
  declare videoPaused: boolean;
  /** Volume of this element, from 0 to 1. Default 1. */
  declare volume: number;
  /**
   * Mutes this element, independent of `volume`. While it is muted, the session sends no sound to this
   * element.
   */
  declare muted: boolean;
  /** Captures the keys of the whole page, except while the user types into a field of the page. */
  declare delegateKeyboard: boolean;
  /** Shows a button that opens and closes the on-screen keyboard. It appears on touch devices only. */
  declare keyboardButton: boolean;
  /**
   * `mirror`: mirrors the remote page for screen readers, see `docs/embedding.md`. `ask`: shows a button as
   * the first Tab stop of the element, and mirrors the page after the user pressed it. `none` (default): no
   * mirror.
   */
  declare accessibility: AccessibilityMode;
  /** Accessible name of the picture. By default (empty) "Remote browser" in the element's language. */
  declare label: string;
  /**
   * Data for your authorization endpoint, if the session has one. A new value applies from the next
   * connection.
   */
  declare userdata: Userdata | undefined;
  /**
   * The session's `admin_token`. It gives the user of this element admin rights. Set it only in pages for
   * admins, because everyone who can read the page can read it.
   */
  declare adminToken: string | undefined;

  /**
   * Replaces some texts of this element, in any language. Use `addTranslation` to translate all elements of a
   * page.
   */
  declare texts: ElementTexts;

  /** @internal */
  readonly words = new ElementWords(this);
  /** @internal */
  readonly countdown = new CloseCountdown(this);
  /** @internal */
  handoffs: readonly Handoff[] = [];
  /** @internal */
  readonly notices = new TimedNotice(this);
  readonly #playing = new LatePlayingViews(this);
  readonly #mirror = new LateMirror(this);
  readonly #internals = internalsOf(this);
  /** @internal */
  protected readonly session: SessionController;
  readonly #keys = new KeyboardButton(() => this.requestUpdate());
  /** Set while a request for the focus waits for the viewer. */
  #focusWanted: FocusRequest | undefined;

  constructor() {
    super();
    fillDefaults(this);
    this.session = new SessionController(this);
    // An element that is only moved is inserted again in the same task, and keeps the request.
    this.addController({
      hostDisconnected: () => queueMicrotask(() => !this.isConnected && this.#forgetFocus()),
    });
    setCustomState(this.#internals, 'idle', true);
  }

  /** @internal */
  static override get observedAttributes(): string[] {
    // Lit's getter creates the property accessors that the next line wraps.
    const own = super.observedAttributes;
    guardProperties(this.prototype);
    return [...own, ...aliases];
  }

  /** @internal */
  override attributeChangedCallback(name: string, previous: string | null, value: string | null): void {
    super.attributeChangedCallback(attributeOf(name), previous, value);
  }

  /**
   * Shows a message over the picture for 8 s while the element is playing. The message replaces the previous
   * one.
   */
  notify(message: string): void {
    this.notices.show(message);
  }

  /** Focuses the remote browser, as soon as it is shown, unless the user moves the focus before. */
  override focus(options?: FocusOptions): void {
    this.#playing.movedByScript();
    const { viewer } = this.session;
    if (viewer) viewer.focus();
    else super.focus(options);
    this.#forgetFocus();
    if (!viewer) this.#focusWanted = new FocusRequest(this.ownerDocument);
  }

  /**
   * Focuses the element, and opens the on-screen keyboard of a phone. Call it in a tap handler. Does nothing
   * for a user who cannot have control, because the session ignores what this user types.
   */
  showKeyboard(): void {
    const { viewer } = this.session;
    if (this.#playing.mayType(viewer)) viewer?.showKeyboard();
  }

  /** @internal */
  viewerOptions(): Omit<ViewerOptions, 'client' | 'embedUrl'> {
    const container = this.renderRoot.querySelector<HTMLElement>('.surface');
    if (!container) throw new Error('The element has not been rendered yet.');
    const { fit, viewOnly, resizeMode: resize } = this;
    return { container, fit, viewOnly, resize, keyboard: this.#keyboard };
  }

  /** @internal */
  fileList(): HTMLElement | undefined {
    return this.renderRoot.querySelector<HTMLElement>('.files') ?? undefined;
  }

  /** @internal */
  viewerMade(viewer: Viewer): void {
    viewer.videoPaused = this.videoPaused;
    viewer.volume = this.#loudness;
    this.#keys.follow(viewer);
    // The page may have removed the button that the user has pressed, or focused a button of its own.
    if (this.#focusWanted?.end()) this.focus();
    this.#focusWanted = undefined;
  }

  /** @internal */
  stateChanged(state: ConnectionState, previous: ConnectionState): void {
    setCustomState(this.#internals, previous, false);
    setCustomState(this.#internals, state, true);
    if (state !== 'playing') this.countdown.clear();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { viewer } = this.session;
    // After this render, the viewer of an earlier URL is closed. It must not send input before.
    const isLeft = changed.has('embedUrl') && !this.viewOnly;
    if (viewer && changed.has('viewOnly') && !isLeft) viewer.viewOnly = this.viewOnly;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const { viewer } = this.session;
    setCustomState(this.#internals, 'images', viewer?.imageNotice !== undefined);
    setCustomState(this.#internals, 'private', this.#isShutOut);
    setCustomState(this.#internals, 'poor', this.quality === 'poor');
    setCustomState(this.#internals, 'audio-blocked', this.#isSilenced);
    const { client } = this.session;
    this.#keys.keepAbove(this.renderRoot);
    // Asks before the user taps a button of the page, because a keyboard opens only in the tap's handler.
    this.#playing.mayType(viewer);
    this.#playing.showAgents(viewer, this.renderRoot.querySelector<HTMLElement>('.agents'));
    if (client && changed.has('adminToken')) client.remote.adminToken = this.adminToken;
    if (client && changed.has('userdata')) client.setUserdata(this.userdata);
    if (!viewer) return;
    if (changed.has('viewOnly')) viewer.viewOnly = this.viewOnly;
    if (changed.has('fit')) viewer.fit = this.fit;
    if (changed.has('resizeMode')) viewer.resizeMode = this.resizeMode;
    if (changed.has('videoPaused')) viewer.videoPaused = this.videoPaused;
    if (changed.has('volume') || changed.has('muted')) viewer.volume = this.#loudness;
    if (changed.has('delegateKeyboard')) viewer.keyboard = this.#keyboard;
  }

  protected override render(): TemplateResult {
    const { words } = this;
    const status = {
      state: this.state,
      shutOut: this.#isShutOut,
      privacy: this.client?.privacy,
      notice: this.notices.read(words),
      offline: this.client?.offline ?? false,
      failure: this.session.failure,
      words,
      take: this.#take,
    };
    const { keyboardNavigation } = this.#playing;
    const playing = this.state === 'playing' ? this.#playing.views : undefined;
    // The page may also set `viewOnly` of the viewer.
    const takesKeyboard = this.keyboardButton && this.#keys.viewer?.viewOnly === false;
    return html`
      ${this.#mirror.view}
      <div
        class="surface"
        part="surface"
        role="group"
        aria-label=${words.label}
        @dragover=${this.session.dragged}
        @drop=${this.session.dropped}
      ></div>
      <div class="focus-ring ${keyboardNavigation?.ring ? 'shown' : ''}"></div>
      <div class="layer agents" aria-hidden="true"></div>
      <div class="layer"><slot name="overlay"></slot></div>
      <div class="layer lower" lang=${words.mark ?? nothing}>
        <div class="foot">
          ${
            playing && !this.#isShutOut
              ? this.#playing.foot?.view({
                  audioBlocked: this.#isSilenced,
                  wayOut: keyboardNavigation?.hint ?? false,
                })
              : nothing
          }
          <slot name="files"><div class="files" part="files"></div></slot>
          ${takesKeyboard && playing ? playing.keyboardButtonView(this.#keys.viewer, this) : nothing}
        </div>
      </div>
      ${playing && this.#playing.dialog?.view()}
      <div
        role="status"
        part="status"
        class="layer status ${statusClasses(status)}"
        lang=${words.mark ?? nothing}
      >
        ${statusView(status)}
      </div>
    `;
  }

  /** Drops a request for the focus that waits, because it listens to the whole document. */
  #forgetFocus(): void {
    this.#focusWanted?.end();
    this.#focusWanted = undefined;
  }

  get #loudness(): number {
    return this.muted ? 0 : this.volume;
  }

  get #keyboard(): KeyboardScope {
    return this.delegateKeyboard ? 'page' : 'surface';
  }

  readonly #take = (step: NextStep): void => takeStep(this, step, this.session.failure);

  /** True if the session has sound that the local browser blocks, and the element is not muted. */
  get #isSilenced(): boolean {
    return this.audioBlocked && this.#loudness > 0;
  }

  get #isShutOut(): boolean {
    return this.state === 'playing' && this.session.client?.shutOutBy !== undefined;
  }
}

/** Typed event listeners. */
export interface CloudBrowserElement {
  addEventListener<Type extends keyof CloudBrowserEventMap>(
    type: Type,
    listener: (this: CloudBrowserElement, event: CloudBrowserEventMap[Type]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Type extends Exclude<keyof HTMLElementEventMap, keyof CloudBrowserEventMap>>(
    type: Type,
    listener: (this: CloudBrowserElement, event: HTMLElementEventMap[Type]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<Type extends keyof CloudBrowserEventMap>(
    type: Type,
    listener: (this: CloudBrowserElement, event: CloudBrowserEventMap[Type]) => void,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener<Type extends Exclude<keyof HTMLElementEventMap, keyof CloudBrowserEventMap>>(
    type: Type,
    listener: (this: CloudBrowserElement, event: HTMLElementEventMap[Type]) => void,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}
