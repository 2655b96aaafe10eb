import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { focusedElement, isField } from '../../viewer/focused-field.js';
import type { Viewer } from '../../viewer/index.js';

/**
 * Milliseconds for which the element shows the hint how to leave it by keyboard. This time is enough to read
 * the hint twice.
 */
const HINT_MS = 6000;

/**
 * Keyboard Lock API of Chromium. In full screen, a page with this lock also receives Escape and system
 * shortcuts.
 */
interface LockingNavigator {
  keyboard?: { lock?: () => Promise<void>; unlock?: () => void };
}

/** The part of the element that the keyboard handling needs. */
export interface KeyboardNavigationHost extends ReactiveControllerHost, HTMLElement {
  readonly viewOnly: boolean;
  readonly viewer: Viewer | undefined;
}

/** Origin of the last action that may have moved the focus. Undefined if nothing has acted yet. */
type Mover = 'pointer' | 'key' | 'script' | undefined;

/**
 * Makes the element usable by keyboard.
 *
 * - It shows a focus ring after keyboard navigation. It also shows a hint how to leave the element, because
 *   the Tab key goes to the remote page.
 * - After a script moved the focus, the ring and the hint appear only when the user presses Tab. Most users
 *   of a page that starts with the focus in the element continue with the pointer.
 * - When the user presses the pointer, the ring and the hint disappear.
 * - In full screen it locks the keyboard (in Chromium), unless the element is view-only. So Escape and system
 *   shortcuts also go to the remote page. Holding Escape leaves full screen.
 */
export class KeyboardNavigation implements ReactiveController {
  readonly #host: KeyboardNavigationHost;
  #listening: AbortController | undefined;
  #mover: Mover;
  #held = false;
  /** True if the user focused the field with the pointer, or has pressed the pointer since then. */
  #usesPointer = false;
  #ring = false;
  #hint = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #locked = false;

  /** @param byScript true if a script moved the focus here before this module was loaded */
  constructor(host: KeyboardNavigationHost, byScript: boolean) {
    this.#host = host;
    if (byScript) this.#mover = 'script';
    host.addController(this);
  }

  /** True if the element shows the focus ring. */
  get ring(): boolean {
    return this.#ring;
  }

  /** True if the element shows the hint how to leave it by keyboard. */
  get hint(): boolean {
    return this.#hint;
  }

  hostConnected(): void {
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const host = this.#host;
    window.addEventListener('pointerdown', () => this.#pointed(), { signal, capture: true });
    window.addEventListener('keydown', (event) => this.#pressed(event), { signal, capture: true });
    // After the window lost the focus, the user may return to it with Tab, for example to an iframe. So the
    // focus no longer counts as moved by a script.
    window.addEventListener('blur', () => this.#mover === 'script' && (this.#mover = undefined), { signal });
    // Listens to the shadow tree, because the host gets no event when the focus moves inside this tree.
    const tree = host.shadowRoot;
    tree?.addEventListener('focusin', ({ target }) => this.#focused(target), { signal });
    tree?.addEventListener('focusout', (event) => this.#moved(event as FocusEvent), { signal });
    document.addEventListener('fullscreenchange', () => this.#followFullScreen(), { signal });
    // The element may already have the focus.
    this.#focused(tree?.activeElement);
  }

  /**
   * Records that a script will focus the element. Has no effect after a key press or a click: the user then
   * counts as the one who moved the focus.
   */
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

  #pointed(): void {
    this.#mover = 'pointer';
    this.#usesPointer = true;
    this.#show(false);
  }

  #pressed({ key }: KeyboardEvent): void {
    if (key === 'Tab' && this.#held && !this.#ring && !this.#usesPointer) this.#show(true);
    // In a field, the other keys type, also on the remote page. They say nothing about the way to the field.
    if (key === 'Tab' || !isField(focusedElement(document))) this.#mover = 'key';
  }

  /** Shows ring and hint only for the field that captures the keys. Buttons do not capture Tab. */
  #focused(target: EventTarget | null | undefined): void {
    const wasHeld = this.#held;
    this.#held = this.#captures(target);
    if (this.#held === wasHeld) return;
    this.#usesPointer = this.#mover === 'pointer';
    this.#show(this.#held && this.#byKey);
  }

  /** Changes nothing while the focus moves between the fields for texts and for passwords. */
  #moved({ relatedTarget }: FocusEvent): void {
    if (!this.#captures(relatedTarget)) this.#left();
  }

  /** Returns true for the fields in the surface. Other fields of the element do not capture the keys. */
  #captures(target: EventTarget | null | undefined): boolean {
    const surface = this.#host.shadowRoot?.querySelector('.surface');
    return target instanceof Node && surface?.contains(target) === true;
  }

  /**
   * True if a key moved the focus here. Inside an iframe, an unknown origin counts as a key, because the user
   * may have pressed the key outside of the iframe.
   */
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
    // The page may also set `viewOnly` of the viewer.
    const { viewOnly } = this.#host.viewer ?? this.#host;
    this.#lock(!viewOnly && holds(document.fullscreenElement, this.#host));
  }

  #lock(locked: boolean): void {
    if (locked === this.#locked) return;
    this.#locked = locked;
    const { keyboard } = navigator as LockingNavigator;
    // A page in an iframe may lack the permission. Then it gets only the keys that browsers send without a
    // lock.
    if (locked) keyboard?.lock?.().catch(() => undefined);
    else keyboard?.unlock?.();
  }
}

/** Returns true if `outer` is `inner`, or contains it directly or in a shadow tree. */
function holds(outer: Element | null, inner: Element): boolean {
  for (let node: Node | null = inner; node && outer;) {
    if (outer.contains(node)) return true;
    const root: Node = node.getRootNode();
    node = root instanceof ShadowRoot ? root.host : null;
  }
  return false;
}
