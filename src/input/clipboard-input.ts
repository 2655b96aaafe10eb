import { Modifier } from '../protocol/index.js';
import type { InputSink, PasteOutlet } from './input-target.js';
import type { PasteGate } from './paste-gate.js';
import { fingerprint, pastedContent, type PastedContent } from './pasted-content.js';
import type { ReleaseControl } from './release-control.js';
import type { RemoteKey } from './remote-key.js';
import type { TextField } from './text-field.js';

/** What pastes where no key was pressed: from a menu of this browser, or a phone's. */
const PASTE_KEY: RemoteKey = { code: 'KeyV', key: 'v', modifiers: Modifier.control };

/** A menu does not wait longer for what its own Paste is to paste. Milliseconds. */
const OFFER_MS = 500;

/**
 * Decides what Control+V pastes: what is on the local clipboard or on the remote one, whichever is newer. A page may read the
 * local clipboard only inside a `paste` event, so its age is inferred: a copy in the remote browser makes the remote one
 * newer, until the user has been elsewhere and comes back with something not seen before. What is copied there may come to the local
 * clipboard: then both are the same.
 */
export class ClipboardInput {
  readonly #control: ReleaseControl;
  readonly #listening = new AbortController();
  #pending: RemoteKey | undefined;
  #remoteIsNewer = false;
  #wasElsewhere = false;
  #last = '';

  constructor(
    field: TextField,
    control: ReleaseControl,
    private readonly gate: PasteGate,
    private readonly outlet: PasteOutlet | undefined,
  ) {
    this.#control = control;
    control.add(this);
    const { signal } = this.#listening;
    const elsewhere = () => (this.#wasElsewhere = true);
    field.element.addEventListener('paste', (event) => this.#pasted(event), { signal });
    // The page around may have a button that copies.
    field.element.addEventListener('blur', elsewhere, { signal });
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

  /** What was copied there is on the local clipboard as well. */
  localHasCopied(): void {
    this.#remoteIsNewer = false;
  }

  /** Pastes something where the remote focus is. */
  paste(content: PastedContent, key: RemoteKey = PASTE_KEY): void {
    this.#remoteIsNewer = false;
    this.#last = fingerprint(content);
    const { outlet } = this;
    if (!outlet?.takesPaste) return this.#control.sendText(content.text ?? '');
    this.gate.hold(async (sink) => {
      const transfer = await outlet.upload(content);
      if (transfer !== undefined) this.#press(sink, transfer, key);
    });
  }

  /**
   * A menu of the remote browser is about to be opened, whose own Paste is to paste this, if it is newer than what is there. The press that
   * opens it waits: a menu that opens over an empty clipboard cannot paste.
   */
  offer(reading: Promise<PastedContent | undefined>): void {
    this.gate.hold(async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, OFFER_MS));
      await Promise.race([this.#bring(reading), late]);
    });
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
    const content = pastedContent(event.clipboardData);
    const has = Object.keys(content).length > 0;
    // Without a key of ours, the user chose Paste in a menu of this browser: the local clipboard is meant.
    if (has && (!key || this.#localIsNewer(content))) {
      this.#pending = undefined;
      this.paste(content, key);
    } else if (key) {
      this.#tap(key);
    }
    this.#wasElsewhere = false;
  }

  async #bring(reading: Promise<PastedContent | undefined>): Promise<void> {
    const content = await reading;
    if (content && Object.keys(content).length > 0 && this.#localIsNewer(content))
      await this.outlet?.offer(content);
  }

  #localIsNewer(content: PastedContent): boolean {
    return !this.#remoteIsNewer || (this.#wasElsewhere && fingerprint(content) !== this.#last);
  }

  #press(sink: InputSink, transfer: number, { code, key, modifiers }: RemoteKey): void {
    sink.sendInput({ type: 'paste', transfer, code, key, modifiers });
  }

  #tap(key: RemoteKey): void {
    this.#pending = undefined;
    this.#control.tap(key);
  }
}
