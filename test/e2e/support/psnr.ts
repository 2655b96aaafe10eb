import type { PNG } from 'pngjs';

/**
 * Peak signal-to-noise ratio of two pictures of one size over red, green and blue, in dB; Infinity when they
 * are equal.
 */
export function psnr(one: PNG, other: PNG): number {
  if (one.width !== other.width || one.height !== other.height) {
    throw new RangeError(
      `${one.width}x${one.height} cannot be compared with ${other.width}x${other.height}.`,
    );
  }
  let sum = 0;
  for (let offset = 0; offset < one.data.length; offset += 4) {
    for (let channel = 0; channel < 3; channel++) {
      const difference = (one.data[offset + channel] ?? 0) - (other.data[offset + channel] ?? 0);
      sum += difference * difference;
    }
  }
  const meanSquare = sum / (one.width * one.height * 3);
  return 10 * Math.log10((255 * 255) / meanSquare);
}
