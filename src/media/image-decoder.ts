import type { MediaPacket } from '../protocol/index.js';
import type { PictureDecoder, PictureListener } from './picture-decoder.js';

interface Waiting {
  packet: MediaPacket;
  pushedAt: number;
}

/** Decodes a JPEG per packet. One is being decoded and one may wait; a newer one takes the waiting one's place. */
export class JpegDecoder implements PictureDecoder {
  readonly #listener: PictureListener;
  #busy = false;
  #next: Waiting | undefined;
  #closed = false;

  constructor(listener: PictureListener) {
    this.#listener = listener;
  }

  push(packet: MediaPacket): void {
    if (this.#closed) {
      this.#listener.onDropped(packet);
      return;
    }
    if (this.#next) this.#listener.onDropped(this.#next.packet);
    this.#next = { packet, pushedAt: performance.now() };
    if (!this.#busy) void this.#run();
  }

  close(): void {
    this.#closed = true;
    const waiting = this.#take();
    if (waiting) this.#listener.onDropped(waiting.packet);
  }

  async #run(): Promise<void> {
    this.#busy = true;
    for (let current = this.#take(); current; current = this.#take()) await this.#decode(current);
    this.#busy = false;
  }

  #take(): Waiting | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next;
  }

  async #decode({ packet, pushedAt }: Waiting): Promise<void> {
    try {
      const data = packet.payload as Uint8Array<ArrayBuffer>;
      const image = await createImageBitmap(new Blob([data], { type: 'image/jpeg' }));
      if (!this.#closed) {
        this.#listener.onPicture({ image, packet, pushedAt });
        return;
      }
      image.close();
    } catch {
      // A broken picture: the next one stands on its own.
    }
    this.#listener.onDropped(packet);
  }
}
