import type { Recording } from '../../src/api/index.js';
import { ApiKey } from '../api-key.js';
import { find, findA, onAction } from '../dom.js';
import {
  deleteRecording,
  listRecordings,
  onThisOrigin,
  replayToken,
} from '../recordings/recording-requests.js';
import { attempt } from '../session/attempt.js';
import { toast } from '../toast.js';

/** Milliseconds between two requests for a recording that is not complete yet. */
const PAUSE_MS = 500;
/** Number of requests, after which the button stays hidden. */
const TRIES = 20;

/** Offers to replay the session that has ended, and shows its recording on the stage. */
export class ReplayOffer {
  readonly #key = new ApiKey();
  readonly #button = findA(HTMLButtonElement, "[data-action='replay']");
  readonly #place = find('.replay-place');
  #recording: Recording | undefined;
  /** The current search for the recording. */
  #search: object | undefined;

  /**
   * @param onReplay shows the place of the recording
   * @param onDeleted shows the start of the demo instead of the place
   */
  constructor(
    private readonly onReplay: () => void,
    private readonly onDeleted: () => void,
  ) {
    onAction('replay', (button) => attempt(this.#replay(), button));
    onAction('delete-replay', (button) => attempt(this.#delete(), button));
  }

  /** Shows the button as soon as the recording of an ended session is complete. */
  offer(sessionId: string): void {
    const search = (this.#search = {});
    void this.#find(sessionId, search).then((recording) => {
      if (!recording || this.#search !== search) return;
      this.#recording = recording;
      this.#button.hidden = false;
    });
  }

  /** Hides the recording and the button. */
  end(): void {
    this.#search = this.#recording = undefined;
    this.#button.hidden = true;
    this.#place.replaceChildren();
  }

  async #find(sessionId: string, search: object): Promise<Recording | undefined> {
    for (let tries = 0; tries < TRIES && this.#search === search; tries++) {
      // A service that does not answer is asked again.
      const recording = await this.#newest(sessionId).catch(() => undefined);
      if (recording?.state === 'ready') return recording;
      if (recording?.state === 'failed') return undefined;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return undefined;
  }

  async #newest(sessionId: string): Promise<Recording | undefined> {
    const { results } = await listRecordings(await this.#ownKey(), { session: sessionId }, undefined);
    return results[0];
  }

  async #replay(): Promise<void> {
    const recording = this.#recording;
    if (!recording) return;
    const { url } = await replayToken(await this.#ownKey(), recording.id);
    await import('../../src/replay/define.js');
    const element = document.createElement('cloud-browser-replay');
    element.src = onThisOrigin(url);
    element.skipIdle = true;
    this.#place.replaceChildren(element);
    this.onReplay();
    element.focus();
  }

  async #delete(): Promise<void> {
    const recording = this.#recording;
    if (!recording) return;
    await deleteRecording(await this.#ownKey(), recording.id);
    toast('The recording is deleted.');
    // The visitor may have started a session during the request.
    if (this.#recording !== recording) return;
    this.end();
    this.onDeleted();
    find('.session-form [type=submit]').focus();
  }

  #ownKey(): Promise<string> {
    return this.#key.require('the recording');
  }
}
