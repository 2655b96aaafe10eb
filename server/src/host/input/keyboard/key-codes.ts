/** A row of names with consecutive numbers: the first number, then the names. */
export type NumberedRow = readonly [first: number, names: string];

/** Returns the number of each name. `offset` is added to each number. */
export function numbered(rows: readonly NumberedRow[], offset = 0): ReadonlyMap<string, number> {
  return new Map(
    rows.flatMap(([first, names]) =>
      names.split(' ').map((name, index) => [name, first + index + offset] as const),
    ),
  );
}

/**
 * Linux key numbers of physical keys, by `KeyboardEvent.code`. Sources: linux/input-event-codes.h and the W3C
 * "UI Events KeyboardEvent code values".
 */
const LINUX_KEYS: readonly NumberedRow[] = [
  [1, 'Escape Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 Digit0 Minus Equal Backspace'],
  [15, 'Tab KeyQ KeyW KeyE KeyR KeyT KeyY KeyU KeyI KeyO KeyP BracketLeft BracketRight Enter'],
  [29, 'ControlLeft KeyA KeyS KeyD KeyF KeyG KeyH KeyJ KeyK KeyL Semicolon Quote Backquote'],
  [42, 'ShiftLeft Backslash KeyZ KeyX KeyC KeyV KeyB KeyN KeyM Comma Period Slash ShiftRight'],
  [55, 'NumpadMultiply AltLeft Space CapsLock F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 NumLock ScrollLock'],
  [71, 'Numpad7 Numpad8 Numpad9 NumpadSubtract Numpad4 Numpad5 Numpad6 NumpadAdd'],
  [79, 'Numpad1 Numpad2 Numpad3 Numpad0 NumpadDecimal'],
  [86, 'IntlBackslash F11 F12 IntlRo'],
  [96, 'NumpadEnter ControlRight NumpadDivide PrintScreen AltRight'],
  [102, 'Home ArrowUp PageUp ArrowLeft ArrowRight End ArrowDown PageDown Insert Delete'],
  [117, 'NumpadEqual'],
  [119, 'Pause'],
  [121, 'NumpadComma'],
  [124, 'IntlYen MetaLeft MetaRight ContextMenu'],
];

/** Difference between a Linux key number and the keycode of an X server with the evdev keycode rules. */
const X_OFFSET = 8;

/**
 * X keycodes of physical keys. The hosted browser receives no other physical keys, for example no media
 * keys.
 */
export const KEYCODE_OF = numbered(LINUX_KEYS, X_OFFSET);

/** True if a key with this `KeyboardEvent.code`, pressed without other keys, changes no text in a field. */
export function writesNothing(code: string): boolean {
  return /^(Shift|Control|Alt|Meta)(Left|Right)$|^CapsLock$/.test(code);
}
