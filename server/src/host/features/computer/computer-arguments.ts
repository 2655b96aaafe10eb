import {
  MAX_ACCESSIBLE_VALUE,
  PICTURE_FORMATS,
  type PictureFormat,
  type ScreenRegion,
  type ScreenshotOptions,
} from 'cloud-browser/protocol';
import type { Size } from '../../../platform/screen-size.js';
import { numberOrNaN, wrong } from '../../room/calls/arguments.js';
import { modifierOf, strokeOf, type KeyStroke } from './key-names.js';

/**
 * Untrusted fields of an action. The service has converted them to the types of their schema, for example
 * numbers to texts. All functions of this file throw `CallError` for a wrong field.
 */
export type Fields = Readonly<Record<string, unknown>>;

/** Maximum position on a screen. */
const MAX_POSITION = 65_535;
/** Maximum distance of one scroll, in CSS pixels. */
const MAX_SCROLL = 4_095;
/** Maximum number of points of a drag. */
const MAX_PATH = 100;
/** Maximum number of characters of the text of one action `type`. */
const MAX_TEXT = 10_000;
const MAX_KEY_CHARS = 64;
/**
 * Accepted names of keys. The name `cmd` is not accepted as another name of Meta, because programs that send
 * `cmd+c` mean Control.
 */
const KEYS =
  'the name of a key or a shortcut, such as Enter, a or Control+Shift+T. The modifiers are Shift, Control, Alt and Meta. Use Control for cmd';
/** Maximum waits and their defaults, in milliseconds. */
const STABLE_MS = { max: 5_000, standard: 0 };
const STABLE_LIMIT_MS = { max: 15_000, standard: 5_000 };
const MAX_WAIT_MS = 10_000;
const STANDARD_JPEG_QUALITY = 85;
const MIN_SCALE = 0.05;

/** A place on the screen, in pixels of the screen. */
export interface Point {
  x: number;
  y: number;
}

/** Target of an action: a place, or a node of the accessibility tree. */
export type Target = Point | { node: number };

/** Checked options of a screenshot. Only `region` may be absent. */
export interface CheckedScreenshot extends Required<Omit<ScreenshotOptions, 'region'>> {
  region?: ScreenRegion;
}

const BUTTONS = ['left', 'middle', 'right'] as const;

