import { html, nothing, type TemplateResult } from 'lit';
import { shownText } from '../../element/lang/shown-text.js';
import { icon, type IconName } from './icons.js';
import type { Chapter } from '../replay-events.js';
import type { ReplayWords } from '../replay-words.js';
import { clockText, spokenTime } from './time-text.js';

const SPEED_STEPS = [0.5, 1, 1.5, 2, 4, 8] as const;

/** State and actions of the buttons. */
export interface ReplayControls {
  readonly paused: boolean;
  readonly ended: boolean;
  readonly time: number;
  readonly duration: number;
  readonly speed: number;
  readonly muted: boolean;
  readonly skipIdle: boolean;
  readonly captions: boolean;
  /** True if the list of events is open. */
  readonly listed: boolean;
  readonly hasEvents: boolean;
  readonly fullscreen: boolean;
  /** True if the browser supports picture in picture. `canFill`: true if it supports full screen. */
  readonly canShrink: boolean;
  readonly canFill: boolean;
  readonly chapter: Chapter | undefined;
  readonly words: ReplayWords;
  readonly act: ControlActions;
}

/** Actions of the buttons. */
export interface ControlActions {
  toggle(): void;
  move(seconds: number): void;
  setSpeed(speed: number): void;
  toggleSound(): void;
  toggleSkipIdle(): void;
  toggleCaptions(): void;
  toggleList(): void;
  shrink(): void;
  toggleFullscreen(): void;
}

/**
 * Returns the next speed of {@link SPEED_STEPS}: faster if `steps` is above 0, otherwise slower. Returns the
 * same speed if there is none.
 */
export function nextSpeed(speed: number, steps: number): number {
  const faster = SPEED_STEPS.filter((each) => each > speed);
  const slower = SPEED_STEPS.filter((each) => each < speed);
  return (steps > 0 ? faster[0] : slower.at(-1)) ?? speed;
}

/** Renders the buttons below the timeline. */
export function controlsView(controls: ReplayControls): TemplateResult {
  const { paused, ended, time, duration, words, act, chapter, hasEvents } = controls;
  const position = {
    time: spokenTime(time, words.lang),
    duration: spokenTime(duration, words.lang),
  };
  const [playing, name] = paused ? (['play', 'replay.play'] as const) : (['pause', 'replay.pause'] as const);
  return html`<div class="controls" part="controls">
    ${button(ended ? 'again' : playing, words.say(name), () => act.toggle(), { main: true })}
    ${button('back', words.say('replay.back'), () => act.move(-10))}
    ${button('forward', words.say('replay.forward'), () => act.move(10))}
    <span class="time"
      ><span aria-hidden="true">${clockText(time)} / ${clockText(duration)}</span
      ><span class="unseen">${words.say('replay.position', position)}</span></span
    >
    <span class="chapter" dir="auto">${chapter ? shownText(chapter.title) : nothing}</span>
    <span class="more">
      ${speedView(controls)}
      ${
        hasEvents
          ? html`${button('skip', words.say('replay.skipIdle'), () => act.toggleSkipIdle(), { pressed: controls.skipIdle })}
            ${button('captions', words.say('replay.captions'), () => act.toggleCaptions(), { pressed: controls.captions })}`
          : nothing
      }
      ${button('events', words.say('replay.events'), () => act.toggleList(), { pressed: controls.listed })}
      ${soundButton(controls)}
      ${controls.canShrink ? button('small', words.say('replay.small'), () => act.shrink()) : nothing}
      ${controls.canFill ? fullscreenButton(controls) : nothing}
    </span>
  </div>`;
}

function soundButton({ muted, words, act }: ReplayControls): TemplateResult {
  const name = words.say(muted ? 'replay.unmute' : 'replay.mute');
  return button(muted ? 'silent' : 'sound', name, () => act.toggleSound());
}

function fullscreenButton({ fullscreen, words, act }: ReplayControls): TemplateResult {
  const name = words.say(fullscreen ? 'replay.leaveFullscreen' : 'replay.fullscreen');
  return button(fullscreen ? 'window' : 'full', name, () => act.toggleFullscreen());
}

function speedView({ speed, words, act }: ReplayControls): TemplateResult {
  const steps = SPEED_STEPS.some((each) => each === speed) ? SPEED_STEPS : [...SPEED_STEPS, speed].sort();
  const format = new Intl.NumberFormat(words.lang);
  return html`<select
    class="speed"
    aria-label=${words.say('replay.speed')}
    title=${words.say('replay.speed')}
    @change=${(event: Event) => act.setSpeed(Number((event.target as HTMLSelectElement).value))}
  >
    ${steps.map(
      (each) => html`<option value=${each} ?selected=${each === speed}>${format.format(each)}×</option>`,
    )}
  </select>`;
}

function button(
  name: IconName,
  label: string,
  press: () => void,
  { pressed, main = false }: { pressed?: boolean; main?: boolean } = {},
): TemplateResult {
  return html`<button
    type="button"
    class=${main ? 'main' : ''}
    title=${label}
    aria-label=${label}
    aria-pressed=${pressed ?? nothing}
    @click=${press}
  >
    ${icon(name)}
  </button>`;
}
