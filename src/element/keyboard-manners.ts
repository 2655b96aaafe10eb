import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** How long the way out is told: enough to read it twice. */
const HINT_MS = 6000;

/** Keyboard Lock: in full screen, Escape and the system's shortcuts reach the page. Chromium has it. */
interface LockingNavigator {
  keyboard?: { lock?: () => Promise<void>; unlock?: () => void };
}

/** What the manners need of their element. */
export interface MannersHost extends ReactiveControllerHost, HTMLElement {
  readonly viewOnly: boolean;
}

/**
 * What a person with a keyboard can rely on: where it is, can be seen when it came there without a pointer, and so can the way
 * out, since Tab belongs to the remote page. In full screen the remote page has all keys that the browser lets go; holding Escape leaves.
 */
export class KeyboardManners implements ReactiveController {
  readonly #host: MannersHost;
  #listening: AbortController | undefined;
  #pointer = false;
  #ring = false;
  #hint = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #locked = false;

  constructor(host: MannersHost) {
    this.#host = host;
    host.addController(this);
  }

  /** The focus is here, and no pointer brought it. */
  get ring(): boolean {
    return this.#ring;
  }

  /** The way out is to be told. */
  get hint(): boolean {
    return this.#hint;
  }

  hostConnected(): void {
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const host = this.#host;
    window.addEventListener('pointerdown', () => (this.#pointer = true), { signal, capture: true });
    window.addEventListener('keydown', () => (this.#pointer = false), { signal, capture: true });
    host.addEventListener('focusin', (event) => this.#focused(event), { signal });
    host.addEventListener('focusout', () => this.#show(false), { signal });
    document.addEventListener('fullscreenchange', () => this.#followFullScreen(), { signal });
  }

  hostUpdated(): void {
    this.#followFullScreen();
  }

  hostDisconnected(): void {
    this.#listening?.abort();
    this.#show(false);
    this.#lock(false);
  }

  /** Only the field that takes the keys holds the focus fast; buttons let Tab go on. */
  #focused(event: Event): void {
    const [field] = event.composedPath();
    this.#show(!this.#pointer && field instanceof HTMLTextAreaElement && field.getRootNode() !== document);
  }

  #show(shown: boolean): void {
    clearTimeout(this.#timer);
    if (shown) this.#timer = setTimeout(() => this.#set(true, false), HINT_MS);
    this.#set(shown, shown);
  }

  #set(ring: boolean, hint: boolean): void {
    if (ring === this.#ring && hint === this.#hint) return;
    [this.#ring, this.#hint] = [ring, hint];
    this.#host.requestUpdate();
  }

  #followFullScreen(): void {
    this.#lock(!this.#host.viewOnly && holds(document.fullscreenElement, this.#host));
  }

  #lock(locked: boolean): void {
    if (locked === this.#locked) return;
    this.#locked = locked;
    const { keyboard } = navigator as LockingNavigator;
    // A page in an iframe may not: then it gets what keys it gets.
    if (locked) keyboard?.lock?.().catch(() => undefined);
    else keyboard?.unlock?.();
  }
}

/** Whether an element is, or contains, another one, which may be in a shadow tree of it. */
function holds(outer: Element | null, inner: Element): boolean {
  for (let node: Node | null = inner; node && outer;) {
    if (outer.contains(node)) return true;
    const root: Node = node.getRootNode();
    node = root instanceof ShadowRoot ? root.host : null;
  }
  return false;
}
