import type { ReplayEvent } from './replay-events.js';

/** Seconds for which a caption is shown, unless the next event is earlier. */
const SHOWN_SECONDS = 3;
/** Maximum number of captions. */
const MAX_CUES = 5_000;

/**
 * Captions of events in a text track of the video. So the browser shows them also in full screen and in
 * picture in picture.
 */
export class EventCaptions {
  #track: TextTrack | undefined;
  #cues: VTTCue[] = [];

  /** Shows or hides the captions. */
  show(video: HTMLVideoElement, on: boolean): void {
    if (on) this.#track ??= video.addTextTrack('captions');
    if (this.#track) this.#track.mode = on ? 'showing' : 'hidden';
  }

  /** Replaces the captions. */
  fill(events: readonly ReplayEvent[], textOf: (event: ReplayEvent) => string): void {
    const track = this.#track;
    if (!track) return;
    for (const cue of this.#cues) track.removeCue(cue);
    this.#cues = events.slice(0, MAX_CUES).map((event, index) => {
      const next = events[index + 1]?.time ?? Infinity;
      const end = Math.max(event.time + 0.2, Math.min(next - 0.001, event.time + SHOWN_SECONDS));
      return new VTTCue(event.time, end, escaped(textOf(event)));
    });
    for (const cue of this.#cues) track.addCue(cue);
  }
}

/** Escapes the characters that have a meaning in the markup of a cue. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
