import { EventEmitter } from 'eventemitter3';
import {
  clampToRemote,
  clientToRemote,
  CloudBrowserClient,
  insideRemote,
  pictureScale,
  type ClientEvents,
  type Fit,
  type Point,
  type ReconnectPolicy,
  type Size,
} from '../core/index.js';
import { attachInput, type AttachedInput } from '../input/index.js';
import { MediaPlayer, probeMedia, type MediaSupport } from '../media/index.js';
import type { Welcome } from '../protocol/index.js';
import { cssCursor } from './remote-cursor.js';
import type { ImageNotice, ViewerEvents, ViewerStats } from './viewer-events.js';
import { VisibilityWatch } from './visibility.js';

/** What a {@link Viewer} is made of. */
export interface ViewerOptions {
  /** Shows the picture and takes input: an element with a size of its own that may hold children. */
  container: HTMLElement;
  /** The session to connect to; or `client`. */
  embedUrl?: string;
  /** A client of the caller's, who connects and disconnects it; or `embedUrl`. */
  client?: CloudBrowserClient;
  /** With `embedUrl`: how a lost connection is sought again. */
  reconnect?: ReconnectPolicy;
  /** A canvas in the container, for this viewer alone. Default: a new one. */
  canvas?: HTMLCanvasElement;
  /** Default `contain`. */
  fit?: Fit;
  /** Takes no input. Default false. */
  viewOnly?: boolean;
  /** What happens while nobody can see the container. Default `pause`: no frames are sent. */
  whenHidden?: 'pause' | 'play';
  /**
   * Where frames are given to the decoder. Default `main`: WebCodecs decodes on threads of its own, and a worker before it
   * only adds two hops (from the host's socket to the screen 14 against 17 ms in the median, 25 against 35 at the 95th
   * percentile, and the same way round beside a busy page). `auto`: in a worker where there can be one.
   */
  thread?: 'auto' | 'main';
}

/** Binds one client to one canvas: picture, input and pointer shape. */
export class Viewer extends EventEmitter<ViewerEvents> {
  readonly client: CloudBrowserClient;
  readonly container: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly #ownsClient: boolean;
  readonly #ownsCanvas: boolean;
  readonly #thread: 'auto' | 'main';
  readonly #ready: Promise<void>;
  readonly #visibility: VisibilityWatch | undefined;
  readonly #unsubscribe: (() => void)[] = [];
  #player: MediaPlayer | undefined;
  #input: AttachedInput | undefined;
  #imageNotice: ImageNotice | undefined;
  #fit: Fit;
  #size: Size = { width: 0, height: 0 };
  #closed = false;

