import type { AccessibilityTree } from '../../core/index.js';
import type { AccessibleNode } from '../../protocol/index.js';
import type { MirrorHost } from './mirror-host.js';

/** Typed text is sent after a pause of this length, or when the field loses the focus. Milliseconds. */
const TYPED_AFTER_MS = 300;
/**
 * Within this time after the answer to a focus request, the page may still report the previous focus.
 * Milliseconds.
 */
const FOCUS_TOLD_MS = 1_000;
/** Keys that control elements of a page and do not type text. */
const KEYS: ReadonlySet<string> = new Set(
  'ArrowUp ArrowDown ArrowLeft ArrowRight Home End PageUp PageDown Escape'.split(' '),
);

/** A local field for text. */
type Field = HTMLInputElement | HTMLTextAreaElement;

/** A requested focus in the remote page. */
interface AskedFocus {
  node: number;
  /** Started when the session has answered the request. */
  timer?: ReturnType<typeof setTimeout>;
}

/** Applies the user's actions in the mirror to the remote page. */
export class MirrorActions {
  readonly #listening = new AbortController();
  #typed: { field: Field; node: number; timer: ReturnType<typeof setTimeout> } | undefined;
  /** True while the mirror itself moves the focus. */
  #following = false;
  /**
   * Node that the user focused last, until the remote page reports it as focused or {@link FOCUS_TOLD_MS} has
   * passed.
   */
  #asked: AskedFocus | undefined;

  constructor(
    private readonly tree: AccessibilityTree,
    private readonly host: MirrorHost,
    private readonly nodeOf: (target: EventTarget | null) => AccessibleNode | undefined,
    /** Called when {@link follow} can follow the remote focus again. */
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

  /** Returns true if an element has typed text that is not sent yet. */
  edits(element: Node): boolean {
    return this.#typed?.field === element;
  }

  /**
   * Moves the local focus to the element of the remotely focused node, if the local focus is in the mirror.
   * Ignores reports of an earlier focus, so that the local focus does not jump back.
   */
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
    // The remote page decides the result of the click.
    event.preventDefault();
    if (!node || this.#rests) return;
    void this.#send().then(() => this.#click(node));
  }

  #focused({ target }: FocusEvent): void {
    const node = this.nodeOf(target);
    if (!node || this.#following || this.#rests) return;
    if ((this.#asked?.node ?? this.tree.focused?.id) === node.id) return;
    this.#forget();
    const asked: AskedFocus = { node: node.id };
    this.#asked = asked;
    const answered = () => {
      // The page may have focused another node. After `FOCUS_TOLD_MS`, the local focus follows that node.
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

  /** Sends the text of the field that the user typed into, if it is not sent yet. */
  async #send(): Promise<void> {
    const typed = this.#typed;
    if (!typed) return;
    clearTimeout(typed.timer);
    this.#typed = undefined;
    // The page may have made the viewer view-only since the user typed. The same applies to the next methods.
    if (this.#rests) return;
    await this.tree.setValue(typed.node, typed.field.value).catch(() => undefined);
  }

  #pressed(event: KeyboardEvent): void {
    const { key, target } = event;
    const node = this.nodeOf(target);
    // The page that contains the element must not also handle the key.
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
      this.#click(node);
    } else if (KEYS.has(key) && !(target instanceof HTMLSelectElement)) {
      event.preventDefault();
      this.#tap(event);
    }
  }

  #click({ id }: AccessibleNode): void {
    if (!this.#rests) this.tree.click(id).catch(() => undefined);
  }

  #tap({ key, code }: KeyboardEvent): void {
    if (this.#rests) return;
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
