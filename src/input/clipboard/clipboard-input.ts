import { Modifier } from '../../protocol/index.js';
import { ClipboardAge } from './clipboard-age.js';
import type { InputSink, PasteOutlet } from '../input-target.js';
import { watchLocalCopies } from './local-copies.js';
import type { PasteQueue } from './paste-queue.js';
import { pastedContent, type PastedContent } from './pasted-content.js';
import type { ReleaseControl } from '../release-control.js';
import type { RemoteKey } from '../keyboard/remote-key.js';
import type { TextField } from '../keyboard/text-field.js';

/** Key for pastes without a key press, from a menu of the local browser or a phone. */
const PASTE_KEY: RemoteKey = { code: 'KeyV', key: 'v', modifiers: Modifier.control };

/** Maximum time that a remote context menu waits for the local clipboard content. Milliseconds. */
const OFFER_MS = 500;

/**
 * Handles paste keys. If the remote clipboard is newer, presses the key in the remote browser, which pastes
 * its own clipboard. Otherwise pastes the local clipboard. After a remote copy is written to the local
 * clipboard, both have the same content.
 */
export class ClipboardInput {
  readonly #control: ReleaseControl;
  readonly #listening = new AbortController();
  #pending: RemoteKey | undefined;
  readonly #age = new ClipboardAge();

  constructor(
    field: TextField,
    control: ReleaseControl,
    private readonly pasteQueue: PasteQueue,
    private readonly outlet: PasteOutlet | undefined,
  ) {
    this.#control = control;
    control.add(this);
    const { signal } = this.#listening;
    field.element.addEventListener('paste', (event) => this.#pasted(event), { signal });
    watchLocalCopies(this.#age, signal);
  }

  /** Handles the press of a paste key. The browser's `paste` event should follow before any other key. */
  expectPaste(key: RemoteKey): void {
    this.flush();
    this.#pending = key;
  }

  /**
   * Records a copy in the remote browser.
   * @param local content of the local clipboard at that moment, if the page may read it
   */
  remoteCopied(local?: Promise<PastedContent | undefined>): void {
    this.#age.remoteCopied();
    void local?.then((content) => content && this.#age.remember(content));
  }

  /** Records that the remote copy was also written to the local clipboard. */
  localHasCopied(): void {
    this.#age.localIsSame();
  }

  /** Pastes content into the focused remote field. */
  paste(content: PastedContent, key: RemoteKey = PASTE_KEY): void {
    this.#age.localIsSame();
    this.#age.remember(content);
    const { outlet } = this;
    if (!outlet?.takesPaste) return this.#control.sendText(content.text ?? '');
    this.pasteQueue.hold(async (sink) => {
      const transfer = await outlet.upload(content);
      if (transfer !== undefined) this.#press(sink, transfer, key);
    });
  }

  /**
   * If the local clipboard is newer than the remote one, sends it before a context menu opens in the remote
   * browser. The press that opens the menu waits up to {@link OFFER_MS} until the content is sent, because
   * the menu can only paste if the remote clipboard has content.
   */
  offer(reading: Promise<PastedContent | undefined>): void {
    this.pasteQueue.hold(async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, OFFER_MS));
      await Promise.race([this.#bring(reading), late]);
    });
  }

  /** Called before another key. Sends a pending paste key as a normal key if no `paste` event followed. */
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
    // If no key is pending, the user chose Paste in a menu of the local browser. Then the local clipboard is
    // pasted.
    const isNewer = this.#age.isNewer(content);
    if (has && (!key || isNewer)) {
      this.#pending = undefined;
      this.paste(content, key);
    } else if (key) {
      this.#tap(key);
    }
  }

  async #bring(reading: Promise<PastedContent | undefined>): Promise<void> {
    const content = await reading;
    if (content && Object.keys(content).length > 0 && this.#age.isNewer(content))
      await this.outlet?.offer(content);
  }

  #press(sink: InputSink, transfer: number, { code, key, modifiers }: RemoteKey): void {
    sink.sendInput({ type: 'paste', transfer, code, key, modifiers });
  }

  #tap(key: RemoteKey): void {
    this.#pending = undefined;
    this.#control.tap(key);
  }
}
