import { choice, loudness } from './choice.js';
import { isUnderWay } from '../core/connection/connection-states.js';
import { heard } from '../core/deferred.js';
import { Emitter } from '../core/emitter.js';
import {
  DisconnectedError,
  FITS,
  LEFT,
  type CloudBrowserClient,
  type ConnectionQuality,
  type Fit,
  type Point,
} from '../core/index.js';
import type { KeyboardScope, SentEvent } from '../input/index.js';
import type { Welcome } from '../protocol/index.js';
import type { ResizeMode } from './controls/auto-resize.js';
import type { Placement } from './picture/placement.js';
import { Stage } from './picture/stage.js';
import type { ImageNotice, ViewerEvents, ViewerStats } from './viewer-events.js';
import { makeClient, type ViewerOptions } from './viewer-options.js';
import { ViewerClipboard } from './clipboard/viewer-clipboard.js';
import { ViewerControls } from './controls/viewer-controls.js';
import { ViewerPicture } from './picture/viewer-picture.js';
import { ViewerSound } from './viewer-sound.js';
import { VisibilityWatch } from './visibility.js';

/** Connects one client with one canvas: picture, sound, input and cursor. */
export class Viewer extends Emitter<ViewerEvents> {
  readonly client: CloudBrowserClient;
  readonly container: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  /** Copies from and pastes into the remote browser. */
  readonly clipboard: ViewerClipboard;
  readonly #ownsClient: boolean;
  readonly #ownsCanvas: boolean;
  readonly #picture: ViewerPicture;
  readonly #visibility: VisibilityWatch | undefined;
  readonly #controls: ViewerControls;
  readonly #sound: ViewerSound;
  #visible = true;
  #videoPaused = false;
  readonly #stage: Stage;
  readonly #placement: Placement;
  #closed = false;

