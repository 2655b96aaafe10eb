import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { shownText } from '../../element/lang/shown-text.js';
import { placed } from './placed.js';
import { weightOf, type Chapter, type EventWeight, type ReplayEvent, type Span } from '../replay-events.js';
import type { ReplayWords } from '../replay-words.js';
import { clockText, spokenTime } from './time-text.js';

/**
 * Number of steps into which the timeline is divided for marks. Each mark shows the most important event of
 * its step.
 */
const PLACES = 300;
const IMPORTANCE: readonly EventWeight[] = ['input', 'page', 'marker', 'problem'];

/** A mark on the timeline, for one or more events. */
interface Mark {
  /** Place from 0 to 1. */
  readonly place: number;
  readonly weight: EventWeight;
}

/** Content of the timeline. */
export interface Timeline {
  readonly time: number;
  readonly duration: number;
  readonly chapters: readonly Chapter[];
  readonly idle: readonly Span[];
  readonly marks: readonly Mark[];
  /** Time at the position of the pointer. Undefined while the pointer is outside of the timeline. */
  readonly pointed: number | undefined;
  readonly words: ReplayWords;
  readonly seek: (time: number) => void;
  readonly point: (time: number | undefined) => void;
}

/** Returns the marks of events, at most one for each of the {@link PLACES} steps. */
export function marksOf(events: readonly ReplayEvent[], duration: number): Mark[] {
  const marks = new Map<number, EventWeight>();
  for (const { time, type } of events) {
    const place = Math.min(PLACES, Math.round((time / Math.max(duration, 0.001)) * PLACES));
    const [weight, before] = [weightOf(type), marks.get(place)];
    if (before === undefined || IMPORTANCE.indexOf(weight) > IMPORTANCE.indexOf(before))
      marks.set(place, weight);
  }
  return Array.from(marks, ([place, weight]) => ({ place: place / PLACES, weight }));
}

const percent = (part: number, whole: number) =>
  `${(Math.min(1, part / Math.max(whole, 0.001)) * 100).toFixed(3)}%`;

/** Renders a slider over the chapters, the idle time and the marks. */
export function timelineView(timeline: Timeline): TemplateResult {
  const { time, duration, chapters, idle, marks, words, seek, point } = timeline;
  const [lang] = [words.lang];
  const spoken = { time: spokenTime(time, lang), duration: spokenTime(duration, lang) };
  return html`<div
    class="timeline"
    part="timeline"
    @pointermove=${(event: PointerEvent) => point(timeAt(event, duration))}
    @pointerleave=${() => point(undefined)}
  >
    <div class="track" aria-hidden="true">
      ${idle.map(({ start, end }) => spanView('idle', start, end, duration))}
      <div class="played" ${placed({ width: percent(time, duration) })}></div>
      ${chapters.slice(1).map(({ start }) => html`<i class="cut" ${placed({ left: percent(start, duration) })}></i>`)}
    </div>
    <div class="marks" aria-hidden="true">
      ${marks.map(({ place, weight }) => html`<i class=${weight} ${placed({ left: percent(place, 1) })}></i>`)}
    </div>
    <div class="thumb" aria-hidden="true" ${placed({ left: percent(time, duration) })}></div>
    <input
      class="seek"
      type="range"
      min="0"
      step="any"
      max=${duration}
      .value=${live(String(time))}
      aria-label=${words.say('replay.timeline')}
      aria-valuetext=${words.say('replay.position', spoken)}
      @input=${(event: InputEvent) => seek((event.target as HTMLInputElement).valueAsNumber)}
    />
    ${tipView(timeline)}
  </div>`;
}

function spanView(name: string, start: number, end: number, duration: number): TemplateResult {
  const place = { left: percent(start, duration), width: percent(end - start, duration) };
  return html`<div class=${name} ${placed(place)}></div>`;
}

function tipView({ pointed, duration, chapters }: Timeline): TemplateResult | typeof nothing {
  if (pointed === undefined) return nothing;
  const chapter = chapters.find(({ start, end }) => pointed >= start && pointed < end);
  // Keeps the tip inside the timeline near its ends.
  const left = `clamp(70px, ${percent(pointed, duration)}, calc(100% - 70px))`;
  return html`<div class="tip" aria-hidden="true" ${placed({ left })}>
    <b>${clockText(pointed)}</b
    >${chapter ? html`<span dir="auto">${shownText(chapter.title)}</span>` : nothing}
  </div>`;
}

function timeAt(event: PointerEvent, duration: number): number {
  const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
  return Math.min(1, Math.max(0, (event.clientX - left) / Math.max(width, 1))) * duration;
}
