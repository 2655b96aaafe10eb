import type { DropArguments } from './clipboard-exchange.js';
import type { CopyState } from './copy-state.js';
import type { ViewerControls } from '../controls/viewer-controls.js';

/**
 * Copies content from the remote browser to the local clipboard, and pastes local content into the remote
 * browser.
 */
export class ViewerClipboard {
  readonly #controls: ViewerControls;

  /** @internal */
  constructor(controls: ViewerControls) {
    this.#controls = controls;
  }

  /** Result of the latest copy or paste. Undefined when it is no longer relevant. */
  get state(): CopyState | undefined {
    return this.#controls.loaded?.clipboard.state;
  }

  /**
   * Pastes the local clipboard into the focused remote field. Useful for a button in the page, because phones
   * have no Control+V. Call it in a click or key handler. Browsers may ask the user. Rejects with
   * `NotAllowedError` if the user refuses, and with `UnsupportedError` if pages cannot read the clipboard.
   */
  async paste(): Promise<void> {
    // Avoids waiting if possible, because the user gesture could expire.
    const { clipboard } = this.#controls.loaded ?? (await this.#controls.ready);
    await clipboard.paste();
  }

  /**
   * Copies the selection in the remote browser by pressing Control+C there. The result is reported as for a
   * key press.
   */
  copy(): void {
    this.#controls.do(({ clipboard }) => clipboard.copy());
  }

  /** See `ClipboardExchange.drop`. @internal */
  drop(...dropped: DropArguments): void {
    this.#controls.do(({ clipboard }) => void clipboard.drop(...dropped));
  }

  /** Copies the pending content. Call it in a click or key handler. Returns false if nothing is pending. */
  copyNow(): boolean {
    return this.#controls.loaded?.clipboard.copyNow() ?? false;
  }

  /** Drops the pending content. */
  dismiss(): void {
    this.#controls.loaded?.clipboard.dismiss();
  }
}
