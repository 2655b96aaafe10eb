import type { ScreenRectangle } from 'cloud-browser/protocol';
import { FIELD_KINDS, type FieldKind } from './focused-field.js';
import { isRecord } from '../../../platform/is-record.js';

/** Focus in a frame, as reported by the frame's script; see `focus/teller.ts` of the browser extensions. */
export interface FieldReport {
  /** True if the frame, or a frame inside it, has the keyboard focus. */
  focused: boolean;
  /** True if the frame is visible. */
  visible: boolean;
  /** Number of frames around this frame. */
  depth: number;
  /** Changes when another element gets the focus, or when the same element gets it again. */
  turn: number;
  kind: FieldKind;
  hints: FieldHints;
  multiline: boolean;
  inForm: boolean;
  /**
   * Position of the element in CSS pixels of the reporting frame. For a frame element, position of its
   * content.
   */
  rectangle: ScreenRectangle;
  caret: ScreenRectangle | undefined;
  /** CSS pixels of the reporting frame per CSS pixel of the frame inside it. */
  scale: readonly [x: number, y: number];
  view: WindowView;
}

/** Attributes of the focused element. An attribute that the element does not have is empty. */
export interface FieldHints {
  inputMode: string;
  enterKeyHint: string;
  autocapitalize: string;
  autocomplete: string;
}

/** Position of a page on the screen, as reported by the page. */
export interface WindowView {
  /** Left and lower edge of the window, in CSS pixels without zoom. */
  left: number;
  end: number;
  /** Height of the page, in pixels of the screen. */
  inner: number;
  /** Pixels of the screen per CSS pixel. */
  scale: number;
  /** Area that the pinch zoom shows, in CSS pixels of the page. */
  zoomedLeft: number;
  zoomedTop: number;
  width: number;
  height: number;
}

/** Maximum length of a script's message. The project's script sends only shorter messages. */
export const MAX_REPORT_CHARS = 4_096;
const MAX_HINT_CHARS = 64;
/** Limit of coordinates, beyond any screen. Pixels. */
const FAR = 1e6;

/** Reads a script's report. Returns undefined if it is invalid. */
export function readReport(value: unknown): FieldReport | undefined {
  if (!isRecord(value)) return undefined;
  const { focused, visible, depth, turn, multiline, inForm } = value;
  const hints = readHints(value['hints']);
  const rectangle = numbers(value['rectangle'], 4);
  const caret = value['caret'] === null ? undefined : numbers(value['caret'], 4);
  const scale = numbers(value['scale'], 2);
  const view = numbers(value['view'], 8);
  if (![focused, visible, multiline, inForm].every((flag) => typeof flag === 'boolean')) return undefined;
  if (!isCount(depth) || !isCount(turn) || !hints || !rectangle || !scale || !view) return undefined;
  const [left = 0, end = 0, inner = 0, viewScale = 1, zoomedLeft = 0, zoomedTop = 0, width = 0, height = 0] =
    view;
  return {
    ...{ focused: focused === true, visible: visible === true, multiline: multiline === true },
    ...{ inForm: inForm === true, depth, turn, hints },
    kind: FIELD_KINDS.find((kind) => kind === value['kind']) ?? 'text',
    rectangle: asRectangle(rectangle),
    caret: caret && asRectangle(caret),
    scale: [scale[0] ?? 1, scale[1] ?? 1],
    view: { left, end, inner, scale: viewScale, zoomedLeft, zoomedTop, width, height },
  };
}

function readHints(value: unknown): FieldHints | undefined {
  if (!isRecord(value)) return undefined;
  const text = (name: string) => {
    const said = value[name];
    return typeof said === 'string' ? said.slice(0, MAX_HINT_CHARS) : '';
  };
  return {
    inputMode: text('inputMode'),
    enterKeyHint: text('enterKeyHint'),
    autocapitalize: text('autocapitalize'),
    autocomplete: text('autocomplete'),
  };
}

function numbers(value: unknown, count: number): number[] | undefined {
  if (!Array.isArray(value) || value.length !== count) return undefined;
  const all: unknown[] = value;
  return all.every(isNumber) ? all.map((number) => Math.max(-FAR, Math.min(number, FAR))) : undefined;
}

function asRectangle([left = 0, top = 0, width = 0, height = 0]: number[]): ScreenRectangle {
  return [left, top, width, height];
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
