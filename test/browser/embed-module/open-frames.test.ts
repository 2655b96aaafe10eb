import { OpenFrames } from '../../../src/embed-module/open-frames.js';
import { equal } from '../support/assert.js';

const picture = (width: number, height: number) => createImageBitmap(new ImageData(width, height));

describe('frames that a page received', () => {
  /** Adds this many frames of one size to the shelf. A closed frame has no width. */
  async function shelve(shelf: OpenFrames, count: number, width: number, height: number) {
    const frames = [];
    for (let at = 0; at < count; at++) {
      const frame = await picture(width, height);
      frames.push(frame);
      shelf.add(frame);
    }
    return frames;
  }
  const open = (frames: ImageBitmap[]) => frames.flatMap(({ width }, at) => (width > 0 ? [at] : []));

  // Proves: option frameCb
  it('are closed late, except the first', async () => {
    const frames = await shelve(new OpenFrames(), 60, 1280, 720);
    const late = Array.from({ length: 18 }, (_, at) => 42 + at);
    equal(open(frames), [0, ...late]);
  });

  // Proves: option frameCb
  it('stay open for a while even if they are large', async () => {
    const frames = await shelve(new OpenFrames(), 8, 3840, 2160);
    equal(open(frames), [0, 4, 5, 6, 7]);
  });

  it('are limited in number even if their size changes often', async () => {
    const shelf = new OpenFrames();
    const frames = [];
    for (let at = 0; at < 12; at++) frames.push(...(await shelve(shelf, 1, 3840 - at, 2160)));
    equal(open(frames), [0, 5, 6, 7, 8, 9, 10, 11]);
  });
});
