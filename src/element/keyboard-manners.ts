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

/** What last moved the focus, or could have: undefined before anything did. */
type Mover = 'pointer' | 'key' | 'script' | undefined;

/**
 * What a person with a keyboard can rely on: where it is, can be seen when a key brought it there, and so can the way out, since
 * Tab belongs to the remote page. Where a script brought it, nothing lies over the picture until somebody presses Tab: most who open
 * a page that begins with the keyboard in here go on by pointer. In full screen the remote page has all keys that the browser lets go;
 * holding Escape leaves.
 */
export class KeyboardManners implements ReactiveController {
  readonly #host: MannersHost;
  #listening: AbortController | undefined;
  #mover: Mover;
  #held = false;
  #ring = false;
  #hint = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #locked = false;

  /** @param byScript a script has moved the focus here, as far as is known */
  constructor(host: MannersHost, byScript: boolean) {
    this.#host = host;
    if (byScript) this.#mover = 'script';
    host.addController(this);
  }

  /** The focus is here, with somebody who moves it by keys. */
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
    window.addEventListener('pointerdown', () => (this.#mover = 'pointer'), { signal, capture: true });
    window.addEventListener('keydown', (event) => this.#pressed(event), { signal, capture: true });
    // Somebody may come back to a frame by Tab.
    window.addEventListener('blur', () => this.#mover === 'script' && (this.#mover = undefined), { signal });
    host.addEventListener('focusin', (event) => this.#focused(event.composedPath()[0]), { signal });
    host.addEventListener('focusout', () => this.#left(), { signal });
    document.addEventListener('fullscreenchange', () => this.#followFullScreen(), { signal });
    // It may be here already.
    this.#focused(host.shadowRoot?.activeElement);
  }

  /** A script is about to give the keyboard to the element; a key that made it do so counts. */
  movedByScript(): void {
    if (this.#mover === undefined && document.hasFocus()) this.#mover = 'script';
  }

  hostUpdated(): void {
    this.#followFullScreen();
  }

  hostDisconnected(): void {
    this.#listening?.abort();
    this.#left();
    this.#lock(false);
  }

  #pressed({ key }: KeyboardEvent): void {
    if (key === 'Tab' && this.#held && !this.#ring && this.#mover !== 'pointer') this.#show(true);
    this.#mover = 'key';
  }

  /** Only the field that takes the keys holds the focus fast; buttons let Tab go on. */
  #focused(field: EventTarget | null | undefined): void {
    this.#held = field instanceof HTMLTextAreaElement && field.getRootNode() !== document;
    this.#show(this.#held && this.#byKey);
  }

  /** Keys that lead into a frame are pressed outside of it. */
  get #byKey(): boolean {
    return this.#mover === 'key' || (this.#mover === undefined && window.parent !== window);
  }

  #left(): void {
    this.#held = false;
    this.#show(false);
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
