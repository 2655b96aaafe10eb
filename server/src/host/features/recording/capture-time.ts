/** The capture time of frames and sound is the clock in microseconds modulo this number. */
const WRAP = 0x1_0000_0000;

/**
 * Returns the time of a capture on the clock, in milliseconds. The capture must be less than half an hour
 * old.
 *
 * @param now current time of the clock in milliseconds
 */
export function timeOfCapture(captureTime: number, now: number): number {
  const micros = Math.floor(now * 1000) % WRAP;
  const age = (micros - captureTime + WRAP) % WRAP;
  // A capture cannot be in the future. Rounding may make it appear to be in the future.
  return age > WRAP / 2 ? now : now - age / 1000;
}
