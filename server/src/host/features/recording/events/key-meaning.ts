import { Modifier, type Key } from 'cloud-browser/protocol';

/**
 * Meaning of a pressed key for a recording. `keys` is the name of a shortcut or key, such as `Control+C`.
 * `none`: a modifier, or the repetition of a shortcut or named key that is held.
 */
export type KeyMeaning =
  { kind: 'shortcut' | 'key'; keys: string } | { kind: 'typing' | 'none'; keys?: undefined };

/** Keys that only change the meaning of other keys, and names that identify no key. */
const SILENT = /^(Shift|Control|Alt|AltGraph|Meta|CapsLock|NumLock|Fn|Dead|Process|Unidentified|)$/;
/** Named keys that belong to typing. */
const EDITING = /^(Backspace|Delete|Arrow(Up|Down|Left|Right))$/;
/**
 * Names of other keys that a recording may contain. Programs can send any name, so all further names count as
 * typing.
 */
const NAMED =
  /^(Enter|Escape|Tab|Home|End|PageUp|PageDown|Insert|ContextMenu|Pause|PrintScreen|F\d{1,2}|Browser\w{1,20}|Media\w{1,20}|Audio\w{1,20})$/;

/** Returns the meaning of a pressed key. Never contains a character that the user typed. */
export function meaningOf({ key, modifiers, repeat }: Key): KeyMeaning {
  if (SILENT.test(key)) return { kind: 'none' };
  const has = (bit: number) => (modifiers & bit) !== 0;
  const [control, alt, meta] = [has(Modifier.control), has(Modifier.alt), has(Modifier.meta)];
  const isNamed = NAMED.test(key) || EDITING.test(key);
  // With Control and Alt together, or with Option on a Mac, a key enters another character. Such a press is
  // typing, not a shortcut.
  const enters = !isNamed && !meta && alt && (control || !/^[a-z0-9]$/i.test(key));
  const isShortcut = (control || alt || meta) && !enters && (isNamed || [...key].length === 1);
  if (isShortcut || (has(Modifier.shift) && NAMED.test(key)))
    return repeat ? { kind: 'none' } : { kind: 'shortcut', keys: nameOf(key, modifiers) };
  if (!NAMED.test(key)) return { kind: 'typing' };
  return repeat ? { kind: 'none' } : { kind: 'key', keys: key };
}

function nameOf(key: string, modifiers: number): string {
  const held = (
    [
      ['Control', Modifier.control],
      ['Alt', Modifier.alt],
      ['Shift', Modifier.shift],
      ['Meta', Modifier.meta],
    ] as const
  ).filter(([, bit]) => (modifiers & bit) !== 0);
  return [
    ...held.map(([name]) => name),
    key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key,
  ].join('+');
}
