import '../../src/replay/define.js';
import { find, findA, onAction } from '../dom.js';

/** Dialog that shows a recording. */
export class ReplayDialog {
  readonly #dialog = findA(HTMLDialogElement, '.replay-dialog');
  readonly #place = find('.replay-place');

  constructor() {
    onAction('close-replay', () => this.#dialog.close());
    // Also ends the playback after the Escape key.
    this.#dialog.addEventListener('close', () => this.#place.replaceChildren());
  }

  /** @param src address of the recording with a token */
  show(src: string, title: string): void {
    const replay = document.createElement('cloud-browser-replay');
    replay.src = src;
    replay.eventList = true;
    find('#replay-heading').textContent = title;
    this.#place.replaceChildren(replay);
    this.#dialog.showModal();
    replay.focus();
  }
}
