/**
 * Melody of the film: the start of each note, and its sound. Each note belongs to a lantern, which glows with
 * it.
 */

export const SAMPLE_RATE = 48_000;
export const LANTERNS = 8;
/** Seconds between two notes. */
const BEAT = 0.25;
/** Semitones above A3, a pentatonic scale: one for each lantern. */
const SCALE = [0, 3, 5, 7, 10, 12, 15, 17];
/** Lantern of each note, in order. The melody is as long as the film. */
const MELODY = [
  0, 3, 5, 7, 6, 5, 3, 4, 1, 3, 5, 6, 4, 3, 1, 2, 0, 3, 5, 7, 6, 5, 3, 4, 2, 4, 3, 1, 0, 2, 1, 0,
];

export const SECONDS = MELODY.length * BEAT;

const NOTES = MELODY.map((lantern, index) => ({ lantern, at: index * BEAT }));

/**
 * Returns the seconds since a note began. The melody repeats, so its last notes are still heard during its
 * first ones.
 */
const since = (note, time) => (time - note.at + SECONDS) % SECONDS;

/** Returns the brightness of each lantern at a time in seconds, 0 to 1. */
export function glowAt(time) {
  const glow = new Array(LANTERNS).fill(0);
  for (const note of NOTES)
    glow[note.lantern] = Math.max(glow[note.lantern], Math.exp(-4 * since(note, time)));
  return glow;
}

/** Returns the whole melody: both channels in turn, 32-bit floats. */
export function melody() {
  const count = SECONDS * SAMPLE_RATE;
  const samples = new Float32Array(count * 2);
  for (const note of NOTES) {
    const tone = 2 * Math.PI * 220 * 2 ** ((SCALE[note.lantern] ?? 0) / 12);
    const right = 0.25 + 0.5 * (note.lantern / (LANTERNS - 1));
    const start = Math.round(note.at * SAMPLE_RATE);
    for (let index = 0; index < 2 * SAMPLE_RATE; index++) {
      const age = index / SAMPLE_RATE;
      const swell = Math.min(1, age / 0.008) * Math.exp(-3.2 * age);
      const value =
        0.16 * swell * (Math.sin(tone * age) + 0.35 * Math.sin(2 * tone * age) * Math.exp(-4 * age));
      const place = ((start + index) % count) * 2;
      samples[place] += value * (1 - right);
      samples[place + 1] += value * right;
    }
  }
  return samples;
}
