import {
  encodeHeader,
  encodePart,
  type RecordingEnd,
  type RecordingPart,
} from '../../../recording-protocol.js';
import type { RecordingOutput } from '../feature.js';
import { FragmentBuilder, type BuiltFragment, type RecordedPicture } from './fragment-builder.js';
import { Mp4Writer } from './mp4-writer.js';
import type { CodedSize, RecorderOutput } from './recorder-output.js';

/** If more bytes than this are unsent, the recorder drops pictures until the next key frame. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;

/** Dependencies of a {@link FileOutput}. */
export interface FileOutputParts {
  /** Number of the recording in its session. */
  number: number;
  /** True if the file has a track of sound. */
  audio: boolean;
  channel: RecordingOutput;
  /** Called when the file cannot be written. Then the recording ends with the reason `storage`. */
  onFailure: () => void;
}

/** Writes pictures, sound and events as the parts of one recording, and sends them to the service. */
export class FileOutput implements RecorderOutput {
  readonly #builder: FragmentBuilder;
  #writer: Promise<Mp4Writer> | undefined;
  /** Writes run one after the other. */
  #work: Promise<void> = Promise.resolve();

  constructor(private readonly parts: FileOutputParts) {
    this.#builder = new FragmentBuilder(parts.audio);
  }

  get isLate(): boolean {
    return this.parts.channel.writableLength > MAX_UNSENT_BYTES;
  }

  picture(picture: RecordedPicture, size: CodedSize): void {
    if (!this.#writer) this.#open(picture.data, size);
    this.#write(this.#builder.picture(picture));
  }

  sound(data: Uint8Array, time: number): void {
    this.#builder.sound(data, time);
  }

  event(json: string): void {
    this.#send({ type: 'event', data: Buffer.from(json) });
  }

  tick(time: number): void {
    this.#write(this.#builder.tick(time));
  }

  async end(time: number, reason: RecordingEnd): Promise<void> {
    this.#write(this.#builder.end(time));
    const told = await this.#work.then(
      () => reason,
      () => 'storage',
    );
    await new Promise<void>((resolve) => {
      const message = encodePart(this.parts.number, { type: 'end', data: Buffer.from(told) });
      this.parts.channel.write(message, resolve);
    });
    const writer = await this.#writer?.catch(() => undefined);
    await writer?.close();
  }

  #open(data: Uint8Array, { codedWidth: width, codedHeight: height }: CodedSize): void {
    const keyFrame = Buffer.from(data.buffer, data.byteOffset, data.length);
    const opened = Mp4Writer.open({ width, height, keyFrame, audio: this.parts.audio });
    this.#writer = opened.then(({ writer }) => writer);
    // The handler of `#work` below reports a failure. Without this handler, the failure would end the host's
    // process.
    this.#writer.catch(() => undefined);
    this.#work = opened.then(({ init }) => this.#send({ type: 'init', data: init }));
    this.#work.catch(() => this.parts.onFailure());
  }

  #write(fragment: BuiltFragment | undefined): void {
    if (!fragment) return;
    const { samples, ...about } = fragment;
    this.#work = this.#work.then(async () => {
      const data = await (await this.#writer)?.fragment(samples);
      if (data) this.#send({ type: 'fragment', data, ...about });
    });
    this.#work.catch(() => this.parts.onFailure());
  }

  /**
   * Sends a part. Writes header and data separately. A joined copy would stay in memory until the next
   * garbage collection.
   */
  #send(part: RecordingPart): void {
    const { channel, number } = this.parts;
    channel.write(encodeHeader(number, part));
    channel.write(part.data);
  }
}
