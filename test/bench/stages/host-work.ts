import { BAND_ROWS, type Block, type Rect } from '../../../server/src/host/capture/frame-source.js';
import { H264Encoder } from '../../../server/src/host/encode/h264-encoder.js';
import { QUALITIES } from '../../../server/src/host/encode/quality.js';
import { ScreenImage } from '../../../server/src/host/encode/screen-image.js';
import { HEIGHT, WIDTH } from '../chromium.js';
import { median, pause } from '../statistics.js';
import type { HostWork, WorkedChange } from './stage-table.js';

/** Changes that are measured. Between two of them the picture rests for 100 ms. */
const CHANGES = 25;
/** Areas that the host reads for the changes of the page, aligned to the host's grid of areas. */
const AREAS: Record<WorkedChange, Rect> = {
  solid: { x: 0, y: 0, width: WIDTH, height: HEIGHT },
  panel: { x: 704, y: 360, width: 512, height: 300 },
};
/** A pattern with about the density of text. */
const isInk = (x: number, y: number): boolean => y % 22 < 11 && ((x >> 1) * 7919 + (y >> 1) * 1047) % 3 === 0;
const COLOURS: Record<WorkedChange, (isOn: boolean, x: number, y: number) => number> = {
  solid: (isOn) => (isOn ? 0x000000 : 0xffffff),
  panel: (isOn, x, y) => (isOn && x >= 760 && x < 1180 ? 0x1860b0 : 0xffffff) ^ (isInk(x, y) ? 0xdddddd : 0),
};

/** Measures the host's own work for a change, in this process and with pixels that are in memory already. */
export async function measureHostWork(change: WorkedChange): Promise<HostWork> {
  const picture = new ScreenImage(WIDTH, HEIGHT, 'shared');
  const encoder = new H264Encoder(picture, 60, QUALITIES.smooth.video, 'shared');
  const area = AREAS[change];
  const pictures = [true, false].map((isOn) => blocksOf(area, (x, y) => COLOURS[change](isOn, x, y)));
  const times: HostWork[] = [];
  try {
    for (const block of blocksOf(AREAS.solid, (x, y) => COLOURS[change](false, x, y))) picture.take(block);
    encoder.encode(picture, { keyFrame: true, sharpness: 1, strain: 0, area: AREAS.solid });
    for (let nth = 0; nth < CHANGES; nth++) {
      await pause(100);
      const start = performance.now();
      for (const block of pictures[nth % 2] ?? []) picture.take(block);
      const converted = performance.now();
      // Like the host, uses a key frame for a picture that replaces the whole screen.
      encoder.encode(picture, { keyFrame: change === 'solid', sharpness: 0, strain: 0, area });
      times.push({ converting: converted - start, encoding: performance.now() - converted });
      await encoder.encodeAside(picture, { keyFrame: false, sharpness: 1, strain: 0, area });
    }
  } finally {
    encoder.close();
    picture.close();
  }
  const [converting, encoding] = [times.map((time) => time.converting), times.map((time) => time.encoding)];
  return { converting: median(converting), encoding: median(encoding) };
}

/** Returns the pixels of an area in the blocks in which the host reads them. */
function blocksOf({ x, y, width, height }: Rect, colour: (x: number, y: number) => number): Block[] {
  return Array.from({ length: Math.ceil(height / BAND_ROWS) }, (_, nth) => {
    const top = y + nth * BAND_ROWS;
    const rows = Math.min(BAND_ROWS, y + height - top);
    const pixel = (_: unknown, at: number) => colour(x + (at % width), top + Math.floor(at / width));
    const { buffer } = Uint32Array.from({ length: width * rows }, pixel);
    return { x, y: top, width, height: rows, data: Buffer.from(buffer) };
  });
}
