import type { AccessibilityTree } from '../../core/index.js';
import type { AccessibleNode } from '../../protocol/index.js';
import type { MirrorHost } from './mirror-host.js';

/** What is typed is sent after a rest of this, or when the field is left. Milliseconds. */
const TYPED_AFTER_MS = 300;
/** So long after a focus was asked for, the page may tell of where it was before. Milliseconds. */
const FOCUS_TOLD_MS = 1_000;
/** Keys that mean something to things on pages, and are not typed. */
const KEYS: ReadonlySet<string> = new Set(
  'ArrowUp ArrowDown ArrowLeft ArrowRight Home End PageUp PageDown Escape'.split(' '),
);

/** A field that text is typed into. */
type Field = HTMLInputElement | HTMLTextAreaElement;

/** Where the user wants the focus of the remote page. */
interface AskedFocus {
  node: number;
  /** Runs when the page has answered. */
  timer?: ReturnType<typeof setTimeout>;
}

/** What a user does in the mirror, done to the remote page. */
export class MirrorActs {
  readonly #listening = new AbortController();
  #typed: { field: Field; node: number; timer: ReturnType<typeof setTimeout> } | undefined;
  /** The mirror moves the focus itself. */
  #following = false;
  /** The node that the user went to last, until the remote page tells that its focus is there. */
  #asked: AskedFocus | undefined;

  constructor(
    private readonly tree: AccessibilityTree,
    private readonly host: MirrorHost,
    private readonly nodeOf: (target: EventTarget | null) => AccessibleNode | undefined,
    /** To be called when {@link follow} may do more than before. */
    private readonly followNow: () => void,
  ) {
    const { signal } = this.#listening;
    const { container } = host;
    container.addEventListener('click', (event) => this.#clicked(event), { signal });
    container.addEventListener('focusin', (event) => this.#focused(event), { signal });
    container.addEventListener('focusout', () => void this.#send(), { signal });
    container.addEventListener('input', (event) => this.#changed(event), { signal });
    container.addEventListener('keydown', (event) => this.#pressed(event), { signal });
  }

  /** Whether the user is typing into this element. */
  edits(element: Node): boolean {
    return this.#typed?.field === element;
  }

  /** Moves the local focus to where the remote one is, if it is in the mirror. What is told late takes no user back. */
  follow(element: HTMLElement): void {
    if (this.#asked) {
      if (this.tree.focused?.id !== this.#asked.node) return;
      this.#forget();
    }
    const root = this.host.container.getRootNode();
    const active = root instanceof ShadowRoot || root instanceof Document ? root.activeElement : null;
    if (!active || active === element || !this.host.container.contains(active) || this.#typed) return;
    this.#following = true;
    element.focus();
    this.#following = false;
  }

  close(): void {
    this.#listening.abort();
    clearTimeout(this.#typed?.timer);
    this.#typed = undefined;
    this.#forget();
  }

  get #rests(): boolean {
    return this.host.viewer()?.viewOnly !== false;
  }

  #clicked(event: MouseEvent): void {
    const { target } = event;
    const node = this.nodeOf(target);
    if (target instanceof HTMLSelectElement || target instanceof HTMLOptionElement || isText(target)) return;
    if (target instanceof HTMLInputElement && target.type === 'range') return;
    // The remote page says what becomes of it.
    event.preventDefault();
    if (!node || this.#rests) return;
    void this.#send().then(() => this.tree.click(node.id).catch(() => undefined));
  }

  #focused({ target }: FocusEvent): void {
    const node = this.nodeOf(target);
    if (!node || this.#following || this.#rests) return;
    if ((this.#asked?.node ?? this.tree.focused?.id) === node.id) return;
    this.#forget();
    const asked: AskedFocus = { node: node.id };
    this.#asked = asked;
    const answered = () => {
      // The page may have given the focus to something else, which is followed then.
      if (this.#asked === asked) asked.timer = setTimeout(() => this.#followAgain(), FOCUS_TOLD_MS);
    };
    this.tree.focus(node.id).then(answered, answered);
  }

  #followAgain(): void {
    this.#forget();
    this.followNow();
  }

  #forget(): void {
    clearTimeout(this.#asked?.timer);
    this.#asked = undefined;
  }

  #changed({ target }: Event): void {
    const node = this.nodeOf(target);
    if (!node || this.#rests) return;
    if (target instanceof HTMLSelectElement) {
      const chosen = target.selectedOptions[0];
      if (chosen) this.tree.setValue(node.id, chosen.label).catch(() => undefined);
    } else if (isText(target)) {
      clearTimeout(this.#typed?.timer);
      const timer = setTimeout(() => void this.#send(), TYPED_AFTER_MS);
      this.#typed = { field: target, node: node.id, timer };
    } else if (target instanceof HTMLInputElement && target.type === 'range')
      this.tree.setValue(node.id, target.value).catch(() => undefined);
  }

  /** Sends what was typed last. */
  async #send(): Promise<void> {
    const typed = this.#typed;
    if (!typed) return;
    clearTimeout(typed.timer);
    this.#typed = undefined;
    await this.tree.setValue(typed.node, typed.field.value).catch(() => undefined);
  }

  #pressed(event: KeyboardEvent): void {
    const { key, target } = event;
    const node = this.nodeOf(target);
    // What is done here is not typed into the page around it as well.
    event.stopPropagation();
    if (!node || this.#rests || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    const enters = key === 'Enter' && !(target instanceof HTMLTextAreaElement);
    if (isText(target)) {
      if (enters) void this.#send().then(() => this.#tap(event));
      return;
    }
    const native = target instanceof HTMLButtonElement || target instanceof HTMLInputElement;
    if ((enters || key === ' ') && !native && !(target instanceof HTMLSelectElement)) {
      event.preventDefault();
      this.tree.click(node.id).catch(() => undefined);
    } else if (KEYS.has(key) && !(target instanceof HTMLSelectElement)) {
      event.preventDefault();
      this.#tap(event);
    }
  }

  #tap({ key, code }: KeyboardEvent): void {
    const viewer = this.host.viewer();
    for (const pressed of [true, false])
      viewer?.client.sendInput({ type: 'key', pressed, repeat: false, code, key, modifiers: 0 });
  }
}

function isText(target: EventTarget | null): target is Field {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && ['text', 'search', 'password'].includes(target.type))
  );
}