  /** Throws `EmbedUrlError` for an invalid embed URL, and TypeError without an embed URL and a client. */
  constructor(options: ViewerOptions) {
    super();
    this.client = options.client ?? makeClient(options);
    this.#ownsClient = !options.client;
    this.container = options.container;
    this.canvas = options.canvas ?? document.createElement('canvas');
    this.#ownsCanvas = !options.canvas;
    const { client, container, canvas } = this;
    this.#stage = new Stage({ client, container, canvas, fit: fitOf(options.fit) });
    this.#placement = this.#stage.placement;
    this.#placement.on('place', (exact) => this.emit('place', exact));
    const onFailure = (error: Error) => void this.emit('error', error);
    const onBlocked = (blocked: boolean) => void this.emit('audioblocked', blocked);
    this.#sound = new ViewerSound(client, loudness('volume', options.volume), onBlocked, onFailure);
    if (this.#ownsCanvas) this.container.append(this.canvas);
    const parts = { client, container, placement: this.#placement, events: this };
    this.#controls = new ViewerControls(parts, onFailure);
    this.keyboard = options.keyboard ?? 'surface';
    this.clipboard = new ViewerClipboard(this.#controls);
    client.on('quality', this.#rated);
    this.viewOnly = options.viewOnly ?? false;
    this.resizeMode = options.resize ?? 'none';
    const whenHidden = choice('whenHidden', options.whenHidden, ['pause', 'pause-page', 'play'], 'pause');
    if (whenHidden !== 'play') {
      const watched = whenHidden === 'pause' ? this.container : undefined;
      this.#visibility = new VisibilityWatch(watched, (visible) => {
        this.#visible = visible;
        this.#askForFrames();
      });
    }
    // An earlier viewer of this client may have been hidden or paused.
    this.#askForFrames();
    this.#picture = new ViewerPicture({
      client,
      canvas,
      ownsClient: this.#ownsClient,
      onPainted: (painted, image) => {
        if (!painted.refinement) this.#sound.pictureShown(painted.captureTime);
        this.emit('frame', image);
        this.emit('painted', painted);
      },
      onResize: (shown) => {
        this.#placement.size = shown;
        this.#controls.loaded?.resized();
        this.emit('resize', shown);
      },
      onImages: (notice) => void this.emit('images', notice),
      onError: (error) => void this.emit('error', error),
    });
    // `connect()` also rejects with this error. The event reports it to all listeners.
    this.#picture.ready.catch((error: unknown) =>
      this.emit('error', error instanceof Error ? error : new Error(String(error))),
    );
  }

  get fit(): Fit {
    return this.#placement.fit;
  }

  set fit(fit: Fit) {
    this.#placement.fit = fitOf(fit);
  }

  get viewOnly(): boolean {
    return this.#controls.settings.viewOnly;
  }

  set viewOnly(viewOnly: boolean) {
    if (!this.#closed) this.#controls.change({ viewOnly });
  }

  /**
   * `auto`: the remote screen follows the size of the container while this user controls the browser and may
   * resize it.
   */
  get resizeMode(): ResizeMode {
    return this.#controls.settings.resizeMode;
  }

  set resizeMode(mode: ResizeMode) {
    this.#controls.change({ resizeMode: choice('resize', mode, ['none', 'auto'], 'none') });
  }

  get keyboard(): KeyboardScope {
    return this.#controls.settings.keyboard;
  }

  set keyboard(scope: KeyboardScope) {
    this.#controls.change({ keyboard: choice('keyboard', scope, ['surface', 'page', 'none'], 'surface') });
  }

  /**
   * Pauses the video for this viewer only. The last picture stays visible, and the session sends no frames to
   * this viewer.
   */
  get videoPaused(): boolean {
    return this.#videoPaused;
  }

  set videoPaused(paused: boolean) {
    this.#videoPaused = paused;
    this.#askForFrames();
  }

  /**
   * Volume of this viewer, from 0 to 1. With 0 the session sends sound only after a call of {@link tapSound}.
   * Throws RangeError for other values.
   */
  get volume(): number {
    return this.#sound.volume;
  }

  set volume(volume: number) {
    this.#sound.volume = volume;
  }

  /** True if the session has sound that the local browser blocks until the user interacts with the page. */
  get audioBlocked(): boolean {
    return this.#sound.blocked;
  }

  /**
   * Turns on blocked sound. Call it in a click or key handler. Any click or key press on the page does the
   * same.
   */
  unblockAudio(): void {
    this.#sound.unblock();
  }

  /**
   * Sends the sound to a track instead of the speakers from now on, for your own audio graphs. Returns
   * undefined if sound cannot be played: without WebCodecs, or on a page without https.
   */
  captureSound(): MediaStreamTrack | undefined {
    return this.#sound.capture();
  }

  /**
   * Returns a copy of the sound as your own track, for recorders. It ignores the volume and does not change
   * the playback. Returns undefined if sound cannot be played.
   */
  tapSound(): MediaStreamTrack | undefined {
    return this.#sound.tap();
  }

  /** Set while images are shown instead of video. */
  get imageNotice(): ImageNotice | undefined {
    return this.#picture.imageNotice;
  }

  /**
   * Detects the media that this browser can show, then connects. Resolves when the client is connected and
   * the code for input is loaded. Waits for this code at most 5 s. Rejects like the client's `connect()`.
   */
  connect(): Promise<Welcome> {
    return heard(this.#connect());
  }

  /** Returns the client position of a point of the remote screen, with `x` and `y` from 0 to 1. */
  toClient(x: number, y: number): Point {
    return this.#placement.toClient(x, y);
  }

  /**
   * Returns the remote pixel at a client position, also under CSS transforms. Undefined outside the picture,
   * and before the first picture.
   */
  toRemote(clientX: number, clientY: number): Point | undefined {
    return this.#placement.toRemote(clientX, clientY);
  }

  /**
   * Returns the position of a point of the remote screen in the container's own pixels, with `x` and `y` from
   * 0 to 1. Use it for overlays on the picture. It is also correct under CSS transforms of the container.
   */
  toContainer(x: number, y: number): Point {
    const shown = this.#placement.toClient(x, y);
    return this.#placement.toContainer(shown.x, shown.y);
  }

  /** Focuses the remote screen, so that it receives the keys. */
  focus(): void {
    this.#controls.focus();
  }

  /** Focuses like {@link focus}, and opens the on-screen keyboard of a phone. Call it in a tap handler. */
  showKeyboard(): void {
    this.#controls.do((controls) => controls.showKeyboard());
  }

  /** Closes a phone's on-screen keyboard until another field of the remote screen is focused. */
  hideKeyboard(): void {
    this.#controls.do((controls) => controls.hideKeyboard());
  }

  /** True if a phone's on-screen keyboard should be open. It opens and closes with the remote focus. */
  get keyboardOpen(): boolean {
    return this.#controls.loaded?.keyboardOpen ?? false;
  }

  /** Sends generated input, also while the viewer is view-only. The input is lost without a connection. */
  sendEvent(event: SentEvent): void {
    this.#controls.do((controls) => controls.sendEvent(event));
  }

  /** Releases the keys that {@link sendEvent} pressed. */
  releaseSentKeys(): void {
    this.#controls.do((controls) => controls.releaseSentKeys());
  }

  stats(): ViewerStats {
    const { figures } = this.#picture;
    const { rtt, quality, stream } = this.client;
    const sizes = this.#placement.size;
    return { ...figures, ...this.#sound.figures, ...sizes, rtt, quality, media: stream?.media };
  }

  /**
   * Stops everything that this viewer started. A client that the caller passed in stays connected. Safe to
   * call twice.
   */
  close(): void {
    if (this.#closed) return;
    this.viewOnly = true;
    this.#closed = true;
    this.client.off('quality', this.#rated);
    this.#visibility?.close();
    this.#picture.close();
    this.#sound.close();
    this.#controls.close();
    this.#stage.close();
    if (this.#ownsClient) this.client.disconnect();
    if (this.#ownsCanvas) this.canvas.remove();
    this.removeAllListeners();
  }

  async #connect(): Promise<Welcome> {
    // Joins an attempt under way before the media are detected. So a `disconnect()` during the detection also
    // rejects this call.
    const joined = isUnderWay(this.client.state) ? this.client.connect() : undefined;
    await this.#picture.ready;
    if (this.#closed) throw new DisconnectedError('disconnected', LEFT.disconnected);
    const [welcome] = await Promise.all([joined ?? this.client.connect(), this.#controls.settled]);
    return welcome;
  }

  #askForFrames(): void {
    this.client.setVisible(this.#visible && !this.#videoPaused);
  }

  readonly #rated = (quality: ConnectionQuality): void => void this.emit('quality', quality);
}

const fitOf = (fit: Fit | undefined): Fit => choice('fit', fit, FITS, 'contain');
