import { recordingOf, type Playback } from '../playback.js';
import { ReplayErrorEvent, ReplayStateEvent } from '../replay-element-events.js';
import type { ReplayEvent } from '../replay-events.js';
import type { EventsState } from '../views/event-list-view.js';
import type { ReplayState } from '../views/replay-status-view.js';
import {
  loadEvents,
  loadRecording,
  readAddress,
  ReplayError,
  startIn,
  videoFailure,
  type RecordingData,
} from './recording-data.js';

const NO_EVENTS: readonly ReplayEvent[] = [];
/**
 * Milliseconds for which the video waits for the events. On most networks the events arrive in this time, so
 * the controls appear complete. In tests, WebKitGTK could not seek if it opened the video before the events
 * were there.
 */
const EVENTS_FIRST_MS = 1_000;

/** The part of the element that the loader needs. */
export interface RecordingLoaderHost extends EventTarget {
  readonly src: string;
  readonly token: string;
  readonly start: string | number;
  readonly autoplay: boolean;
  readonly isConnected: boolean;
  /** Resolves when a new address of the page is applied. */
  readonly updateComplete: Promise<unknown>;
  requestUpdate(): void;
}

/** Functions that the loader calls when the loaded recording changes. */
export interface RecordingChanges {
  /**
   * Called before the event `statechange`, so that its listeners see the current custom states of the
   * element.
   */
  onState(state: ReplayState, previous: ReplayState): void;
  /** The events were replaced, also by none. */
  onEvents(): void;
  /** The events cannot be loaded. The recording is shown without them. */
  onEventsMissing(): void;
}

/**
 * Loads the recording of an element into its playback, and then the events of the recording. Keeps the state
 * of the element. When the same recording is loaded again, the playback continues at its position.
 */
export class RecordingLoader {
  #state: ReplayState = 'idle';
  #failure: ReplayError | undefined;
  #data: RecordingData | undefined;
  #events = NO_EVENTS;
  #eventsState: EventsState = 'loading';
  /** Aborted when another recording is loaded, or the same one again. */
  #loading: AbortController | undefined;
  /**
   * Position at which the same recording continues after it is loaded again. `plays`: true if it then plays.
   */
  #place: { time: number; plays: boolean } | undefined;
  /** Address without the token at the last call of {@link load}. */
  #recording = '';
  /** True if the page called {@link pause} after the loading started, and did not call {@link play} since. */
  #paused = false;

  constructor(
    private readonly host: RecordingLoaderHost,
    private readonly playback: Playback,
    private readonly changes: RecordingChanges,
  ) {}

  get state(): ReplayState {
    return this.#state;
  }

  /** Reason for the state `failed`. */
  get failure(): ReplayError | undefined {
    return this.#failure;
  }

  /** Undefined until the recording is loaded. */
  get data(): RecordingData | undefined {
    return this.#data;
  }

  /**
   * Events of the recording, in their order. Empty until they are loaded. When the same recording is loaded
   * again, the earlier events stay until the new ones are loaded.
   */
  get events(): readonly ReplayEvent[] {
    return this.#events;
  }

  get eventsState(): EventsState {
    return this.#eventsState;
  }

