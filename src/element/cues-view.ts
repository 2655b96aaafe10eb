import { html, nothing, type TemplateResult } from 'lit';
import type { ConnectionQuality } from '../core/index.js';
import type { ImageNotice } from '../viewer/index.js';
import type { ComingEnd } from './close-countdown.js';
import type { Words } from './lang/texts.js';

/** What lies at the lower edge of a picture that plays. */
export interface Cues {
  /** About a copy or a paste. */
  copy: TemplateResult | typeof nothing;
  /** An end that comes by itself. */
  end: ComingEnd | undefined;
  /** The browser plays no sound before a gesture. */
  audioBlocked: boolean;
  quality: ConnectionQuality | undefined;
  /** How to get the keyboard back is to be told. */
  wayOut: boolean;
  images: ImageNotice | undefined;
  words: Words;
  stay: (press: MouseEvent) => void;
  unblockAudio: (press: MouseEvent) => void;
}

/** Each in a slot of its own, the most urgent on top. */
export function cuesView(cues: Cues): TemplateResult {
  const { copy, end, audioBlocked, quality, wayOut, images, words, stay, unblockAudio } = cues;
  return html`<div class="cues">
    <div class="copy" role="status">${copy}</div>
    ${end ? html`<slot name="warning">${warningView(end, words, stay)}</slot>` : nothing}
    ${
      audioBlocked
        ? html`<slot name="sound">
            <button class="pill action" part="unmute" type="button" dir="auto" @click=${unblockAudio}>
              ${MUTED_ICON}${words.say('soundBlocked')}
            </button>
          </slot>`
        : nothing
    }
    ${
      quality === 'poor' || quality === 'lost'
        ? html`<slot name="poor">
            <div class="pill" part="quality" role="status" dir="auto">
              ${words.say(quality === 'poor' ? 'poor' : 'silent')}
            </div>
          </slot>`
        : nothing
    }
    ${
      wayOut
        ? html`<slot name="way-out"
            ><div class="pill hint" part="way-out" dir="auto">${words.say('leaveKeyboard')}</div></slot
          >`
        : nothing
    }
    ${images ? html`<p class="pill images" part="notice" role="note" dir="auto">${words.told(`images.${images.cause}`, images.message)}</p>` : nothing}
  </div>`;
}

/** Read out once: the seconds that follow are for the eyes. */
function warningView({ kind, seconds }: ComingEnd, words: Words, stay: Cues['stay']): TemplateResult {
  const sentence = words.say(`warning.${kind}`);
  const [before = '', after = ''] = sentence.split('{time}');
  return html`<div
    class="pill warning"
    dir="auto"
    part="warning"
    role="alertdialog"
    aria-label=${sentence.replace('{time}', '…')}
  >
    <span>${before}<time role="timer">${words.digits(clockTime(seconds))}</time>${after}</span>
    ${
      kind === 'inactive'
        ? html`<button part="stay" type="button" @click=${stay}>${words.say('stay')}</button>`
        : nothing
    }
  </div>`;
}

/** Seconds as minutes and seconds: 0:42. */
function clockTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const MUTED_ICON = html`<svg viewBox="0 0 16 16" aria-hidden="true">
  <path d="M2 6h2.5L8 3v10L4.5 10H2ZM10.5 6l4 4m0-4-4 4" />
</svg>`;
