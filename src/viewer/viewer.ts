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
import { MediaPlayer, NO_FIGURES, probeMedia, simplerKinds, type MediaSupport } from '../media/index.js';
import type { InputWithoutSeq, MediaKind, Welcome } from '../protocol/index.js';
import type { ResizeMode } from './auto-resize.js';
import { warnAboutViewport } from './pinch-viewport.js';
import type { Placement } from './placement.js';
import { RemoteCursor } from './remote-cursor.js';
import { RemoteFocus } from './remote-focus.js';
import { Stage } from './stage.js';
import type { ImageNotice, ViewerEvents, ViewerStats } from './viewer-events.js';
import { makeClient, type ViewerOptions } from './viewer-options.js';
import { ViewerClipboard } from './viewer-clipboard.js';
import { ViewerSound } from './viewer-sound.js';
import { VisibilityWatch } from './visibility.js';

const DECODER_FAILED: ImageNotice = {
  cause: 'decoder-failed',
  message: 'Images are shown instead of video because decoding it failed.',
};

/** Binds one client to one canvas: picture, input and pointer shape. */
export class Viewer extends Emitter<ViewerEvents> {
  readonly client: CloudBrowserClient;
  readonly container: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  /** Copying from the remote browser, and pasting into it. */
  readonly clipboard: ViewerClipboard;
  readonly #ownsClient: boolean;
  readonly #ownsCanvas: boolean;
  readonly #ready: Promise<void>;
  readonly #visibility: VisibilityWatch | undefined;
  readonly #unsubscribe: (() => void)[] = [];
  #player: MediaPlayer | undefined;
  #input: AttachedInput | undefined;
  #focus: RemoteFocus | undefined;
  #imageNotice: ImageNotice | undefined;
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
    this.#ready = this.#prepare();
    // Who connects is told by the rejection, everybody else by the event.
    this.#ready.catch((error: unknown) =>
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
    return this.#imageNotice;
  }

  /** Finds out what this browser can show, then connects; settles like the client's `connect()`. */
  connect(): Promise<Welcome> {
    return heard(this.#ready.then(() => this.client.connect()));
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
    const figures = this.#player?.figures() ?? NO_FIGURES;
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
    this.#player?.close();
    this.#sound.close();
    this.clipboard.close();
    this.#cursor.close();
    this.#stage.close();
    if (this.#ownsClient) this.client.disconnect();
    this.container.style.cursor = '';
    if (this.#ownsCanvas) this.canvas.remove();
    this.removeAllListeners();
  }

  async #prepare(): Promise<void> {
    const support = await probeMedia();
    if (this.#closed) return;
    if (this.#ownsClient) this.client.setMedia(support.kinds);
    if (support.imageOnly) this.#noteImages(support.imageOnly);
    const player = this.#makePlayer(support);
    this.#player = player;
    this.#follow('stream', player.setStream);
    this.#follow('packet', player.push);
    const { stream } = this.client;
    if (!stream) return;
    // The client was connected before: the frames so far went elsewhere.
    player.setStream(stream);
    this.client.requestKeyFrame(stream.stream);
  }

  #makePlayer({ acceleration, kinds }: MediaSupport): MediaPlayer {
    return new MediaPlayer({
      canvas: this.canvas,
      acceleration,
      connection: this.client,
      events: {
        onPainted: (painted, image) => {
          if (!painted.refinement) this.#sound.pictureShown(painted.captureTime);
          this.emit('frame', image);
          this.emit('painted', painted);
        },
        onResize: (width, height) => {
          this.#placement.size = { width, height };
          this.#focus?.follow();
          this.emit('resize', { width, height });
        },
        onFailed: (message) => this.#fallBack(message, kinds),
      },
    });
  }

  #askForFrames(): void {
    this.client.setVisible(this.#visible && !this.#videoPaused);
  }

  /** To the next simpler kind of media. */
  #fallBack(message: string, kinds: readonly MediaKind[]): void {
    this.emit('error', new Error(`Video cannot be decoded: ${message}`));
    const simpler = simplerKinds(this.client.stream?.media ?? 'h264', kinds);
    if (simpler.length === 0) return;
    if (simpler[0] === 'image') this.#noteImages(DECODER_FAILED);
    this.client.setMedia(simpler);
    // The outcome is told by the client's state.
    void this.client.reconnect();
  }

  #noteImages(notice: ImageNotice): void {
    this.#imageNotice = notice;
    this.emit('images', notice);
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
