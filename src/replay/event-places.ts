import { chaptersOf, idleSpans, type Chapter, type ReplayEvent, type Span } from './replay-events.js';
import { marksOf } from './views/timeline-view.js';

/** Places of a recording's events on the time line: its chapters, its marks and the times without events. */
export class EventPlaces {
  chapters: readonly Chapter[] = [];
  marks: ReturnType<typeof marksOf> = [];
  idle: readonly Span[] = [];
  #events: readonly ReplayEvent[] | undefined;
  #duration = 0;

  /** Computes the places. The duration is known only when the video is loaded, and may grow. */
  update(events: readonly ReplayEvent[], duration: number): void {
    if (events === this.#events && duration === this.#duration) return;
    this.#events = events;
    this.#duration = duration;
    this.chapters = chaptersOf(events, duration);
    this.marks = marksOf(events, duration);
    this.idle = idleSpans(events, duration);
  }
}
