import type { MediaPacket, StreamInfo } from '../../../src/protocol/index.js';

/** Pixels of the test pictures: odd, so that the encoded picture is padded. */
export const WIDTH = 161;
export const HEIGHT = 121;
const CODED_WIDTH = 162;
const CODED_HEIGHT = 122;
const CODEC = 'avc1.42C01F';

export type Colour = readonly [red: number, green: number, blue: number];
export const RED: Colour = [220, 30, 30];
export const GREEN: Colour = [20, 180, 40];
export const BLUE: Colour = [30, 40, 220];

export function streamInfo(fields: Partial<StreamInfo> = {}): StreamInfo {
  const size = { width: WIDTH, height: HEIGHT, codedWidth: CODED_WIDTH, codedHeight: CODED_HEIGHT };
  return { type: 'stream', stream: 1, media: 'h264', codec: CODEC, ...size, ...fields };
}

/** A picture of one colour; its padding is white, so that a missing crop shows. */
function drawn(colour: Colour): OffscreenCanvas {
  const canvas = new OffscreenCanvas(CODED_WIDTH, CODED_HEIGHT);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('No 2D context.');
  context.fillStyle = 'white';
  context.fillRect(0, 0, CODED_WIDTH, CODED_HEIGHT);
  context.fillStyle = `rgb(${colour.join(' ')})`;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  return canvas;
}

/** An H.264 stream of one picture per colour: a key frame, then deltas, as a host sends it. */
export async function h264Packets(colours: readonly Colour[], stream = 1): Promise<MediaPacket[]> {
  const packets: MediaPacket[] = [];
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const payload = new Uint8Array(chunk.byteLength);
      chunk.copyTo(payload);
      packets.push(packet({ stream, frame: packets.length, keyFrame: chunk.type === 'key', payload }));
    },
    error: (error) => {
      throw error;
    },
  });
  encoder.configure({
    codec: CODEC,
    width: CODED_WIDTH,
    height: CODED_HEIGHT,
    latencyMode: 'realtime',
    avc: { format: 'annexb' },
  });
  colours.forEach((colour, index) => {
    const frame = new VideoFrame(drawn(colour), { timestamp: index * 16_667 });
    encoder.encode(frame, { keyFrame: index === 0 });
    frame.close();
  });
  await encoder.flush();
  encoder.close();
  return packets;
}

export async function jpegPacket(colour: Colour, frame: number, stream = 1): Promise<MediaPacket> {
  const blob = await drawn(colour).convertToBlob({ type: 'image/jpeg', quality: 0.95 });
  const payload = new Uint8Array(await blob.arrayBuffer());
  return packet({ kind: 'image', keyFrame: true, stream, frame, payload });
}

export function packet(fields: Partial<MediaPacket>): MediaPacket {
  const flags = { keyFrame: false, refinement: false };
  const numbers = { stream: 1, frame: 0, captureTime: 0, inputSeq: 0 };
  const area = { x: 0, y: 0, width: WIDTH, height: HEIGHT };
  return { kind: 'video', ...flags, ...numbers, area, payload: new Uint8Array(), ...fields };
}

/** The pixel of a canvas. */
export function pixel(canvas: HTMLCanvasElement, x: number, y: number): Colour {
  const copy = new OffscreenCanvas(1, 1).getContext('2d');
  if (!copy) throw new Error('No 2D context.');
  copy.drawImage(canvas, x, y, 1, 1, 0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = copy.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

export function isNear(colour: Colour, expected: Colour): boolean {
  return colour.every((value, index) => Math.abs(value - (expected[index] ?? 0)) < 24);
}

/** Resolves once the pixel has the colour. */
export async function untilPixel(
  canvas: HTMLCanvasElement,
  x: number,
  y: number,
  expected: Colour,
): Promise<void> {
  while (!isNear(pixel(canvas, x, y), expected)) await new Promise(requestAnimationFrame);
}
