import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { FormatContext, Packet } from 'node-av/lib';

/** One picture or packet of sound in a video file. Times are in seconds. */
export interface ReadPacket {
  codec: 'video' | 'audio';
  time: number;
  duration: number;
  keyFrame: boolean;
  /** SHA-256 of its bytes, base64url. */
  hash: string;
}

/** Reads the packets of a video file with libavformat, in the order of the file. */
export async function packetsOf(file: Buffer): Promise<ReadPacket[]> {
  return await withFile(file, async (path) => {
    const context = new FormatContext();
    const packet = new Packet();
    packet.alloc();
    const packets: ReadPacket[] = [];
    try {
      check(await context.openInput(path));
      check(await context.findStreamInfo());
      const streams = context.streams;
      while ((await context.readFrame(packet)) >= 0) {
        const stream = streams[packet.streamIndex];
        const { num = 0, den = 1 } = stream?.timeBase ?? {};
        const seconds = (ticks: bigint) => (Number(ticks) * num) / den;
        packets.push({
          codec: stream?.codecpar.codecType === AVMEDIA_TYPE_VIDEO ? 'video' : 'audio',
          time: seconds(packet.pts),
          duration: seconds(packet.duration),
          keyFrame: packet.isKeyframe,
          hash: createHash('sha256')
            .update(packet.data ?? '')
            .digest('base64url'),
        });
        packet.unref();
      }
    } finally {
      packet.free();
      await context.closeInput();
    }
    return packets;
  });
}

function check(status: number): void {
  if (status < 0) throw new Error(`The video cannot be read (${status}).`);
}

/** Returns the warnings of `ffprobe` for a file. Undefined if `ffprobe` is not installed. */
export async function probeWarnings(file: Buffer): Promise<string | undefined> {
  return await withFile(file, async (path) => {
    try {
      const args = ['-v', 'warning', '-count_frames', '-show_entries', 'stream=nb_read_frames', path];
      return (await promisify(execFile)('ffprobe', args, { timeout: 60_000 })).stderr;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  });
}

async function withFile<T>(file: Buffer, use: (path: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-video-'));
  try {
    const path = join(directory, 'video.mp4');
    await writeFile(path, file);
    return await use(path);
  } finally {
    await rm(directory, { recursive: true });
  }
}
