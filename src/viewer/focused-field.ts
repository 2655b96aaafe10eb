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
