import { heard } from '../core/deferred.js';
import { Emitter } from '../core/emitter.js';
import type { ClientEvents, CloudBrowserClient, Fit, Point } from '../core/index.js';
import type { KeyboardScope, SentEvent } from '../input/index.js';
import type { Welcome } from '../protocol/index.js';
import type { ResizeMode } from './auto-resize.js';
import type { ControlsParts } from './controls.js';
import type { Placement } from './placement.js';
import { Stage } from './stage.js';
import type { ImageNotice, ViewerEvents, ViewerStats } from './viewer-events.js';
import { makeClient, type ViewerOptions } from './viewer-options.js';
import { ViewerClipboard } from './viewer-clipboard.js';
import { ViewerControls } from './viewer-controls.js';
import { ViewerPicture } from './viewer-picture.js';
import { ViewerSound } from './viewer-sound.js';
import { VisibilityWatch } from './visibility.js';

/** Binds one client to one canvas: picture, input and pointer shape. */
export class Viewer extends Emitter<ViewerEvents> {
  readonly client: CloudBrowserClient;
  readonly container: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  /** Copying from the remote browser, and pasting into it. */
  readonly clipboard: ViewerClipboard;
  readonly #ownsClient: boolean;
  readonly #ownsCanvas: boolean;
  readonly #picture: ViewerPicture;
  readonly #visibility: VisibilityWatch | undefined;
  readonly #unsubscribe: (() => void)[] = [];
  readonly #controls: ViewerControls;
  readonly #sound: ViewerSound;
  #visible = true;
  #videoPaused = false;
  readonly #stage: Stage;
  readonly #placement: Placement;
  #closed = false;

