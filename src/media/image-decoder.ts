import type { MediaPacket, StreamInfo } from '../protocol/index.js';
import type { DecoderEvents, PictureDecoder, WaitingPacket } from './picture-decoder.js';

/**
 * Decodes one JPEG per packet. One packet is decoded at a time, and at most one packet waits. A newer packet
 * replaces the waiting one.
 */
export class JpegDecoder implements PictureDecoder {
  #busy = false;
  #next: WaitingPacket | undefined;
  #closed = false;

  constructor(
    private readonly stream: StreamInfo,
    private readonly events: DecoderEvents,
  ) {}

  push(packet: MediaPacket): void {
    if (this.#closed) {
      this.events.onDropped(packet);
      return;
    }
    if (this.#next) this.events.onDropped(this.#next.packet);
    this.#next = { packet, pushedAt: performance.now() };
    if (!this.#busy) void this.#run();
  }

  close(): void {
    this.#closed = true;
    const waiting = this.#take();
    if (waiting) this.events.onDropped(waiting.packet);
  }

  async #run(): Promise<void> {
    this.#busy = true;
    for (let current = this.#take(); current; current = this.#take()) await this.#decode(current);
    this.#busy = false;
  }

  #take(): WaitingPacket | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next;
  }

  async #decode({ packet, pushedAt }: WaitingPacket): Promise<void> {
    try {
      const data = packet.payload as Uint8Array<ArrayBuffer>;
      const { width, height } = this.stream;
      // Crops the encoder's padding at the right and at the bottom.
      const image = await createImageBitmap(new Blob([data], { type: 'image/jpeg' }), 0, 0, width, height);
      if (!this.#closed) {
        this.events.onPicture({ image, packet, decodeTime: performance.now() - pushedAt });
        return;
      }
      image.close();
    } catch {
      // A broken image does not affect the next one.
    }
    this.events.onDropped(packet);
  }
}
