/** Returns the element with the focus, also inside open shadow trees. */
export function focusedElement(page: Document): Element | null {
  let focused = page.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}

/**
 * Returns true if the element is a form control, a frame or editable text. Users focus these to type. Dialogs
 * focus their buttons by script.
 */
export function isField(element: Element | null): boolean {
  if (!element) return false;
  const { localName, shadowRoot } = element;
  const isEditable = 'isContentEditable' in element && element.isContentEditable === true;
  // A custom element without an open shadow tree may contain a field that scripts of the page cannot see.
  const isHidden = localName.includes('-') && !shadowRoot;
  return isHidden || isEditable || /^(input|textarea|select|iframe)$/.test(localName);
}

/**
 * A request for the focus that waits until something can take it. Meanwhile the user may move the focus with
 * Tab or by pressing the pointer, and scripts of the page may move it too, for example in dialogs.
 */
export class FocusRequest {
  readonly #page: Document;
  /** True if the page had the focus among the frames and windows of the browser. */
  readonly #had: boolean;
  readonly #before: Element | null;
  readonly #listening = new AbortController();
  /** Element that had the focus after the user's last press. */
  #chosen: Element | null | undefined;

  /** @param place presses inside this element are ignored: the user wants the focus there */
  constructor(page: Document, place?: Element) {
    this.#page = page;
    this.#had = page.hasFocus();
    this.#before = focusedElement(page);
    const options = { capture: true, signal: this.#listening.signal };
    const pressed = (event: Event): void => {
      if (place && event.composedPath().includes(place)) return;
      // The browser moves the focus after the event.
      setTimeout(() => (this.#chosen = focusedElement(page)));
    };
    page.addEventListener('mousedown', pressed, options);
    page.addEventListener('keydown', (event) => event.key === 'Tab' && pressed(event), options);
  }

  /** Ends the request. Returns true if it may take the focus: from no field and no choice of the user. */
  end(): boolean {
    this.#listening.abort();
    const { body } = this.#page;
    const now = focusedElement(this.#page);
    // The user may have chosen an element of the page around this frame.
    if (this.#had && !mayTakeFocus(this.#page.defaultView ?? window)) return false;
    return now === this.#before || (!isField(now) && (now === body || now !== this.#chosen));
  }
}

/**
 * True if a page has the focus, or if no page around it has focused an element. False if this is unknown: a
 * page cannot see the focus in pages of other origins.
 */
export function mayTakeFocus(view: Window): boolean {
  if (view.document.hasFocus()) return true;
  try {
    for (let inner = view; inner.parent !== inner; inner = inner.parent) {
      const { activeElement, body } = inner.parent.document;
      if (activeElement !== body && activeElement !== inner.frameElement) return false;
    }
    return true;
  } catch {
    return false;
  }
}
