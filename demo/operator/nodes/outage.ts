import { find, setText } from '../../dom.js';
import { secondsText } from '../words.js';

/** Shows that the service does not answer, since when, and the time of the next try. */
export class Outage {
  readonly #banners = [...document.querySelectorAll<HTMLElement>('.outage')];
  readonly #waiting = find('.waiting');
  #since: Date | undefined;

  /** @param pause milliseconds until the next try */
  show(error: unknown, pause: number): void {
    this.#since ??= new Date();
    const what = error instanceof Error ? error.message : 'The page could not read what the service told.';
    const since = this.#since.toLocaleTimeString([], { timeStyle: 'medium' });
    const text = `${what} This is so since ${since}; the next try is in ${secondsText(pause / 1_000)}.`;
    for (const banner of this.#banners) {
      banner.hidden = false;
      setText(find('p', banner), text);
    }
    this.#waiting.hidden = true;
    document.body.dataset['outage'] = '';
  }

  /** Hides the message after the service answered, or when polling stopped. */
  end(): void {
    this.#since = undefined;
    for (const banner of this.#banners) banner.hidden = true;
    this.#waiting.hidden = false;
    delete document.body.dataset['outage'];
  }
}