  /**
   * Loads the recording of the element's address. Without an address, removes the current recording. If only
   * the token is another one, keeps the position: pages renew the token before or after it expires.
   */
  load(): void {
    const recording = recordingOf(this.host.src || '');
    if (recording === this.#recording) this.#keepPlace();
    else this.#place = undefined;
    this.#recording = recording;
    void this.#load();
  }

  /** Loads the recording again and keeps the position. */
  reload(): void {
    this.#keepPlace();
    void this.#load();
  }

  /**
   * Starts the playback, as soon as the recording is loaded. Rejects if the browser does not allow it, if the
   * recording cannot be shown, or if the page calls {@link pause} meanwhile.
   */
  async play(): Promise<void> {
    this.#paused = false;
    if (this.#state !== 'ready' || recordingOf(this.host.src || '') !== this.#recording) await this.#loaded();
    await this.playback.play();
  }

  /** Stops the playback, also that of a recording that is being loaded. */
  pause(): void {
    this.playback.pause();
    this.#paused = true;
    if (this.#place) this.#place.plays = false;
  }

  /** Finds the reason why the video cannot be played, and reports it. */
  videoFailed(cause: MediaError | null): void {
    const { signal } = this.#loading ?? {};
    // The video may also report an error when its address is removed. This is not a failure.
    if (this.#state !== 'ready' || !this.#data || !signal) return;
    void videoFailure(this.#data.video, cause, signal).then((error) => {
      if (!signal.aborted) this.#fail(error);
    });
  }

  /**
   * Resolves when the recording is loaded. Rejects if it cannot be shown, or if the page calls {@link pause}.
   */
  async #loaded(): Promise<void> {
    await this.host.updateComplete;
    if (this.#state === 'loading')
      await new Promise((resolve) => this.host.addEventListener('statechange', resolve, { once: true }));
    if (this.#failure) throw this.#failure;
    if (this.#paused) throw new DOMException('The page called pause() before the playback.', 'AbortError');
  }

  #keepPlace(): void {
    const { time, paused, ended } = this.playback;
    // A video at its end is paused too. But its user waits for more, so the playback continues after a
    // reload.
    if (this.#state === 'ready') this.#place = { time, plays: !paused || ended };
  }

  async #load(): Promise<void> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#data = undefined;
    // The events of the same recording stay until the new ones arrive. Otherwise marks, list and captions
    // would disappear for a moment.
    if (!this.#place) this.#setEvents(NO_EVENTS, 'loading');
    this.#failure = undefined;
    this.#paused = false;
    this.playback.load(undefined, this.#place?.time ?? 0);
    if (!this.host.src) {
      this.#setState('idle');
      return;
    }
    this.#setState('loading');
    try {
      const address = readAddress(this.host.src, this.host.token, document.baseURI);
      const data = await loadRecording(address, loading.signal);
      const events = loadEvents(address, loading.signal);
      await Promise.race([events, new Promise((resolve) => setTimeout(resolve, EVENTS_FIRST_MS))]);
      if (loading.signal.aborted) return;
      const { time, plays } = this.#place ?? {
        time: startIn('start', this.host.start) ?? address.start ?? 0,
        plays: this.host.autoplay,
      };
      this.#show(data, time, plays);
      await this.#addEvents(events, loading.signal);
    } catch (error) {
      if (loading.signal.aborted) return;
      this.#fail(error instanceof ReplayError ? error : new ReplayError('network', { cause: error }));
    }
  }

  #show(data: RecordingData, start: number, plays: boolean): void {
    this.#data = data;
    this.#setState('ready');
    this.playback.load(data.video, start);
    // If the browser blocks the automatic start, the user starts the playback.
    if (plays && !this.#paused && this.host.isConnected)
      this.playback.play().catch(() => this.host.requestUpdate());
  }

  /** Adds the events to a recording that is already shown. */
  async #addEvents(loading: Promise<readonly ReplayEvent[] | undefined>, signal: AbortSignal): Promise<void> {
    const events = await loading;
    if (signal.aborted) return;
    this.#setEvents(events ?? NO_EVENTS, events ? 'loaded' : 'failed');
    this.host.dispatchEvent(new Event('eventsload'));
    if (!events && this.#state === 'ready') this.changes.onEventsMissing();
  }

  #setEvents(events: readonly ReplayEvent[], state: EventsState): void {
    this.#events = events;
    this.#eventsState = state;
    this.changes.onEvents();
    this.host.requestUpdate();
  }

  #fail(error: ReplayError): void {
    this.#keepPlace();
    this.#failure = error;
    this.#setEvents(NO_EVENTS, 'loading');
    // Listeners of the event `error` read the position, to show the recording again later.
    this.playback.load(undefined, this.#place?.time ?? 0);
    this.#setState('failed');
    this.host.dispatchEvent(new ReplayErrorEvent(error));
  }

  #setState(state: ReplayState): void {
    const previous = this.#state;
    this.#state = state;
    this.changes.onState(state, previous);
    this.host.requestUpdate();
    if (state !== previous) this.host.dispatchEvent(new ReplayStateEvent(state, previous));
  }
}
