import type { CloudBrowserClient } from '../../core/index.js';
import {
  MediaPlayer,
  NO_FIGURES,
  probeMedia,
  simplerKinds,
  type MediaFigures,
  type MediaSupport,
  type PaintedFrame,
} from '../../media/index.js';
import type { MediaKind } from '../../protocol/index.js';
import type { ImageNotice } from '../viewer-events.js';

const DECODER_FAILED: ImageNotice = {
  cause: 'decoder-failed',
  message: 'Images are shown instead of video because decoding it failed.',
};

/** Options of a viewer's picture. */
export interface ViewerPictureParts {
  readonly client: CloudBrowserClient;
  readonly canvas: HTMLCanvasElement;
  /** True if the viewer owns the client. Then the viewer sets the supported media on it. */
  readonly ownsClient: boolean;
  /** `image` is closed after the call. */
  readonly onPainted: (painted: PaintedFrame, image: VideoFrame | ImageBitmap) => void;
  readonly onResize: (size: { width: number; height: number }) => void;
  /** Called when images are shown instead of video. */
  readonly onImages: (notice: ImageNotice) => void;
  readonly onError: (error: Error) => void;
}

/**
 * Paints the packets of a client on a canvas. Detects the formats that this browser can show. If decoding
 * fails, changes to a simpler format.
 */
export class ViewerPicture {
  /** Resolves when the supported media are detected. Rejects if the canvas cannot be used. */
  readonly ready: Promise<void>;
  #player: MediaPlayer | undefined;
  #notice: ImageNotice | undefined;
  #closed = false;

  constructor(private readonly parts: ViewerPictureParts) {
    this.ready = this.#prepare();
  }

  /** Set while images are shown instead of video. */
  get imageNotice(): ImageNotice | undefined {
    return this.#notice;
  }

  get figures(): MediaFigures {
    return this.#player?.figures() ?? NO_FIGURES;
  }

  close(): void {
    this.#closed = true;
    const [player, { client }] = [this.#player, this.parts];
    if (!player) return;
    client.off('stream', player.setStream).off('packet', player.push);
    player.close();
  }

  async #prepare(): Promise<void> {
    const { client, ownsClient } = this.parts;
    const support = await probeMedia();
    if (this.#closed) return;
    if (ownsClient) client.setMedia(support.kinds);
    if (support.imageOnly) this.#noteImages(support.imageOnly);
    const player = (this.#player = this.#makePlayer(support));
    client.on('stream', player.setStream).on('packet', player.push);
    const { stream } = client;
    if (!stream) return;
    // The client is already connected. This player has not received the earlier frames of the stream, so it
    // needs a key frame.
    player.setStream(stream);
    client.requestKeyFrame(stream.stream);
  }

  #makePlayer({ acceleration, kinds }: MediaSupport): MediaPlayer {
    const { canvas, client, onPainted, onResize } = this.parts;
    return new MediaPlayer({
      canvas,
      acceleration,
      connection: client,
      events: {
        onPainted,
        onResize: (width, height) => onResize({ width, height }),
        onFailed: (message) => this.#fallBack(message, kinds),
      },
    });
  }

  /** Switches to the next simpler kind of media. */
  #fallBack(message: string, kinds: readonly MediaKind[]): void {
    const { client, onError } = this.parts;
    onError(new Error(`Video cannot be decoded: ${message}`));
    const simpler = simplerKinds(client.stream?.media ?? 'h264', kinds);
    if (simpler.length === 0) return;
    if (simpler[0] === 'image') this.#noteImages(DECODER_FAILED);
    client.setMedia(simpler);
    // The client's state reports the result.
    void client.reconnect();
  }

  #noteImages(notice: ImageNotice): void {
    this.#notice = notice;
    this.parts.onImages(notice);
  }
}
