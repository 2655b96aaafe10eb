import type { Duplex } from 'node:stream';
import { PartReader, type RecordingEnd, type RecordingPart } from '../../recording-protocol.js';
import type { RecordingSink } from '../../sessions/recordings/recording-ports.js';

/**
 * Reads the recordings of one host from its pipe. The pipe is read only as fast as the parts are stored, so
 * this process never holds more than a few parts.
 */
export class HostRecordings {
  readonly #sinks = new Map<number, RecordingSink>();
  readonly #reader = new PartReader();
  /** Resolves when all parts that have arrived are stored. Parts are stored one after the other. */
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  /**
   * @param channel pipe from the host; this object owns it from now on
   * @param onProblem called when the host sends data that is not a part of a recording. All recordings of the
   *   host then end
   * @param reasonAtClose returns the reason of the end for recordings whose end the host has not sent
   */
  constructor(
    private readonly channel: Duplex,
    private readonly onProblem: (error: unknown) => void,
    private readonly reasonAtClose: () => RecordingEnd,
  ) {
    channel.on('error', () => channel.destroy());
    channel.on('data', (chunk: Buffer) => this.#read(chunk));
    channel.once('close', () => void this.#work.then(() => this.#close()));
  }

  /** Passes all further parts of a recording to a receiver. */
  add(number: number, sink: RecordingSink): void {
    if (this.#closed) sink.closed(this.reasonAtClose());
    else this.#sinks.set(number, sink);
  }

  #read(chunk: Buffer): void {
    let parts: { number: number; part: RecordingPart }[];
    try {
      parts = this.#reader.push(chunk);
    } catch (error) {
      this.onProblem(error);
      this.channel.destroy();
      return;
    }
    if (parts.length === 0) return;
    this.channel.pause();
    this.#work = this.#work
      .then(() => this.#pass(parts))
      .finally(() => {
        this.channel.resume();
      });
  }

  async #pass(parts: readonly { number: number; part: RecordingPart }[]): Promise<void> {
    for (const { number, part } of parts) {
      await this.#sinks.get(number)?.part(part);
      if (part.type === 'end') this.#sinks.delete(number);
    }
  }

  #close(): void {
    this.#closed = true;
    for (const sink of this.#sinks.values()) sink.closed(this.reasonAtClose());
    this.#sinks.clear();
  }
}
