import { heard } from '../core/deferred.js';
import { Emitter } from '../core/emitter.js';
import type { ClientEvents, CloudBrowserClient, Fit, Point } from '../core/index.js';
import {
  attachInput,
  detectPlatform,
  SentEvents,
  type AttachedInput,
  type KeyboardScope,
  type SentEvent,
} from '../input/index.js';
import type { InputWithoutSeq, Welcome } from '../protocol/index.js';
import type { ResizeMode } from './auto-resize.js';
import { warnAboutViewport } from './pinch-viewport.js';
import type { Placement } from './placement.js';
import { RemoteCursor } from './remote-cursor.js';
import { RemoteFocus } from './remote-focus.js';
import { Stage } from './stage.js';
import type { ImageNotice, ViewerEvents, ViewerStats } from './viewer-events.js';
import { makeClient, type ViewerOptions } from './viewer-options.js';
import { ViewerClipboard } from './viewer-clipboard.js';
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
  #input: AttachedInput | undefined;
  #focus: RemoteFocus | undefined;
  readonly #sent: SentEvents;
  readonly #sound: ViewerSound;
  readonly #cursor = new RemoteCursor(() => this.#showCursor());
  #keyboard: KeyboardScope;
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
    this.#keyboard = options.keyboard ?? 'surface';
    const send = (event: InputWithoutSeq) => void this.client.sendInput(event);
    const size = () => {
      const { size: shown } = this.#placement;
      return shown.width > 0 ? shown : (this.client.welcome ?? shown);
    };
    this.#sent = new SentEvents(send, size, detectPlatform());
    this.#sound = new ViewerSound(this.client, options.volume ?? 1, (blocked) =>
      this.emit('audioblocked', blocked),
    );
    if (this.#ownsCanvas) this.container.append(this.canvas);
    this.clipboard = new ViewerClipboard({
      client: this.client,
      container: this.container,
      input: () => this.#input,
      onCopy: (copy) => this.emit('remoteCopy', copy),
      onState: (state) => this.emit('copyState', state),
    });
    this.#follow('state', ({ state }) => {
      if (state !== 'playing') this.#input?.release();
    });
    this.#follow('cursor', () => this.#showCursor());
    this.#follow('quality', (quality) => this.emit('quality', quality));
    this.viewOnly = options.viewOnly ?? false;
    this.resizeMode = options.resize ?? 'none';
    this.#follow('pixelRatio', () => this.#showCursor());
    this.#follow('welcome', (welcome) => this.#checkPage(welcome));
    if (this.client.welcome) this.#checkPage(this.client.welcome);
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
        this.#focus?.follow();
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
    return !this.#input;
  }

  set viewOnly(viewOnly: boolean) {
    this.#stage.viewOnly = viewOnly || this.#closed;
    if (viewOnly === this.viewOnly || this.#closed) {
      this.#showCursor();
      return;
    }
    if (viewOnly) {
      this.#focus?.close();
      this.#input?.close();
      this.#focus = this.#input = undefined;
    } else {
      this.#input = attachInput({
        surface: this.container,
        placement: this.#placement,
        sink: this.client,
        pastes: this.clipboard,
      });
      this.#input.setKeyboard(this.#keyboard);
      const { softKeyboard } = this.#input;
      this.#focus = new RemoteFocus(this.client, softKeyboard, this.container, this.#placement, {
        onShift: (shift) => this.emit('shift', shift),
        onKeyboard: (open) => this.emit('keyboard', open),
      });
    }
    this.#showCursor();
  }

  /** `auto`: the remote screen is as large as the container, whenever this user controls the browser and may resize it. */
  get resizeMode(): ResizeMode {
    return this.#stage.resizeMode;
  }

  set resizeMode(mode: ResizeMode) {
    this.#stage.resizeMode = mode;
  }

  get keyboard(): KeyboardScope {
    return this.#keyboard;
  }

  set keyboard(scope: KeyboardScope) {
    this.#keyboard = scope;
    this.#input?.setKeyboard(scope);
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

  /** Finds out what this browser can show, then connects; settles like the client's `connect()`. */
  connect(): Promise<Welcome> {
    return heard(this.#picture.ready.then(() => this.client.connect()));
  }

  /** The position of the page where a part of the remote screen is shown, `x` and `y` from 0 to 1. */
  toClient(x: number, y: number): Point {
    return this.#placement.toClient(x, y);
  }

  /** Gives the keyboard to the remote screen. */
  focus(): void {
    this.#input?.focus();
  }

  /** As {@link focus}, and a phone brings up its on-screen keyboard. To be called while handling a tap. */
  showKeyboard(): void {
    this.#input?.softKeyboard.show();
  }

  /** Puts a phone's on-screen keyboard away, until another field of the remote screen has the focus. */
  hideKeyboard(): void {
    this.#input?.softKeyboard.hide();
  }

  /** Whether a phone's on-screen keyboard is to be there: it opens and closes with the remote focus. */
  get keyboardOpen(): boolean {
    return this.#input?.softKeyboard.open ?? false;
  }

  /** Sends input that no person made, also while the viewer is for viewing only. Lost without a connection. */
  sendEvent(event: SentEvent): void {
    this.#sent.handle(event);
  }

  /** Lifts the keys that {@link sendEvent} pressed. */
  releaseSentKeys(): void {
    this.#sent.releaseKeys();
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
    this.clipboard.close();
    this.#cursor.close();
    this.#stage.close();
    if (this.#ownsClient) this.client.disconnect();
    this.container.style.cursor = '';
    if (this.#ownsCanvas) this.canvas.remove();
    this.removeAllListeners();
  }

  #askForFrames(): void {
    this.client.setVisible(this.#visible && !this.#videoPaused);
  }

  #checkPage({ pinch }: Welcome): void {
    if (pinch && !this.viewOnly) warnAboutViewport();
  }

  #showCursor(): void {
    const { cursor } = this.client;
    const style = this.viewOnly || !cursor ? '' : this.#cursor.css(cursor, this.client.pixelRatio);
    this.container.style.cursor = style;
    this.emit('cursor', style);
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
