import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Mp4Writer, VIDEO_TICKS, type Sample } from '../../server/src/host/features/recording/mp4-writer.js';
import { RecordingDirectory } from '../../server/src/recordings/recording-directory.js';
import { TestStream } from './test-stream.js';

/** Milliseconds between two pictures. */
const STEP_MS = 1_500;
/** Pictures in a fragment, and fragments from one key frame to the next. */
const [PICTURES, GROUP] = [2, 5];
const ID = 'synthetic';
const KEY = Buffer.alloc(32, 7);

/** A recording of a pattern that moves seldom, and its parts. */
export interface SyntheticRecording {
  /** Directory of all recordings. The caller removes it. */
  root: string;
  id: string;
  files: RecordingDirectory;
  path: string;
  /** Writes the end of the files, as at the end of a session. */
  end: () => Promise<void>;
}

/** Records some hours of pictures, of which only ten were encoded. */
export async function recordSynthetic(
  seconds: number,
  { width = 64, height = 64, encrypts = false } = {},
): Promise<SyntheticRecording> {
  const root = await mkdtemp(join(tmpdir(), 'cloud-browser-long-'));
  const files = await RecordingDirectory.open(root, { key: KEY, encrypts });
  const stream = new TestStream(width, height);
  const pictures = Array.from({ length: PICTURES * GROUP }, (_, index) => stream.frame(index === 0));
  stream.close();
  const [keyFrame = Buffer.alloc(0)] = pictures;
  const { writer, init } = await Mp4Writer.open({ width, height, keyFrame, audio: false });
  const output = await files.create(ID);
  await output.write({ type: 'init', data: init });
  const ticks = (STEP_MS * VIDEO_TICKS) / 1000;
  const duration = (PICTURES * STEP_MS) / 1000;
  for (let fragment = 0; fragment * duration < seconds; fragment++) {
    const first = (fragment % GROUP) * PICTURES;
    const samples = pictures.slice(first, first + PICTURES).map((data, index): Sample => {
      const time = (fragment * PICTURES + index) * ticks;
      return { track: 'video', data, time, duration: ticks, keyFrame: first + index === 0 };
    });
    const data = await writer.fragment(samples);
    await output.write({
      type: 'fragment',
      data,
      time: fragment * duration,
      duration,
      keyFrame: first === 0,
    });
  }
  await writer.close();
  return { root, id: ID, files, path: join(root, ID, 'video.mp4'), end: () => output.close() };
}
