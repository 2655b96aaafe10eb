import type { TemplateResult } from 'lit';
import type { CloudBrowserClient, ConnectionQuality } from '../../core/index.js';
import type { Handoff, HandoffAnswer } from '../../protocol/index.js';
import type { Viewer } from '../../viewer/index.js';
import { sentenceFor } from '../lang/error-sentence.js';
import type { Words } from '../lang/texts.js';
import type { CloseCountdown } from '../status/close-countdown.js';
import { copyView } from '../status/copy-view.js';
import type { TimedNotice } from '../status/timed-notice.js';
import { playingView } from './playing-view.js';

/** The part of the element that {@link PlayingFoot} shows and controls. */
export interface PlayingFootHost {
  readonly words: Words;
  readonly notices: TimedNotice;
  readonly countdown: CloseCountdown;
  readonly handoffs: readonly Handoff[];
  readonly viewOnly: boolean;
  readonly client: CloudBrowserClient | undefined;
  readonly viewer: Viewer | undefined;
  readonly quality: ConnectionQuality | undefined;
  ping(): Promise<number>;
  unblockAudio(): void;
  focus(): void;
  requestUpdate(): void;
}

/** State of the element that {@link PlayingFootHost} does not contain. */
export interface PlayingFootState {
  /** True if the session has sound that the local browser blocks, and the element is not muted. */
  audioBlocked: boolean;
  /** True if the element shows the hint how to leave it by keyboard. */
  wayOut: boolean;
}

/** Messages at the lower edge of a playing picture, and the actions of their buttons. */
export class PlayingFoot {
  /** Id of the handoff whose bar the user has folded. */
  #folded: string | undefined;

  constructor(private readonly host: PlayingFootHost) {}

  /** Renders the messages for the current state of the element. */
  view(state: PlayingFootState): TemplateResult {
    const { words, countdown, client, viewer, quality, handoffs } = this.host;
    // The page may also set `viewOnly` of the viewer.
    const { viewOnly } = viewer ?? this.host;
    return playingView({
      ...{ ...state, quality, words },
      copy: copyView(viewer?.clipboard.state, words, this.#copyActions),
      end: countdown.current,
      privacyEnd: client?.privacy?.ending ? client.privacy.until : undefined,
      isRecorded: client?.isRecorded ?? false,
      handoffs: viewOnly ? [] : handoffs,
      images: viewer?.imageNotice,
      stay: this.#stay,
      renewPrivacy: this.#renewPrivacy,
      answerHandoff: this.#answerHandoff,
      foldHandoff: { folded: this.#folded, toggle: this.#toggleHandoff },
      unblockAudio: this.#unblockAudio,
    });
  }

  readonly #copyActions = {
    copyNow: (): void => void this.host.viewer?.clipboard.copyNow(),
    dismiss: (): void => this.host.viewer?.clipboard.dismiss(),
  };

  /**
   * Pings the session. The session decides if the ping counts as activity. If it does, the session withdraws
   * its warning.
   */
  readonly #stay = (press: MouseEvent): void => {
    this.host.ping().catch(() => undefined);
    this.#takeKeyboardBack(press);
  };

  readonly #renewPrivacy = (press: MouseEvent): void => {
    this.host.client?.users.enablePrivacyMode().catch((error: unknown) => {
      this.host.notices.show(sentenceFor(error, this.host.words, 'privacy'));
    });
    this.#takeKeyboardBack(press);
  };

  readonly #answerHandoff = (
    { id }: Handoff,
    answer: HandoffAnswer,
    press: MouseEvent,
    note: string,
  ): void => {
    this.host.client?.finishHandoff(id, answer, note).catch((error: unknown) => {
      this.host.notices.show(sentenceFor(error, this.host.words));
    });
    this.#takeKeyboardBack(press);
  };

  readonly #toggleHandoff = (id: string): void => {
    this.#folded = this.#folded === id ? undefined : id;
    this.host.requestUpdate();
  };

  readonly #unblockAudio = (press: MouseEvent): void => {
    this.host.unblockAudio();
    this.#takeKeyboardBack(press);
  };

  /**
   * Focuses the picture if the user pressed the button with a key, because the button disappears together
   * with its focus. Does nothing after a click or a tap, because the focus would open the keyboard of a
   * phone.
   */
  #takeKeyboardBack({ detail }: MouseEvent): void {
    if (detail === 0) this.host.focus();
  }
}