/** Returns the fields of the only argument of a method. A field that is null counts as not given. */
export function fieldsOf([value]: readonly unknown[]): Fields {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong('The argument', 'an object');
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

/** Returns the options of a screenshot. */
export function screenshotOf(fields: Fields): CheckedScreenshot {
  return {
    format: formatOf(fields['format']),
    quality: whole(fields, 'quality', { least: 1, most: 100, standard: STANDARD_JPEG_QUALITY }),
    ...(fields['region'] !== undefined && { region: regionOf(fields['region']) }),
    scale: number(fields, 'scale', { least: MIN_SCALE, most: 1, standard: 1 }),
    cursor: flag(fields, 'cursor'),
    wait_for_stable: number(fields, 'wait_for_stable', {
      least: 0,
      most: STABLE_MS.max,
      standard: STABLE_MS.standard,
    }),
    timeout: number(fields, 'timeout', {
      least: 0,
      most: STABLE_LIMIT_MS.max,
      standard: STABLE_LIMIT_MS.standard,
    }),
  };
}

/** Returns the target of an action: `ref`, or `x` and `y`. */
export function targetOf(fields: Fields): Target {
  const target = optionalTargetOf(fields);
  if (!target) throw wrong('The target', 'ref, or x and y');
  return target;
}

/**
 * Like {@link targetOf}, but returns undefined if the action has no target. Models send an empty `ref` for a
 * target that they do not use.
 */
export function optionalTargetOf(fields: Fields): Target | undefined {
  const { ref = '' } = fields;
  if (ref !== '') return { node: nodeOf(ref) };
  if (fields['x'] === undefined && fields['y'] === undefined) return undefined;
  return pointOf(fields, scaleOf(fields));
}

/** Returns a point. Throws `CallError` if the point is not on a screen of this size. */
export function onScreen(point: Point, screen: Size | undefined): Point {
  if (screen && (point.x >= screen.width || point.y >= screen.height))
    throw wrong('x and y', `a position on the screen, which has ${screen.width} x ${screen.height} pixels`);
  return point;
}

/** Returns the targets of a drag. */
export function pathOf(fields: Fields): Target[] {
  const { path } = fields;
  if (!Array.isArray(path) || path.length < 2 || path.length > MAX_PATH)
    throw wrong('path', `a list of 2 to ${MAX_PATH} targets, each {x, y} or {ref}`);
  const scale = scaleOf(fields);
  return path.map((target: unknown) => targetOf({ ...fieldsOf([target]), scale }));
}

/** Returns the button of a press, as in `MouseEvent.button`. */
export function buttonOf({ button = 'left' }: Fields): number {
  const index = BUTTONS.findIndex((name) => name === button);
  if (index === -1) throw wrong('button', `one of ${BUTTONS.join(', ')}`);
  return index;
}

/** Returns the number of clicks or key presses. */
export function countOf(fields: Fields, most: number): number {
  return whole(fields, 'count', { least: 1, most, standard: 1 });
}

/** Returns the bits of the modifiers that are held during a press. */
export function modifiersOf({ modifiers = [] }: Fields): number {
  if (!Array.isArray(modifiers)) throw wrong('modifiers', 'a list of Shift, Control, Alt and Meta');
  return modifiers.reduce((sum: number, name: unknown) => {
    const bit = typeof name === 'string' ? modifierOf(name) : undefined;
    if (bit === undefined) throw wrong('modifiers', 'a list of Shift, Control, Alt and Meta');
    return sum | bit;
  }, 0);
}

/** Returns the distance of a scroll in CSS pixels. */
export function distanceOf(fields: Fields): Point {
  const range = { least: -MAX_SCROLL, most: MAX_SCROLL, standard: 0 };
  const distance = { x: number(fields, 'delta_x', range), y: number(fields, 'delta_y', range) };
  if (distance.x === 0 && distance.y === 0) throw wrong('delta_y', 'a distance in pixels other than 0');
  return distance;
}

/** Returns the text of the action `type`. */
export function textOf(fields: Fields): string {
  const text = fields['text'];
  if (typeof text !== 'string' || text.length > MAX_TEXT)
    throw wrong('text', `a text of at most ${MAX_TEXT} characters`);
  return text;
}

/** Returns the value of the action `set`. */
export function valueOf(fields: Fields): string {
  const value = fields['value'];
  if (typeof value !== 'string' || value.length > MAX_ACCESSIBLE_VALUE)
    throw wrong('value', `a text of at most ${MAX_ACCESSIBLE_VALUE} characters`);
  return value;
}

/** Returns the key of the action `key`. */
export function strokeOfFields({ key }: Fields): KeyStroke {
  const stroke = typeof key === 'string' && key.length <= MAX_KEY_CHARS ? strokeOf(key) : undefined;
  if (!stroke) throw wrong('key', KEYS);
  return stroke;
}

/** Returns the duration of the action `wait` in milliseconds. */
export function waitOf(fields: Fields): number {
  return number(fields, 'milliseconds', { least: 0, most: MAX_WAIT_MS, standard: 1_000 });
}

/** Returns a field that is true or false. An absent field is false. */
export function flag(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false;
  if (typeof value !== 'boolean') throw wrong(name, 'true or false');
  return value;
}

/** Returns the number of a node from its reference, such as `e12`, in the field with this name. */
export function nodeOf(ref: unknown, name = 'ref'): number {
  const [, digits] = (typeof ref === 'string' && /^e(\d{1,15})$/.exec(ref)) || [];
  if (digits === undefined) throw wrong(name, 'a reference in the newest text of the page, such as e12');
  return Number(digits);
}

function formatOf(value: unknown = 'png'): PictureFormat {
  const format = PICTURE_FORMATS.find((name) => name === value);
  if (!format) throw wrong('format', `one of ${PICTURE_FORMATS.join(', ')}`);
  return format;
}

function regionOf(value: unknown): ScreenRegion {
  const { x, y, width, height } = fieldsOf([value]);
  const [left, top, columns, rows] = [x, y, width, height].map((side) => Math.round(numberOrNaN(side)));
  const fits = (side: number | undefined, least: number): side is number =>
    side !== undefined && side >= least && side <= MAX_POSITION;
  if (!fits(left, 0) || !fits(top, 0) || !fits(columns, 1) || !fits(rows, 1))
    throw wrong('region', '{x, y, width, height} in pixels of the screen');
  return { x: left, y: top, width: columns, height: rows };
}

/** Returns the scale of the screenshot in which the program measured its positions. */
function scaleOf(fields: Fields): number {
  return number(fields, 'scale', { least: MIN_SCALE, most: 1, standard: 1 });
}

function pointOf({ x, y }: Fields, scale: number): Point {
  const [left, top] = [Math.round(numberOrNaN(x) / scale), Math.round(numberOrNaN(y) / scale)];
  const fits = (side: number) => side >= 0 && side <= MAX_POSITION;
  if (!fits(left) || !fits(top)) throw wrong('x and y', 'a position on the screen in pixels');
  return { x: left, y: top };
}

interface Range {
  least: number;
  most: number;
  standard: number;
}

function number(fields: Fields, name: string, { least, most, standard }: Range): number {
  const value = fields[name] ?? standard;
  if (typeof value === 'number' && value >= least && value <= most) return value;
  throw wrong(name, `a number from ${least} to ${most}`);
}

function whole(fields: Fields, name: string, range: Range): number {
  const value = number(fields, name, range);
  if (Number.isInteger(value)) return value;
  throw wrong(name, `a whole number from ${range.least} to ${range.most}`);
}
