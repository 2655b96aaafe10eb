import { chaptersOf, idleSpans, type Chapter, type ReplayEvent, type Span } from './replay-events.js';
import { marksOf } from './views/timeline-view.js';

/**
 * Content of the timeline of a recording: its chapters, the marks of its events, and the times without
 * events.
 */
export class EventPlaces {
  chapters: readonly Chapter[] = [];
  marks: ReturnType<typeof marksOf> = [];
  idle: readonly Span[] = [];
  #events: readonly ReplayEvent[] | undefined;
  #duration = 0;

  /**
   * Computes the content again if the events or the duration changed. The duration may grow while the video
   * loads.
   */
  update(events: readonly ReplayEvent[], duration: number): void {
    if (events === this.#events && duration === this.#duration) return;
    this.#events = events;
    this.#duration = duration;
    this.chapters = chaptersOf(events, duration);
    this.marks = marksOf(events, duration);
    this.idle = idleSpans(events, duration);
  }
}
