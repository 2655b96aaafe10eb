import { html, nothing, type TemplateResult } from 'lit';
import type { ConnectionQuality } from '../../core/index.js';
import type { ImageNotice } from '../../viewer/index.js';
import type { ComingEnd } from '../status/close-countdown.js';
import type { Handoff } from '../../protocol/index.js';
import { handoffView, type AnswerHandoff, type HandoffFold } from '../agents/handoff-view.js';
import { timeOfDay } from '../lang/numbers.js';
import type { Words } from '../lang/texts.js';

/** State and actions of the messages at the lower edge of a playing picture. */
export interface PlayingViews {
  /** Message about a copy or a paste. */
  copy: TemplateResult | typeof nothing;
  /** An upcoming automatic end of the session. */
  end: ComingEnd | undefined;
  /** End of this user's privacy mode. Undefined if there was no warning. */
  privacyEnd: Date | undefined;
  /** True if the session is being recorded. */
  isRecorded: boolean;
  /** True if the local browser blocks sound until a user gesture. */
  audioBlocked: boolean;
  quality: ConnectionQuality | undefined;
  /** True if the element shows the hint how to leave it by keyboard. */
  wayOut: boolean;
  images: ImageNotice | undefined;
  /** Open requests in which an agent asks for the help of a person, oldest first. */
  handoffs: readonly Handoff[];
  answerHandoff: AnswerHandoff;
  foldHandoff: HandoffFold;
  words: Words;
  stay: (press: MouseEvent) => void;
  renewPrivacy: (press: MouseEvent) => void;
  unblockAudio: (press: MouseEvent) => void;
}

/**
 * Renders the messages. Each message has its own slot, except the message about images instead of video. The
 * hint and the message about the connection come and go most often. They are at the top, so that they do not
 * move a button while the user presses it.
 */
export function playingView(playing: PlayingViews): TemplateResult {
  const { copy, end, privacyEnd, audioBlocked, quality, wayOut, images, words, stay, unblockAudio } = playing;
  return html`<div class="playing">
    ${
      wayOut
        ? html`<slot name="way-out"
            ><div class="pill hint" part="way-out" dir="auto">${words.say('leaveKeyboard')}</div></slot
          >`
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
    ${handoffView(playing.handoffs, words, playing.answerHandoff, playing.foldHandoff)}
    <div class="copy" role="status">${copy}</div>
    ${end ? html`<slot name="warning">${warningView(end, words, stay)}</slot>` : nothing}
    ${privacyEnd ? html`<slot name="privacy">${privacyView(privacyEnd, words, playing.renewPrivacy)}</slot>` : nothing}
    ${
      playing.isRecorded
        ? html`<slot name="recording">
            <div class="pill recording" part="recording" role="status" dir="auto">
              <span class="dot" aria-hidden="true"></span
              ><span class="sentence">${words.say('recorded')}</span
              ><span class="short" aria-hidden="true">${words.say('recordedShort')}</span>
            </div>
          </slot>`
        : nothing
    }
    ${
      audioBlocked
        ? html`<slot name="sound">
            <button class="pill action" part="unmute" type="button" dir="auto" @click=${unblockAudio}>
              ${MUTED_ICON}${words.say('soundBlocked')}
            </button>
          </slot>`
        : nothing
    }
    ${images ? html`<p class="pill images" part="notice" role="note" dir="auto">${words.told(`images.${images.cause}`, images.message)}</p>` : nothing}
  </div>`;
}

/** Renders the countdown. A screen reader reads the message once, without the remaining time. */
function warningView({ kind, seconds }: ComingEnd, words: Words, stay: PlayingViews['stay']): TemplateResult {
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

/** Renders the warning that privacy mode ends soon, with a button that renews it. */
function privacyView(end: Date, words: Words, renew: PlayingViews['renewPrivacy']): TemplateResult {
  const sentence = words.say('privacy.ending').replace('{time}', timeOfDay(end, words.lang));
  return html`<div class="pill warning" part="privacy" role="alertdialog" aria-label=${sentence} dir="auto">
    <span>${sentence}</span>
    <button part="renew" type="button" @click=${renew}>${words.say('privacy.renew')}</button>
  </div>`;
}

/** Formats seconds as minutes and seconds: 0:42. */
function clockTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const MUTED_ICON = html`<svg viewBox="0 0 16 16" aria-hidden="true">
  <path d="M2 6h2.5L8 3v10L4.5 10H2ZM10.5 6l4 4m0-4-4 4" />
</svg>`;
