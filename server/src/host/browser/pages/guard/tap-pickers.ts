/**
 * Script that opens the picker of a field for a date or a time when a finger taps the field or its label, as
 * Chromium does on phones. Chromium for Linux opens it only for a tap on the small icon of the field. Without
 * that, the field waits for digits, and a phone has no keyboard for it. The page may prevent the tap, so the
 * script waits until the page has handled the event. `showPicker` needs a user's press, and refuses fields
 * that nobody can change. It also refuses frames of another origin than the page.
 */
export const TAP_PICKERS = `addEventListener('click', (event) => {
    if (event.pointerType !== 'touch' || !event.isTrusted) return;
    const path = event.composedPath();
    const at = path.findIndex((part) => part.localName === 'label');
    // A control inside a label is not pressed together with the label's own control.
    const isControl = (part) => part.matches?.('a[href], button, input, select, textarea, [contenteditable]');
    const [top] = path;
    const field = top?.localName === 'input' || path.slice(0, at).some(isControl) ? top : path[at]?.control;
    if (field?.localName !== 'input' || !/^(date|time|month|week|datetime-local)$/.test(field.type)) return;
    setTimeout(() => {
      try {
        if (!event.defaultPrevented) field.showPicker();
      } catch {}
    });
  }, true);
  `;
