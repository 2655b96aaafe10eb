/** Converts packets to pixels. Uses only protocol types and does not depend on the connection. */
export { NO_FIGURES, type MediaFigures } from './media-meter.js';
export { MediaPlayer, type PaintedFrame } from './media-player.js';
export type { DecoderPreference } from './picture-decoder.js';
export { canPlaySound, NO_SOUND, SoundOutput, type SoundFigures } from './sound/sound-output.js';
export type { SoundPlayer } from './sound/sound-player.js';
export { probeMedia, simplerKinds, type ImageOnlyCause, type MediaSupport } from './support.js';
