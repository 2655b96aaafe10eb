import type { CdpSession } from '../../cdp/cdp-session.js';

/** Payload with which {@link tapPickers} asks the host for {@link openPicker}. */
export const PICKER_REQUEST = 'picker';

/**
 * Returns a script that opens the picker of a field for a date or a time when a finger taps the field or its
 * label, as Chromium does on phones. Chromium for Linux opens it only for a tap on the small icon of the
 * field. Without that, the field waits for digits, and a phone has no keyboard for it. The page may prevent
 * the tap, so the script waits until the page has handled the event. `showPicker` needs a user's press, and
 * refuses fields that nobody can change. It also refuses frames of another origin than the page. For these,
 * the script asks the host.
 *
 * @param report name of the function that calls the host
 */
export function tapPickers(report: string): string {
  return `addEventListener('click', (event) => {
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
      } catch (error) {
        if (error.name === 'SecurityError' && field.matches(':focus'))
          globalThis['${report}']?.('${PICKER_REQUEST}');
      }
    });
  }, true);
  `;
}

/**
 * Opens the picker of the focused field for a date or a time, with the keys for it. Works in frames of
 * another origin too.
 */
export function openPicker(frame: Pick<CdpSession, 'post'>): void {
  const keys = { key: 'ArrowDown', code: 'ArrowDown', windowsVirtualKeyCode: 40, modifiers: 1 };
  for (const type of ['rawKeyDown', 'keyUp'] as const)
    frame.post('Input.dispatchKeyEvent', { ...keys, type });
}