  /** Throws `EmbedUrlError` for an address that no session can have, TypeError without one. */
  constructor(options: ViewerOptions) {
    super();
    this.client = options.client ?? makeClient(options);
    this.#ownsClient = !options.client;
    this.container = options.container;
    this.canvas = options.canvas ?? document.createElement('canvas');
    this.#ownsCanvas = !options.canvas;
    this.#thread = options.thread ?? 'main';
    this.#fit = options.fit ?? 'contain';
    this.#dressCanvas();
    if (this.#ownsCanvas) this.container.append(this.canvas);
    this.#follow('state', ({ state }) => {
      if (state !== 'playing') this.#input?.release();
    });
    this.#follow('cursor', () => this.#showCursor());
    this.#follow('stream', (stream) => this.#player?.setStream(stream));
    this.#follow('packet', (packet) => this.#player?.push(packet));
    this.viewOnly = options.viewOnly ?? false;
    if (options.whenHidden !== 'play') {
      this.#visibility = new VisibilityWatch(this.container, (visible) => this.client.setVisible(visible));
    }
    this.#ready = this.#prepare();
    // Who connects is told by the rejection, everybody else by the event.
    this.#ready.catch((error: unknown) =>
      this.emit('error', error instanceof Error ? error : new Error(String(error))),
    );
  }

  get fit(): Fit {
    return this.#fit;
  }

  set fit(fit: Fit) {
    this.#fit = fit;
    this.canvas.style.objectFit = fit;
  }

  get viewOnly(): boolean {
    return !this.#input;
  }

  set viewOnly(viewOnly: boolean) {
    if (viewOnly === this.viewOnly || this.#closed) {
      this.#showCursor();
      return;
    }
    if (viewOnly) {
      this.#input?.close();
      this.#input = undefined;
    } else {
      this.#input = attachInput({
        surface: this.container,
        toRemote: (clientX, clientY) => this.toRemote(clientX, clientY) ?? null,
        scale: () => this.#scale(),
        remoteSize: () => this.#size,
        send: (event) => this.client.sendInput(event),
      });
    }
    this.#showCursor();
  }

  /** Set while images are shown instead of video. */
  get imageNotice(): ImageNotice | undefined {
    return this.#imageNotice;
  }

  /** Finds out what this browser can show, then connects; settles like the client's `connect()`. */
  async connect(): Promise<Welcome> {
    await this.#ready;
    return this.client.connect();
  }

  /** The remote pixel at a position of the page; undefined beside the picture and before there is one. */
  toRemote(clientX: number, clientY: number): Point | undefined {
    const client = { x: clientX, y: clientY };
    const point = clientToRemote(client, this.canvas.getBoundingClientRect(), this.#size, this.#fit);
    return point && insideRemote(point, this.#size) ? clampToRemote(point, this.#size) : undefined;
  }

  /** Gives the keyboard to the remote screen. */
  focus(): void {
    this.#input?.focus();
  }

  /** As {@link focus}, and a phone brings up its on-screen keyboard. To be called while handling a tap. */
  showKeyboard(): void {
    this.#input?.showKeyboard();
  }

  stats(): ViewerStats {
    const figures = this.#player?.figures() ?? NO_FIGURES;
    return { ...figures, ...this.#size, rtt: this.client.rtt, media: this.client.stream?.media };
  }

  /** Ends everything that this viewer began; a client of the caller's stays connected. Safe to call twice. */
  close(): void {
    if (this.#closed) return;
    this.viewOnly = true;
    this.#closed = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#visibility?.close();
    this.#player?.close();
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
    this.#player = this.#makePlayer(support);
    const { stream } = this.client;
    if (!stream) return;
    // The client was connected before: the frames so far went elsewhere.
    this.#player.setStream(stream);
    this.client.requestKeyFrame(stream.stream);
  }

  #makePlayer({ acceleration }: MediaSupport): MediaPlayer {
    return new MediaPlayer(
      { canvas: this.canvas, acceleration, thread: this.#thread },
      {
        acknowledge: (stream, frame) => this.client.acknowledge(stream, frame),
        requestKeyFrame: (stream) => this.client.requestKeyFrame(stream),
        inputLatency: (seq) => this.client.inputLatency(seq),
        onPainted: (painted) => this.emit('painted', painted),
        onResize: (width, height) => {
          this.#size = { width, height };
          this.emit('resize', { width, height });
        },
        onFailed: (message) => this.#fallBack(message),
      },
    );
  }

  /** To the next simpler kind of media. */
  #fallBack(message: string): void {
    this.emit('error', new Error(`Video cannot be decoded: ${message}`));
    const failed = this.client.stream?.media;
    if (failed === 'image') return;
    if (failed === 'h264') {
      this.#noteImages({
        cause: 'decoder-failed',
        message: 'Images are shown instead of video because decoding it failed.',
      });
    }
    this.client.setMedia(failed === 'h264-444' ? ['h264', 'image'] : ['image']);
    // The outcome is told by the client's state.
    this.client.reconnect().catch(() => undefined);
  }

  #noteImages(notice: ImageNotice): void {
    this.#imageNotice = notice;
    this.emit('images', notice);
  }

  #dressCanvas(): void {
    const { style } = this.canvas;
    style.display = 'block';
    style.width = '100%';
    style.height = '100%';
    style.objectFit = this.#fit;
  }

  #showCursor(): void {
    const { cursor } = this.client;
    this.container.style.cursor = this.viewOnly || !cursor ? '' : cssCursor(cursor);
  }

  /** One figure for both directions; with the fit `fill` they differ, and the mean serves. */
  #scale(): number {
    const { x, y } = pictureScale(this.canvas.getBoundingClientRect(), this.#size, this.#fit);
    return Math.sqrt(x * y) || 1;
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

const NO_FIGURES = {
  framesPerSecond: 0,
  bitsPerSecond: 0,
  decodeTime: undefined,
  inputToPhoton: undefined,
  framesPainted: 0,
  framesDropped: 0,
};

function makeClient({ embedUrl, reconnect }: ViewerOptions): CloudBrowserClient {
  if (!embedUrl) throw new TypeError('A viewer needs an `embedUrl` or a `client`.');
  // What this browser can show is found out before it connects.
  return new CloudBrowserClient({ embedUrl, media: ['image'], ...(reconnect && { reconnect }) });
}
