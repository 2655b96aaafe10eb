/** Packets to pixels. Speaks protocol types alone and knows no connection. */
export { cropped } from './cropped.js';
export { NO_FIGURES, type MediaFigures } from './media-meter.js';
export { MediaPlayer, type PaintedFrame, type PlayerListener, type PlayerOptions } from './media-player.js';
export { canPlaySound, SoundPlayer } from './sound-player.js';
export { probeMedia, simplerKinds, type ImageOnlyCause, type MediaSupport } from './support.js';
