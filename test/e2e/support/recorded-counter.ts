import { decodePictures, type DecodedPicture } from '../../support/decoded-pictures.js';

/** Number that a white page shows: all fields are white. */
const WHITE = 0xaaaa;
/** Steps of the page `counter` in a second. */
export const STEPS_PER_SECOND = 24;

/** Reads the number of the page `counter`. Undefined if the picture does not show it clearly. */
function counterIn(picture: DecodedPicture): number | undefined {
  let count = 0;
  for (let bit = 0; bit < 16; bit++) {
    const level = picture.luma(bit * 32 + 16, 32);
    if (level > 80 && level < 175) return undefined;
    if (level >= 175) count |= 1 << bit;
  }
  // The page shows it in Gray code.
  for (let shift = 1; shift < 16; shift *= 2) count ^= count >> shift;
  return count;
}

/** Returns the numbers of the page `counter` in a video, with their times in seconds. */
export async function countsIn(path: string): Promise<{ time: number; count: number }[]> {
  const counts: { time: number; count: number }[] = [];
  await decodePictures(path, (picture) => {
    const count = counterIn(picture);
    if (count !== undefined) counts.push({ time: picture.time, count });
  });
  // The page is white before its first picture.
  return counts.filter(({ count }) => count !== WHITE);
}
