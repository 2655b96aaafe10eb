import {
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import type { ConnectionState, Fit } from '../core/index.js';
import type { CopyState, KeyboardScope, ResizeMode, Viewer, ViewerOptions } from '../viewer/index.js';
import type { Userdata } from '../protocol/index.js';
import { CloseCountdown } from './close-countdown.js';
import { styles } from './cloud-browser.styles.js';
import { setCustomState } from './custom-states.js';
import type { NextStep } from './ending.js';
import { aliases, attributeOf, fillDefaults, PROPERTIES } from './element-properties.js';
import type { CloudBrowserEventMap } from './events.js';
import { KeyboardButton } from './keyboard-button.js';
import { LateCues } from './late-cues.js';
import { LateMirror } from './late-mirror.js';
import type { AccessibilityMode } from './mirror-owner.js';
import { NoticeBoard } from './notice-board.js';
import { SessionController, type SessionControllerHost } from './session-controller.js';
import { SessionElement } from './session-element.js';
import { takeStep } from './next-step.js';
import { statusClasses, statusView } from './status-view.js';
import { ElementWords } from './lang/element-words.js';
import type { ElementTexts } from './lang/texts.js';

/**
 * A remote browser on the page: `<cloud-browser embed-url="…">`. It connects as soon as it has an embed URL and is in
 * a document, leaves when it is removed, and comes back as the same user when it is inserted again.
 *
 * Its size is the page's business; without one it takes the width it gets at 16:9.
 *
 * @event {StateChangeEvent} statechange - The connection took a step.
 * @event {ConnectEvent} connect - Connected, for the first time or again.
 * @event {DisconnectEvent} disconnect - The connection is over and is not sought again.
 * @event {ResizeEvent} resize - The size of the remote picture is known, or another than before.
 * @event {StatsEvent} stats - Fresh figures, once a second while playing.
 * @event {CloseWarningEvent} closewarning - The session is about to end by itself, or is not any more. Cancelable: no countdown is shown then.
 * @event {NoticeEvent} notice - Something happened to the remote browser or to this user's control. Its sentence is shown for 8 s, unless canceled.
 * @event {QualityChangeEvent} qualitychange - The connection has become better or worse.
 * @event {AudioBlockedEvent} audioblocked - The browser plays no sound before a gesture, or plays it.
 * @event {StartAgainEvent} startagain - A person wants another session in the place of one that is over. Cancelable: the page is loaded again else.
 * @event {CloseRequestEvent} closerequest - A person wants to be rid of a session that is over. Cancelable: the element hides else.
 * @event {PrivacyChangeEvent} privacychange - A user has the browser to themselves, or nobody any more.
 * @event {FileChooserEvent} filechooser - A page asks this user for files. Prevented, no local chooser opens.
 * @event {FileDropEvent} filedrop - Files were dropped onto the picture. Prevented, they are not uploaded.
 * @event {UploadEvent} upload - An upload of the element begins, goes on, or is over. Prevented, the list does not show it.
 * @event {DownloadEvent} download - A download begins, goes on, or is over. Prevented, the list does not show it.
 * @event {RemoteCopyEvent} remotecopy - This user has copied something in the remote browser; `preventDefault()` keeps it from the local clipboard.
 * @event {CopyStateChangeEvent} copystatechange - What became of that, or of a paste: `copied`, `waiting` for another click, `failed`.
 * @event {ViewerEvent} viewer - A viewer was made and is about to connect: for what its own events and its client tell.
 * @event {CloudBrowserErrorEvent} error - Something went wrong.
 *
 * @slot overlay - Lies over the picture; its children take their own clicks.
 * @slot keyboard - Replaces the picture on the keyboard button.
 * @slot connecting - Replaces the sign of a first connection under way.
 * @slot reconnecting - Replaces the sign that a lost connection is sought.
 * @slot failed - Replaces the panel of a connection that was given up.
 * @slot private - Replaces the cover while another user has the browser to themselves.
 * @slot files - Replaces the list of files.
 * @slot copy - Replaces the line that offers to copy with a click, or says why something was not copied or pasted.
 * @slot ended - Replaces the panel of a connection that is over.
 * @slot warning - Replaces the countdown before an end.
 * @slot sound - Replaces the button that turns on sound which the browser holds back.
 * @slot poor - Replaces the word that the connection is slow.
 * @slot way-out - Replaces the word how to get the keyboard back.
 *
 * @csspart surface - Holds the picture and takes input.
 * @csspart mirror-button - The button that has the remote page mirrored for screen readers; seen while it has the focus.
 * @csspart keyboard - The button of the attribute `keyboard-button`.
 * @csspart status - The layer over the picture that shows the connection.
 * @csspart panel - The words on it.
 * @csspart step - A button of the panel of a connection that is over.
 * @csspart retry - The one of them that connects again.
 * @csspart warning - The countdown before an end.
 * @csspart stay - Its button, when somebody being there is all that it takes.
 * @csspart unmute - The button that turns on sound which the browser holds back.
 * @csspart quality - The word that the connection is slow.
 * @csspart way-out - The word how to get the keyboard back.
 * @csspart files - The list of files.
 * @csspart copy - The line about a copy or a paste.
 * @csspart copy-button - Its button that copies.
 * @csspart dismiss-button - Its button that hides it.
 * @csspart notice - The line that says why images are shown instead of video.
 *
 * @cssproperty [--cloud-browser-background=#0f1115] - Beside the picture, and before there is one.
 * @cssproperty [--cloud-browser-text-color=#eceef2] - Words over the picture.
 * @cssproperty [--cloud-browser-accent-color=#8ab4f8] - Spinner and focus.
 * @cssproperty [--cloud-browser-scrim=rgb(15 17 21 / 0.78)] - Covers the picture under words.
 * @cssproperty [--cloud-browser-focus-color] - A ring inside the edge while the keyboard is in here. Default: the accent color when it came by keyboard, none after a click.
 *
 * @cssstate idle - There is no embed URL.
 * @cssstate connecting - The first connection is under way.
 * @cssstate playing - Connected.
 * @cssstate reconnecting - The connection was lost and is sought again.
 * @cssstate failed - Given up; `connect()` or the retry button tries again.
 * @cssstate closed - Ended for good.
 * @cssstate private - Another user has the browser to themselves; the picture is covered.
 * @cssstate images - Images are shown instead of video.
 * @cssstate poor - The connection is slow.
 * @cssstate audio-blocked - The browser plays no sound before a gesture.
 */
export class CloudBrowserElement extends SessionElement implements SessionControllerHost {
  static override styles = styles;
  static override shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };
  static override properties: PropertyDeclarations = PROPERTIES;

  static {
    // Connecting needs the rendered surface and then causes another update, which is intended.
    this.disableWarning?.('change-in-update');
  }

  /** The session's `embed_url`. Another one is another session; empty is none. */
  declare embedUrl: string;
  /** How the picture fills the element: `contain` (default), `cover`, `fill` or `none`. */
  declare fit: Fit;
  /**
   * `auto`: the remote screen is as large as the element, whenever this user controls the browser and may resize it. `none` (default):
   * it keeps its size. The attribute is `resize`.
   */
  declare resizeMode: ResizeMode;
  /** Shows the picture and takes no input. */
  declare viewOnly: boolean;
  /** For this element alone: the last picture stays and no more are sent. */
  declare videoPaused: boolean;
  /** How loud it is here, 0 to 1. Default 1. */
  declare volume: number;
  /** No sound here, whatever the volume; none is sent then. */
  declare muted: boolean;
  /** Takes the keys of the whole page, unless they are typed into a field of it. */
  declare delegateKeyboard: boolean;
  /** Shows a button that opens and closes the on-screen keyboard, where there are fingers. */
  declare keyboardButton: boolean;
  /**
   * `mirror`: the remote page is mirrored for screen readers, see `docs/embedding.md`; `ask`: when a user presses a button that comes first by
   * Tab; `none` (default): it is not.
   */
  declare accessibility: AccessibilityMode;
  /** What assistive technology calls the picture. Empty (default): "Remote browser", in the element's language. */
  declare label: string;
  /** For your endpoint that decides about viewers, when the session has one. Counts from the next connection on. */
  declare userdata: Userdata | undefined;
  /** The session's `admin_token`: lets this element's user do what only admins may. Give it to no one else. */
  declare adminToken: string | undefined;

  /** Other words for some of what this element shows, in whatever language; see `addTranslation` for a whole page. */
  declare texts: ElementTexts;

  /** @internal */
  readonly words = new ElementWords(this);
  /** @internal */
  readonly countdown = new CloseCountdown(this);
  /** @internal */
  readonly notices = new NoticeBoard(this);
  readonly #cues = new LateCues(this);
  readonly #mirror = new LateMirror(this);
  readonly #internals = this.attachInternals();
  /** @internal */
  protected readonly session: SessionController;
  readonly #keys = new KeyboardButton(() => this.requestUpdate());
  #focusWanted = false;

  constructor() {
    super();
    fillDefaults(this);
    this.session = new SessionController(this);
    setCustomState(this.#internals, 'idle', true);
  }

  /** @internal */
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...aliases];
  }

  /** @internal */
  override attributeChangedCallback(name: string, previous: string | null, value: string | null): void {
    super.attributeChangedCallback(attributeOf(name), previous, value);
  }

  /** Shows a sentence over the picture for 8 s, in the place of what was shown there. */
  notify(message: string): void {
    this.notices.show(message);
  }

  /** Gives the keyboard to the remote browser, as soon as there is one. */
  override focus(options?: FocusOptions): void {
    this.#cues.movedByScript();
    const { viewer } = this.session;
    if (viewer) viewer.focus();
    else super.focus(options);
    this.#focusWanted = !viewer;
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
    if (this.#focusWanted) this.focus();
    this.#focusWanted = false;
  }

  /** @internal */
  stateChanged(state: ConnectionState, previous: ConnectionState): void {
    setCustomState(this.#internals, previous, false);
    setCustomState(this.#internals, state, true);
    if (state !== 'playing') this.countdown.clear();
  }

  protected override willUpdate(): void {
    fillDefaults(this);
  }

  protected override updated(changed: PropertyValues<this>): void {
    const { viewer } = this.session;
    setCustomState(this.#internals, 'images', viewer?.imageNotice !== undefined);
    setCustomState(this.#internals, 'private', this.#isShutOut);
    setCustomState(this.#internals, 'poor', this.quality === 'poor');
    setCustomState(this.#internals, 'audio-blocked', this.#isSilenced);
    const { client } = this.session;
    this.#keys.keepAbove(this.renderRoot);
    if (client && changed.has('adminToken')) client.remote.adminToken = this.adminToken;
    if (!viewer) return;
    if (changed.has('fit')) viewer.fit = this.fit;
    if (changed.has('resizeMode')) viewer.resizeMode = this.resizeMode;
    if (changed.has('viewOnly')) viewer.viewOnly = this.viewOnly;
    if (changed.has('videoPaused')) viewer.videoPaused = this.videoPaused;
    if (changed.has('volume') || changed.has('muted')) viewer.volume = this.#loudness;
    if (changed.has('delegateKeyboard')) viewer.keyboard = this.#keyboard;
  }

  protected override render(): TemplateResult {
    const { words } = this;
    const status = {
      state: this.state,
      shutOut: this.#isShutOut,
      notice: this.notices.read(words),
      offline: this.client?.offline ?? false,
      failure: this.session.failure,
      words,
      take: this.#take,
    };
    const { manners } = this.#cues;
    const cues = this.state === 'playing' ? this.#cues.views : undefined;
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
      <div class="focus-ring ${manners?.ring ? 'shown' : ''}"></div>
      <div class="layer"><slot name="overlay"></slot></div>
      <div class="layer lower" lang=${words.mark ?? nothing}>
        <div class="foot">
          ${
            cues && !this.#isShutOut
              ? cues.cuesView({
                  copy: cues.copyView(this.#copyState, words, this.#copyActions),
                  end: this.countdown.current,
                  audioBlocked: this.#isSilenced,
                  quality: this.quality,
                  wayOut: manners?.hint ?? false,
                  images: this.session.viewer?.imageNotice,
                  words,
                  stay: this.#stay,
                  unblockAudio: this.#unblock,
                })
              : nothing
          }
          <slot name="files"><div class="files" part="files"></div></slot>
          ${this.keyboardButton && cues ? cues.keyboardButtonView(this.#keys.viewer, words) : nothing}
        </div>
      </div>
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

  /** 0 to 1: an attribute may hold anything. */
  get #loudness(): number {
    return this.muted ? 0 : Math.min(Math.max(this.volume || 0, 0), 1);
  }

  get #keyboard(): KeyboardScope {
    return this.delegateKeyboard ? 'page' : 'surface';
  }

  get #copyState(): CopyState | undefined {
    return this.state === 'playing' ? this.session.viewer?.clipboard.state : undefined;
  }

  readonly #copyActions = {
    copyNow: (): void => void this.session.viewer?.clipboard.copyNow(),
    dismiss: (): void => this.session.viewer?.clipboard.dismiss(),
  };

  /** The session decides whether that keeps it; then it takes its warning back. */
  readonly #stay = (press: MouseEvent): void => {
    this.ping().catch(() => undefined);
    this.#takeKeyboardBack(press);
  };

  readonly #unblock = (press: MouseEvent): void => {
    this.unblockAudio();
    this.#takeKeyboardBack(press);
  };

  /** The button goes. Who pressed it by key goes on where they were; after a tap a phone would bring up its keyboard. */
  #takeKeyboardBack({ detail }: MouseEvent): void {
    if (detail === 0) this.focus();
  }

  readonly #take = (step: NextStep): void => takeStep(this, step, this.session.failure);

  /** There is sound to be heard that the browser holds back. */
  get #isSilenced(): boolean {
    return this.audioBlocked && this.#loudness > 0;
  }

  get #isShutOut(): boolean {
    return this.state === 'playing' && this.session.client?.shutOutBy !== undefined;
  }
}

/** Typed listeners. */
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
