import type { ScreenRectangle } from 'cloud-browser/protocol';
import { FIELD_KINDS, type FieldKind } from './focused-field.js';

/** What has the focus in a frame, as its script tells it: see `teller.ts` of the scripts in browsers. */
export interface FieldReport {
  /** The frame has the keyboard, or one inside it does. */
  focused: boolean;
  /** The frame can be seen. */
  visible: boolean;
  /** How many frames are around it. */
  depth: number;
  /** Another number when another element has the focus, or the same one again. */
  turn: number;
  kind: FieldKind;
  hints: FieldHints;
  multiline: boolean;
  inForm: boolean;
  /** Of the element; of a frame, its content. In CSS pixels of the frame that tells. */
  rectangle: ScreenRectangle;
  caret: ScreenRectangle | undefined;
  /** CSS pixels of the frame that tells for one of the frame in it. */
  scale: readonly [x: number, y: number];
  view: WindowView;
}

/** The element's own attributes; empty where it has none. */
export interface FieldHints {
  inputMode: string;
  enterKeyHint: string;
  autocapitalize: string;
  autocomplete: string;
}

/** What a page knows of where it is on the screen. */
export interface WindowView {
  /** The window's left and lower end, in CSS pixels that no zoom changes. */
  left: number;
  end: number;
  /** How high the page is, in pixels of the screen. */
  inner: number;
  /** Pixels of the screen for a CSS pixel. */
  scale: number;
  /** What fingers have zoomed to, in CSS pixels of the page. */
  zoomedLeft: number;
  zoomedTop: number;
  width: number;
  height: number;
}

/** The longest text that a script tells; more is none of ours. */
export const MAX_REPORT_CHARS = 4_096;
const MAX_HINT_CHARS = 64;
/** Beyond any screen, in pixels. */
const FAR = 1e6;

/** Reads what a script says; undefined when it is no such thing. */
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
