import type { ReleaseControl } from './release-control.js';
import type { RemoteKey } from './remote-key.js';
import type { TextField } from './text-field.js';

/**
 * Decides what Control+V pastes: the local clipboard's text or the remote one's, whichever is newer. A page may read the
 * local clipboard only inside a `paste` event, so its age is inferred: a copy in the remote browser makes the remote one
 * newer, until the user has been elsewhere and comes back with a text not seen before.
 */
export class ClipboardInput {
  readonly #control: ReleaseControl;
  readonly #listening = new AbortController();
  #pending: RemoteKey | undefined;
  #remoteIsNewer = false;
  #wasElsewhere = false;
  #lastText = '';

  constructor(field: TextField, control: ReleaseControl) {
    this.#control = control;
    control.add(this);
    const { signal } = this.#listening;
    const elsewhere = () => (this.#wasElsewhere = true);
    field.element.addEventListener('paste', (event) => this.#pasted(event), { signal });
    window.addEventListener('blur', elsewhere, { signal });
    document.addEventListener('copy', elsewhere, { signal });
    document.addEventListener('cut', elsewhere, { signal });
  }

  /** The paste key went down. The browser's `paste` event should follow, before any other key. */
  expectPaste(key: RemoteKey): void {
    this.flush();
    this.#pending = key;
  }

  /** The remote browser was told to copy. */
  remoteCopied(): void {
    this.#remoteIsNewer = true;
    this.#wasElsewhere = false;
  }

  /** Another key follows: a paste key that no `paste` event answered goes out as what it is. */
  flush(): void {
    if (this.#pending) this.#tap(this.#pending);
  }

  forget(): void {
    this.#pending = undefined;
  }

  close(): void {
    this.#listening.abort();
  }

  #pasted(event: ClipboardEvent): void {
    event.preventDefault();
    const key = this.#pending;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    // Without a key of ours, the user chose Paste in a menu of this browser: the local text is meant.
    if (text && (!key || this.#localIsNewer(text))) {
      this.#pending = undefined;
      this.#remoteIsNewer = false;
      this.#lastText = text;
      this.#control.sendText(text);
    } else if (key) {
      this.#tap(key);
    }
    this.#wasElsewhere = false;
  }

  #localIsNewer(text: string): boolean {
    return !this.#remoteIsNewer || (this.#wasElsewhere && text !== this.#lastText);
  }

  #tap(key: RemoteKey): void {
    this.#pending = undefined;
    this.#control.tap(key);
  }
}
