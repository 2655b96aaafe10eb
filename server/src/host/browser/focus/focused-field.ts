/** What kinds of fields there are, by what a keyboard for them is like; `rich` is an editor, `frame` a page in a page. */
export const FIELD_KINDS = [
  ...['none', 'text', 'search', 'email', 'url', 'tel', 'number', 'password'],
  ...['date', 'select', 'toggle', 'range', 'color', 'file', 'rich', 'frame', 'hidden'],
] as const;
/** One of {@link FIELD_KINDS}. */
export type FieldKind = (typeof FIELD_KINDS)[number];

/** The element that has the focus in a frame. */
export interface FocusedField {
  /** The frame has the keyboard, or one inside it does. */
  focused: boolean;
  /** The frame can be seen. */
  visible: boolean;
  kind: FieldKind;
  /** The page's own `inputmode`; empty when it says none. */
  inputMode: string;
  /** It takes input only from users with the role `field_masking`. */
  masked: boolean;
  /** It may be inside a shadow tree that is not known yet. */
  hidden: boolean;
  /** Left, top, width and height in CSS pixels of the frame. */
  rectangle: readonly number[];
}

/** What is at a place of the screen, besides. */
export interface Look extends FocusedField {
  /** Something masked is there. */
  under: boolean;
  /** What is there may hide something else. */
  hides: boolean;
}

/** Reads what the script in a frame says; undefined when it is no such thing. */
export function readFocus(value: unknown): FocusedField | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const said: Partial<Record<keyof FocusedField, unknown>> = value;
  const { focused, visible, masked, hidden, inputMode, rectangle } = said;
  const kind = FIELD_KINDS.find((known) => known === said.kind) ?? 'text';
  if (typeof focused !== 'boolean' || typeof visible !== 'boolean') return undefined;
  if (typeof masked !== 'boolean' || typeof hidden !== 'boolean' || typeof inputMode !== 'string')
    return undefined;
  if (!Array.isArray(rectangle) || !rectangle.every((side): side is number => typeof side === 'number'))
    return undefined;
  return { focused, visible, kind, inputMode, masked, hidden, rectangle };
}

/** The same for a place of the screen. */
export function readLook(value: unknown): Look | undefined {
  const focus = readFocus(value);
  if (!focus || typeof value !== 'object' || value === null) return undefined;
  const { under, hides }: { under?: unknown; hides?: unknown } = value;
  return typeof under === 'boolean' && typeof hides === 'boolean' ? { ...focus, under, hides } : undefined;
}