  /** Throws `EmbedUrlError` for an address that no session can have, TypeError without one. */
  constructor(options: ViewerOptions) {
    super();
    this.client = options.client ?? makeClient(options);
    this.#ownsClient = !options.client;
    this.container = options.container;
    this.canvas = options.canvas ?? document.createElement('canvas');
    this.#ownsCanvas = !options.canvas;
    const { client, container, canvas } = this;
    const onPlaced = (exact: boolean) => void this.emit('place', exact);
    this.#stage = new Stage({ client, container, canvas, fit: options.fit ?? 'contain', onPlaced });
    this.#placement = this.#stage.placement;
    const onFailure = (error: Error) => void this.emit('error', error);
    const onBlocked = (blocked: boolean) => void this.emit('audioblocked', blocked);
    this.#sound = new ViewerSound(client, options.volume ?? 1, onBlocked, onFailure);
    if (this.#ownsCanvas) this.container.append(this.canvas);
    const tell: ControlsParts['tell'] = (name, ...args) => void this.emit(name, ...args);
    this.#controls = new ViewerControls({ client, container, placement: this.#placement, tell }, onFailure);
    this.#controls.keyboard = options.keyboard ?? 'surface';
    this.clipboard = new ViewerClipboard(this.#controls);
    this.#follow('quality', (quality) => this.emit('quality', quality));
    this.viewOnly = options.viewOnly ?? false;
    this.resizeMode = options.resize ?? 'none';
    const { whenHidden = 'pause' } = options;
    if (whenHidden !== 'play') {
      const watched = whenHidden === 'pause' ? this.container : undefined;
      this.#visibility = new VisibilityWatch(watched, (visible) => {
        this.#visible = visible;
        this.#askForFrames();
      });
    }
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
    // Who connects is told by the rejection, everybody else by the event.
    this.#picture.ready.catch((error: unknown) =>
      this.emit('error', error instanceof Error ? error : new Error(String(error))),
    );
  }

  get fit(): Fit {
    return this.#placement.fit;
  }

  set fit(fit: Fit) {
    this.#placement.fit = fit;
  }

  get viewOnly(): boolean {
    return this.#controls.viewOnly;
  }

  set viewOnly(viewOnly: boolean) {
    if (!this.#closed) this.#controls.viewOnly = viewOnly;
  }

  /** `auto`: the remote screen is as large as the container, whenever this user controls the browser and may resize it. */
  get resizeMode(): ResizeMode {
    return this.#controls.resizeMode;
  }

  set resizeMode(mode: ResizeMode) {
    this.#controls.resizeMode = mode;
  }

  get keyboard(): KeyboardScope {
    return this.#controls.keyboard;
  }

  set keyboard(scope: KeyboardScope) {
    this.#controls.keyboard = scope;
  }

  /** For this viewer alone: the last picture stays and no more are sent. */
  get videoPaused(): boolean {
    return this.#videoPaused;
  }

  set videoPaused(paused: boolean) {
    this.#videoPaused = paused;
    this.#askForFrames();
  }

  /** How loud this viewer is, 0 to 1; with 0 no sound is sent. Throws RangeError for anything else. */
  get volume(): number {
    return this.#sound.volume;
  }

  set volume(volume: number) {
    this.#sound.volume = volume;
  }

  /** Sound has come that the browser plays none of, until its user does something on the page. */
  get audioBlocked(): boolean {
    return this.#sound.blocked;
  }

  /** Has the browser play sound that it held back. To be called while handling a click or a key; any of them does the same by itself. */
  unblockAudio(): void {
    this.#sound.unblock();
  }

  /**
   * From now on the sound goes into this track and not to the speakers, for audio graphs of your own. Undefined where sound
   * cannot be played: without WebCodecs, or on a page that is not served over https.
   */
  captureSound(): MediaStreamTrack | undefined {
    return this.#sound.capture();
  }

  /**
   * A copy of the sound as a track of your own, for recorders: as loud as it comes, whatever the volume, and what is played
   * stays as it is. Undefined as {@link captureSound}.
   */
  tapSound(): MediaStreamTrack | undefined {
    return this.#sound.tap();
  }

  /** Set while images are shown instead of video. */
  get imageNotice(): ImageNotice | undefined {
    return this.#picture.imageNotice;
  }

  /** Finds out what this browser can show, then connects; settles like the client's `connect()`, when input is taken as well. */
  connect(): Promise<Welcome> {
    return heard(this.#connect());
  }

  /** The position of the page where a part of the remote screen is shown, `x` and `y` from 0 to 1. */
  toClient(x: number, y: number): Point {
    return this.#placement.toClient(x, y);
  }

  /** Gives the keyboard to the remote screen. */
  focus(): void {
    this.#controls.focus();
  }

  /** As {@link focus}, and a phone brings up its on-screen keyboard. To be called while handling a tap. */
  showKeyboard(): void {
    this.#controls.do((controls) => controls.showKeyboard());
  }

  /** Puts a phone's on-screen keyboard away, until another field of the remote screen has the focus. */
  hideKeyboard(): void {
    this.#controls.do((controls) => controls.hideKeyboard());
  }

  /** Whether a phone's on-screen keyboard is to be there: it opens and closes with the remote focus. */
  get keyboardOpen(): boolean {
    return this.#controls.loaded?.keyboardOpen ?? false;
  }

  /** Sends input that no person made, also while the viewer is for viewing only. Lost without a connection. */
  sendEvent(event: SentEvent): void {
    this.#controls.do((controls) => controls.sendEvent(event));
  }

  /** Lifts the keys that {@link sendEvent} pressed. */
  releaseSentKeys(): void {
    this.#controls.do((controls) => controls.releaseSentKeys());
  }

  stats(): ViewerStats {
    const { figures } = this.#picture;
    const { rtt, quality, stream } = this.client;
    const sizes = this.#placement.size;
    return { ...figures, ...this.#sound.figures, ...sizes, rtt, quality, media: stream?.media };
  }

  /** Ends everything that this viewer began; a client of the caller's stays connected. Safe to call twice. */
  close(): void {
    if (this.#closed) return;
    this.viewOnly = true;
    this.#closed = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
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
    await this.#picture.ready;
    const welcome = await this.client.connect();
    await this.#controls.settled;
    return welcome;
  }

  #askForFrames(): void {
    this.client.setVisible(this.#visible && !this.#videoPaused);
  }

  #follow<Name extends keyof ClientEvents>(
    name: Name,
    listener: (...args: ClientEvents[Name]) => void,
  ): void {
    const { client } = this;
    client.on(name, listener);
    this.#unsubscribe.push(() => client.off(name, listener));
  }
}
