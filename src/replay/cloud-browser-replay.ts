import {
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { internalsOf, setCustomState } from '../element/custom-states.js';
import type { ElementTexts } from '../element/lang/texts.js';
import { TimedNotice } from '../element/status/timed-notice.js';
import { controlsView, nextSpeed, type ControlActions } from './views/controls-view.js';
import { EventCaptions } from './event-captions.js';
import { EventPlaces } from './event-places.js';
import { eventListView, scrollToCurrent } from './views/event-list-view.js';
import { KeptFocus } from './kept-focus.js';
import { performKey } from './keys.js';
import { RecordingLoader } from './loading/recording-loader.js';
import { Playback, type PlaybackHost } from './playback.js';
import { REPEATED_EVENTS } from './replay-element-events.js';
import type { CloudBrowserReplayEventMap } from './replay-element-events.js';
import type { ReplayEvent, Span } from './replay-events.js';
import { ALIASES, REPLAY_DEFAULTS, REPLAY_PROPERTIES, usedValue } from './replay-properties.js';
import { replayStatusView, type ReplayState } from './views/replay-status-view.js';
import { ReplayWords } from './replay-words.js';
import { styles } from './replay.styles.js';
import { clockText } from './views/time-text.js';
import { timelineView } from './views/timeline-view.js';
import { isFullscreen, toggleFullscreen, toggleSmallWindow } from './window-modes.js';

/** Milliseconds for which a short message is shown. */
const NOTICE_MS = 2_500;

/**
 * A recording of a session on the page: `<cloud-browser-replay src="…">`. `src` is the `url` of a token for
 * the recording. The page sets the width of the element. By default the picture takes the available width at
 * 16:9.
 *
 * @event {ReplayStateEvent} statechange - The state of the element changed.
 * @event {ReplayErrorEvent} error - The recording cannot be shown.
 * @event {Event} play - The playback started.
 * @event {Event} pause - The playback stopped.
 * @event {Event} ended - The playback reached the end.
 * @event {Event} timeupdate - The playback position changed, a few times a second.
 * @event {Event} seeked - The playback position was set.
 * @event {Event} eventsload - The events were loaded, or their loading failed. The event does not tell which
 *   of the two happened. After a failure, `events` stays empty, and the element shows a message.
 *
 * @slot loading - Replaces the indicator while the recording is loaded.
 * @slot failed - Replaces the panel for a recording that cannot be shown.
 *
 * @csspart picture - Contains the video.
 * @csspart video - The native video.
 * @csspart status - Layer over the picture that shows the state.
 * @csspart retry - Button that loads the recording again.
 * @csspart timeline - The slider with chapters and events.
 * @csspart controls - The buttons.
 * @csspart events - The list of events.
 *
 * @cssproperty [--cloud-browser-background=#0f1115] - Background of the element.
 * @cssproperty [--cloud-browser-text-color=#eceef2] - Color of texts and icons.
 * @cssproperty [--cloud-browser-accent-color=#8ab4f8] - Color of the played part, of pressed buttons and of
 *   focus rings.
 *
 * @cssstate idle - The element has no address.
 * @cssstate loading - The recording is being loaded.
 * @cssstate ready - The recording can be played.
 * @cssstate failed - The recording cannot be shown.
 * @cssstate playing - The recording is playing.
 * @cssstate live - The recording is not finished yet.
 */
export class CloudBrowserReplayElement extends LitElement implements PlaybackHost {
  static override styles = styles;
  static override properties: PropertyDeclarations = REPLAY_PROPERTIES;

  static {
    // Disables Lit's warning about an update that causes another update. The recording is loaded after an
    // update, because the video exists only then.
    this.disableWarning?.('change-in-update');
  }

  /**
   * Address of the recording: the `url` of its token. It may contain the start of the playback, as `&t=90` or
   * `#t=1m30s`. An empty string shows nothing.
   */
  declare src: string;
  /** Token of the recording, if `src` does not contain it. */
  declare token: string;
  /**
   * Start of the playback: seconds, or a time such as `1m30s`. It has precedence over a start in `src`.
   * After the recording is loaded, a change has no effect: set `currentTime` instead.
   */
  declare start: string | number;
  /** Speed of the playback, from 0.5 to 8. Default 1. */
  declare speed: number;
  /** Skips times without events while playing. */
  declare skipIdle: boolean;
  /** Shows events as captions. Screen readers announce the events while the recording plays. */
  declare captions: boolean;
  /** Shows the list of events beside the picture. */
  declare eventList: boolean;
  /** Starts to play when the recording is loaded, if the browser allows it. */
  declare autoplay: boolean;
  /** Turns off the sound. */
  declare muted: boolean;
  /** Accessible name. By default (empty) "Recording of a remote browser" in the element's language. */
  declare label: string;
  /** Replaces some texts of this element, in any language. */
  declare texts: ElementTexts;

  readonly #words = new ReplayWords(this);
  readonly #playback = new Playback(this);
  readonly #recording = new RecordingLoader(this, this.#playback, {
    onState: (state, previous) => this.#markState(state, previous),
    onEvents: () => this.#eventsReplaced(),
    onEventsMissing: () => this.#notice.show(this.#words.say('replay.eventsFailed')),
  });
  readonly #captions = new EventCaptions();
  readonly #places = new EventPlaces();
  readonly #notice = new TimedNotice(this, NOTICE_MS);
  readonly #internals = internalsOf(this);
  #manyUsers = false;
  #pointed: number | undefined;
  #captionLanguage = '';
  #scrolledTo: ReplayEvent | undefined;

  constructor() {
    super();
    new KeptFocus(this);
    Object.assign(this, REPLAY_DEFAULTS);
    setCustomState(this.#internals, 'idle', true);
  }

  /** @internal */
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...ALIASES.keys()];
  }

  /** @internal */
  override attributeChangedCallback(name: string, previous: string | null, value: string | null): void {
    super.attributeChangedCallback(ALIASES.get(name) ?? name, previous, value);
  }

  /** State of the element. */
  get state(): ReplayState {
    return this.#recording.state;
  }

  /** The native video, for example for its buffer. Undefined before the first update. */
  get video(): HTMLVideoElement | undefined {
    return this.shadowRoot?.querySelector('video') ?? undefined;
  }

  /** Events of the recording, in their order. Empty until they are loaded, also in the state `ready`. */
  get events(): readonly ReplayEvent[] {
    return this.#recording.events;
  }

  /** Playback position in seconds. */
  get currentTime(): number {
    return this.#playback.time;
  }

  set currentTime(time: number) {
    this.#playback.seek(time);
  }

  /** Duration in seconds. 0 before the recording is loaded. */
  get duration(): number {
    return this.#playback.duration;
  }

  /** True unless the recording is playing. */
  get paused(): boolean {
    return this.#playback.paused;
  }

  /**
   * Starts the playback, as soon as the recording is loaded. Rejects if the browser does not allow it, or if
   * the recording cannot be shown.
   */
  play(): Promise<void> {
    return this.#recording.play();
  }

  /** Stops the playback. */
  pause(): void {
    this.#recording.pause();
  }

  /**
   * Loads the recording again and keeps the position, for example to show the newest part of an unfinished
   * recording.
   */
  reload(): void {
    this.#recording.reload();
  }

  /** Focuses the button that starts the playback. */
  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>('.main')?.focus(options);
  }

  /** @internal */
  get seconds(): number {
    return this.#recording.data?.seconds ?? 0;
  }

  /** @internal */
  get idle(): readonly Span[] {
    return this.#places.idle;
  }

  /** @internal */
  played(type: string): void {
    setCustomState(this.#internals, 'playing', !this.paused);
    if (REPEATED_EVENTS.has(type)) this.dispatchEvent(new Event(type));
  }

  /** @internal */
  playbackFailed(cause: MediaError | null): void {
    this.#recording.videoFailed(cause);
  }

  /** @internal */
  skipped(seconds: number): void {
    this.#notice.show(this.#words.say('replay.skipped', { time: clockText(seconds) }));
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    for (const [name, value] of Object.entries(REPLAY_DEFAULTS)) {
      const given: unknown = isProperty(name) ? this[name] : undefined;
      const used = usedValue(name, given, value);
      if (!Object.is(used, given)) Object.assign(this, { [name]: used });
    }
    if (changed.has('speed')) this.#playback.speed = this.speed;
    this.#places.update(this.events, this.duration);
  }

  protected override updated(changed: PropertyValues<this>): void {
    const { video } = this;
    this.#playback.use(video);
    if (changed.has('src') || changed.has('token')) this.#recording.load();
    if (!video) return;
    if (changed.has('muted')) video.muted = this.muted;
    const { lang } = this.#words;
    if (changed.has('captions') || (this.captions && lang !== this.#captionLanguage)) this.#fillCaptions();
    if (this.#scrolledTo !== this.#current) scrollToCurrent(this.renderRoot);
    this.#scrolledTo = this.#current;
  }

  protected override render(): TemplateResult {
    const words = this.#words;
    const { state, failure, data, eventsState } = this.#recording;
    const current = this.#current;
    const shown = state === 'ready';
    return html`<div
      class="player ${this.eventList && shown ? 'listed' : ''}"
      role="group"
      lang=${words.mark ?? nothing}
      aria-label=${this.label || words.say('replay.label')}
      @keydown=${(event: KeyboardEvent) => shown && performKey(event, this.#keys)}
      @fullscreenchange=${() => this.requestUpdate()}
    >
      <div class="main-column">
        <div class="picture" part="picture">
          <video
            part="video"
            playsinline
            preload="auto"
            poster=${data?.poster ?? nothing}
            crossorigin="anonymous"
            tabindex="-1"
            aria-label=${this.label || words.say('replay.label')}
            @click=${() => shown && this.#playback.toggle()}
          ></video>
          ${replayStatusView({
            ...{ state, words, failure: failure?.code, notice: this.#notice.read() },
            live: data?.live ?? false,
            waiting: this.#playback.waiting,
            offersPlay: this.paused && !this.#playback.ended && this.currentTime === 0,
            reload: () => this.reload(),
          })}
        </div>
        ${shown ? this.#controls() : nothing}
      </div>
      ${
        this.eventList && shown
          ? eventListView({
              ...{ events: this.events, current, words, manyUsers: this.#manyUsers },
              state: eventsState,
              seek: (time) => this.#playback.seek(time),
            })
          : nothing
      }
      <div class="unseen" aria-live="polite">
        ${this.captions && !this.paused && current ? words.eventText(current, this.#manyUsers) : nothing}
      </div>
    </div>`;
  }

  #controls(): TemplateResult {
    const { paused, ended, time, duration, speed } = this.#playback;
    const words = this.#words;
    const { chapters, idle, marks } = this.#places;
    return html`${timelineView({
      ...{ time, duration, chapters, words, idle, marks, pointed: this.#pointed },
      seek: (target) => this.#playback.seek(target),
      point: (target) => {
        this.#pointed = target;
        this.requestUpdate();
      },
    })}
    ${controlsView({
      ...{ paused, ended, time, duration, speed, words, act: this.#actions },
      ...{ muted: this.muted, skipIdle: this.skipIdle, captions: this.captions, listed: this.eventList },
      hasEvents: this.events.length > 0,
      fullscreen: isFullscreen(this),
      canShrink: document.pictureInPictureEnabled,
      canFill: document.fullscreenEnabled,
      chapter: chapters.findLast(({ start }) => start <= time),
    })}`;
  }

  readonly #actions: ControlActions = {
    toggle: () => this.#playback.toggle(),
    move: (seconds) => this.#playback.seek(this.currentTime + seconds),
    setSpeed: (speed) => (this.speed = speed),
    toggleSound: () => (this.muted = !this.muted),
    toggleSkipIdle: () => (this.skipIdle = !this.skipIdle),
    toggleCaptions: () => (this.captions = !this.captions),
    toggleList: () => (this.eventList = !this.eventList),
    shrink: () => toggleSmallWindow(this.video),
    toggleFullscreen: () => toggleFullscreen(this),
  };

  readonly #keys = {
    ...this.#actions,
    goTo: (place: 'start' | 'end') => this.#playback.seek(place === 'start' ? 0 : this.duration),
    faster: (steps: number) => {
      this.speed = nextSpeed(this.#playback.speed, steps);
      this.#notice.show(`${new Intl.NumberFormat(this.#words.lang).format(this.speed)}×`);
    },
  };

  /** The newest event at or before the playback position. */
  get #current(): ReplayEvent | undefined {
    const time = this.currentTime;
    return this.events.findLast((event) => event.time <= time + 0.05);
  }

  #markState(state: ReplayState, previous: ReplayState): void {
    setCustomState(this.#internals, previous, false);
    setCustomState(this.#internals, state, true);
    setCustomState(this.#internals, 'live', state === 'ready' && (this.#recording.data?.live ?? false));
  }

  #eventsReplaced(): void {
    this.#manyUsers = this.events.some(({ user }) => user !== undefined && user > 1);
    this.#fillCaptions();
  }

  #fillCaptions(): void {
    const { video } = this;
    if (!video) return;
    this.#captionLanguage = this.#words.lang;
    this.#captions.show(video, this.captions);
    if (this.captions)
      this.#captions.fill(this.events, (event) => this.#words.eventText(event, this.#manyUsers));
  }
}

/** The element's events, for `addEventListener`. */
export interface CloudBrowserReplayElement {
  addEventListener<Type extends keyof CloudBrowserReplayEventMap>(
    type: Type,
    listener: (this: CloudBrowserReplayElement, event: CloudBrowserReplayEventMap[Type]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<Type extends keyof CloudBrowserReplayEventMap>(
    type: Type,
    listener: (this: CloudBrowserReplayElement, event: CloudBrowserReplayEventMap[Type]) => void,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

function isProperty(name: string): name is keyof typeof REPLAY_DEFAULTS {
  return name in REPLAY_DEFAULTS;
}
