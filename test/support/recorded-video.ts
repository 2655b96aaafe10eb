import {
  FragmentBuilder,
  type BuiltFragment,
} from '../../server/src/host/features/recording/fragment-builder.js';
import { Mp4Writer } from '../../server/src/host/features/recording/mp4-writer.js';
import type { RecordingPart } from '../../server/src/recording-protocol.js';
import { TestStream } from './test-stream.js';

/** Milliseconds between two pictures. Every fifth one is late, as without viewers. */
const PICTURE_MS = 200;
const LATE_MS = 1_300;
/** Milliseconds of a packet of sound. */
const SOUND_MS = 20;

/** Options of {@link recordedVideo}. */
export interface RecordedVideoOptions {
  audio?: boolean;
  /** Number of pictures. */
  pictures?: number;
  /** Pictures from one key frame to the next. */
  keyFrames?: number;
  /** Bytes that each picture has in addition. */
  fillerBytes?: number;
}

/** Returns a NAL unit that a decoder ignores, ITU-T H.264, 7.3.2.7. */
function filler(bytes: number): Buffer {
  if (bytes === 0) return Buffer.alloc(0);
  return Buffer.concat([Buffer.from([0, 0, 0, 1, 0x0c]), Buffer.alloc(bytes, 0xff), Buffer.from([0x80])]);
}

/**
 * Makes the parts of a video as a recorder sends them: short fragments, of which few start with a key frame.
 */
export async function recordedVideo(options: RecordedVideoOptions = {}): Promise<RecordingPart[]> {
  const { audio = true, pictures = 40, keyFrames = 12, fillerBytes = 0 } = options;
  const stream = new TestStream(64, 64);
  const first = stream.frame(true);
  const { writer, init } = await Mp4Writer.open({ width: 64, height: 64, keyFrame: first, audio });
  const builder = new FragmentBuilder(audio);
  const built: BuiltFragment[] = [];
  const add = (fragment: BuiltFragment | undefined) => fragment && built.push(fragment);
  let time = 0;
  let heard = 0;
  for (let nth = 0; nth < pictures; nth++) {
    const keyFrame = nth % keyFrames === 0;
    const picture = nth === 0 ? first : stream.frame(keyFrame);
    add(builder.picture({ data: Buffer.concat([picture, filler(fillerBytes)]), keyFrame, time }));
    const next = time + (nth % 5 === 4 ? LATE_MS : PICTURE_MS);
    for (; heard < next; heard += SOUND_MS) builder.sound(Uint8Array.of(0xfc, heard & 255, nth), heard);
    for (let now = time; now < next; now += 500) add(builder.tick(now));
    time = next;
  }
  add(builder.end(time));
  const parts: RecordingPart[] = [{ type: 'init', data: init }];
  for (const { samples, ...about } of built)
    parts.push({ type: 'fragment', data: await writer.fragment(samples), ...about });
  await writer.close();
  stream.close();
  return parts;
}
