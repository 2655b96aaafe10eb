import type { CopyState } from './copy-state.js';
import type { ViewerControls } from './viewer-controls.js';

/** Takes what is copied in the remote browser to the local clipboard, and what is pasted here to the remote one. */
export class ViewerClipboard {
  readonly #controls: ViewerControls;

  /** @internal */
  constructor(controls: ViewerControls) {
    this.#controls = controls;
  }

  /** What became of the newest copy or paste, for as long as it matters. */
  get state(): CopyState | undefined {
    return this.#controls.loaded?.clipboard.state;
  }

  /**
   * Pastes what is on the local clipboard where the remote focus is: for a button of yours, since phones have no Control+V. To be called in
   * a gesture; browsers may ask the user. Rejects with `NotAllowedError` when they say no, with `UnsupportedError` where no page may.
   */
  async paste(): Promise<void> {
    // Without a turn between, in which the gesture could cease to count.
    const { clipboard } = this.#controls.loaded ?? (await this.#controls.ready);
    await clipboard.paste();
  }

  /** Copies what is selected in the remote browser, by Control+C there; what comes of it is told as after the key. */
  copy(): void {
    this.#controls.do(({ clipboard }) => clipboard.copy());
  }

  /** In a gesture: copies what is waiting. False: nothing is. */
  copyNow(): boolean {
    return this.#controls.loaded?.clipboard.copyNow() ?? false;
  }

  /** Forgets what is waiting. */
  dismiss(): void {
    this.#controls.loaded?.clipboard.dismiss();
  }
}
