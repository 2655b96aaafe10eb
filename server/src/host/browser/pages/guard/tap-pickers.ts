/**
 * Script that opens the picker of a field for a date or a time when a finger taps the field, as Chromium does
 * on phones. Chromium for Linux opens it only for a tap on the small icon of the field. Without that, the
 * field waits for digits, and a phone has no keyboard for it. The page may prevent the tap, so the script
 * waits until the page has handled the event. `showPicker` needs a user's press, and refuses fields that
 * nobody can change. It also refuses frames of another origin than the page.
 */
export const TAP_PICKERS = `addEventListener('click', (event) => {
    if (event.pointerType !== 'touch' || !event.isTrusted) return;
    const [field] = event.composedPath();
    if (field?.localName !== 'input' || !/^(date|time|month|week|datetime-local)$/.test(field.type)) return;
    setTimeout(() => {
      try {
        if (!event.defaultPrevented) field.showPicker();
      } catch {}
    });
  }, true);
  `;
