/** Kinds of fields, by the keyboard that suits them. `rich` is an editor. `frame` is a page inside a page. */
export const FIELD_KINDS = [
  ...['none', 'text', 'search', 'email', 'url', 'tel', 'number', 'password'],
  ...['date', 'select', 'toggle', 'range', 'color', 'file', 'rich', 'frame', 'hidden'],
] as const;
/** One of {@link FIELD_KINDS}. */
export type FieldKind = (typeof FIELD_KINDS)[number];

/** The element that has the focus in a frame. */
export interface FocusedField {
  /** True if the frame, or a frame inside it, has the keyboard focus. */
  focused: boolean;
  /** True if the frame is visible. */
  visible: boolean;
  kind: FieldKind;
  /** The page's own `inputmode`; empty if it sets none. */
  inputMode: string;
  /** True if the element takes input only from users with the role `field_masking`. */
  masked: boolean;
  /** True if the focus may be inside a closed shadow tree that the script cannot access yet. */
  hidden: boolean;
  /** A selector of `field_masking` that applies to this page and is invalid. Absent if there is none. */
  invalid?: string;
  /** Left, top, width and height in CSS pixels of the frame. */
  rectangle: readonly number[];
}

/** Left and top, in CSS pixels of a frame. */
export type Place = readonly [x: number, y: number];

/** The focused element of a frame, and the element at a position of the screen or the frame. */
export interface Look extends FocusedField {
  /** True if a masked element is at the position. */
  under: boolean;
  /** True if the element at the position may have a closed shadow tree that the script cannot access yet. */
  hides: boolean;
  /**
   * The same position in the CSS pixels of the inner frame at this position. Absent if no inner frame is
   * there.
   */
  inside?: Place;
  /** True if the position is in the frame. */
  within: boolean;
}

/** Reads the answer of a frame's script. Returns undefined if it is malformed. */
export function readFocus(value: unknown): FocusedField | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const said: Partial<Record<keyof FocusedField, unknown>> = value;
  const { focused, visible, masked, hidden, invalid, inputMode, rectangle } = said;
  const kind = FIELD_KINDS.find((known) => known === said.kind) ?? 'text';
  if (typeof focused !== 'boolean' || typeof visible !== 'boolean') return undefined;
  if (typeof masked !== 'boolean' || typeof hidden !== 'boolean' || typeof inputMode !== 'string')
    return undefined;
  if (!Array.isArray(rectangle) || !rectangle.every((side): side is number => typeof side === 'number'))
    return undefined;
  const field = { focused, visible, kind, inputMode, masked, hidden, rectangle };
  return typeof invalid === 'string' ? { ...field, invalid } : field;
}

/** Reads the answer for a position. Returns undefined if it is malformed. */
export function readLook(value: unknown): Look | undefined {
  const focus = readFocus(value);
  if (!focus || typeof value !== 'object' || value === null) return undefined;
  const { under, hides, inside, within }: Partial<Record<keyof Look, unknown>> = value;
  if (typeof under !== 'boolean' || typeof hides !== 'boolean') return undefined;
  return { ...focus, under, hides, within: within === true, ...(isPlace(inside) && { inside }) };
}

function isPlace(value: unknown): value is Place {
  return Array.isArray(value) && value.length === 2 && value.every((side) => Number.isFinite(side));
}
