import type { ClipboardInput } from './clipboard-input.js';
import { translateKey } from './key-translation.js';
import type { Platform } from './platform.js';
import type { ReleaseControl } from './release-control.js';
import type { RemoteKey } from './remote-key.js';
import type { TextField } from './text-field.js';

/**
 * The keys of the whole page, as long as nobody types elsewhere in it. They are listened to and not taken: the page goes on
 * using them. What makes text in more than one step, and pasting, needs the text field, which takes the focus for it.
 */
export class PageKeyboard {
  readonly #held = new Map<string, RemoteKey>();
  #listening: AbortController | undefined;

  constructor(
    private readonly field: TextField,
    private readonly control: ReleaseControl,
    private readonly clipboard: ClipboardInput,
    private readonly platform: Platform,
  ) {
    control.add(this);
  }

  set enabled(enabled: boolean) {
    if (enabled === (this.#listening !== undefined)) return;
    this.close();
    if (!enabled) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    // Keys of the text field itself do not come this far: its keyboard stops them.
    window.addEventListener('keydown', (event) => this.#down(event), { signal });
    window.addEventListener('keyup', (event) => this.#up(event), { signal });
  }

  forget(): void {
    this.#held.clear();
  }

  close(): void {
    this.#listening?.abort();
    this.#listening = undefined;
  }

  #down(event: KeyboardEvent): void {
    if (isTyped(event)) return;
    const key = translateKey(event, this.platform);
    switch (key.fate) {
      case 'send':
        this.#held.set(event.code || event.key, key);
        this.#send(key, true, event.repeat);
        break;
      case 'paste':
        this.field.focus();
        this.clipboard.expectPaste(key);
        break;
      case 'text':
        this.field.focus();
        break;
      case 'local':
      case 'alt-graph':
    }
  }

  /** Wherever the focus is by now. */
  #up(event: KeyboardEvent): void {
    const id = event.code || event.key;
    const held = this.#held.get(id);
    if (!held) return;
    this.#held.delete(id);
    const key = translateKey(event, this.platform);
    this.#send({ ...held, modifiers: 'modifiers' in key ? key.modifiers : 0 }, false, false);
  }

  #send({ code, key, modifiers }: RemoteKey, pressed: boolean, repeat: boolean): void {
    this.control.send({ type: 'key', code, key, modifiers, pressed, repeat });
  }
}

/** Whether the event belongs to something that people type into. */
function isTyped(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  return target.nodeName === 'INPUT' || target.nodeName === 'TEXTAREA' || target.isContentEditable;
}
