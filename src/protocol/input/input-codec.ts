import { fromUtf8, ProtocolError, requireLength, utf8, viewOf } from '../bytes.js';
import type { InputEvent, PenState, TouchPoint } from './input.js';

/**
 * Input events, viewer to host, one per binary WebSocket message. Big-endian, with a fixed part of 8 bytes:
 *
 * | offset | type | field |
 * |---|---|---|
 * | 0 | u8 | kind, see {@link KIND} |
 * | 1 | u8 | detail, see below |
 * | 2 | u8 | modifiers |
 * | 3 | u8 | touch: number of points; otherwise 0 |
 * | 4 | u32 | seq (ack: frame number) |
 *
 * Detail of key and button: bit 7 is set for a press. Key: bit 6 is set for a repeat, bit 5 if Caps Lock is
 * on. Button: the low bits are the number of the button. Wheel: bit 0 is set for `notched`. Touch: the phase
 * (0 start, 1 move, 2 end, 3 cancel).
 *
 * The rest depends on the kind:
 * - move, button: x u16, y u16. For a stylus also: pressure u16 (65535 is 1), tiltX i8, tiltY i8
 * - wheel: x u16, y u16, deltaX i16, deltaY i16 (1/8 px)
 * - key: length u8 and bytes of `code`, length u8 and bytes of `key`
 * - text, composition: UTF-8 to the end
 * - touch: id u8, x u16, y u16 per point
 * - ack: stream u16
 * - release: nothing
 * - paste: transfer u32, then as key
 * - relative: x i16, y i16
 */
const KIND = {
  move: 1,
  button: 2,
  wheel: 3,
  key: 4,
  text: 5,
  composition: 6,
  touch: 7,
  release: 8,
  ack: 9,
  paste: 10,
  relative: 11,
} as const;

const TYPES = new Map(Object.entries(KIND).map(([type, kind]) => [kind, type as InputEvent['type']]));
const PHASES = ['start', 'move', 'end', 'cancel'] as const;

const HEADER = 8;
const POINT = 5;
const PRESSED = 0x80;
const REPEAT = 0x40;
const CAPS_LOCK = 0x20;

/** Longest text of one event, in UTF-8 bytes. The sender splits a longer text into several events. */
export const MAX_TEXT_BYTES = 16_384;
/** Maximum number of fingers in one event. */
export const MAX_TOUCH_POINTS = 16;
const MAX_KEY_BYTES = 64;

/** Encodes an event. Throws RangeError if a text or the number of fingers exceeds its limit. */
export function encodeInput(event: InputEvent): Uint8Array {
  const [body, detail = 0, count = 0] = parts(event);
  const { seq, modifiers } = event.type === 'ack' ? { seq: event.frame, modifiers: 0 } : event;
  return Uint8Array.from([
    KIND[event.type],
    detail,
    modifiers,
    count,
    ...u16(seq >>> 16),
    ...u16(seq),
    ...body,
  ]);
}

/** Bytes after the header. Of each number, only the lowest 8 bits are sent. */
type Body = Iterable<number>;

/** Returns the bytes after the header, and the header's detail and count. */
function parts(event: InputEvent): [body: Body, detail?: number, count?: number] {
  switch (event.type) {
    case 'move':
      return [at(event)];
    case 'relative':
      return [[...i16(event.x), ...i16(event.y)]];
    case 'button':
      return [at(event), event.button | (event.pressed ? PRESSED : 0)];
    case 'wheel':
      return [[...at(event), ...i16(event.deltaX * 8), ...i16(event.deltaY * 8)], event.notched ? 1 : 0];
    case 'key':
      return [
        names(event),
        (event.pressed ? PRESSED : 0) | (event.repeat ? REPEAT : 0) | (event.capsLock ? CAPS_LOCK : 0),
      ];
    case 'paste':
      return [[...u16(event.transfer >>> 16), ...u16(event.transfer), ...names(event)]];
    case 'text':
    case 'composition':
      return [limited(event.text, MAX_TEXT_BYTES)];
    case 'touch': {
      const { points, phase } = event;
      if (points.length > MAX_TOUCH_POINTS) throw new RangeError(`At most ${MAX_TOUCH_POINTS} fingers.`);
      const body = points.flatMap((point) => [point.id, ...at(point)]);
      return [body, PHASES.indexOf(phase), points.length];
    }
    case 'release':
      return [[]];
    case 'ack':
      return [u16(event.stream)];
  }
}

const u16 = (value: number): number[] => [value >>> 8, value];
/** Encodes a signed number in two bytes. Clamps it to ±32767, so that both directions have the same limit. */
const i16 = (value: number): number[] => u16(within(value, -0x7fff, 0x7fff));
/** Encodes a position, and the state of a stylus, whose values browsers report within their range. */
const at = ({ x, y, pen }: { x: number; y: number; pen?: PenState }): number[] => [
  ...[x, y].flatMap((each) => u16(within(each, 0, 0xffff))),
  ...(pen ? [...u16(pen.pressure * 0xffff), pen.tiltX, pen.tiltY] : []),
];

const within = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(most, Math.round(value)));

/** Encodes the two names of a key, each after its length. */
const names = ({ code, key }: { code: string; key: string }): number[] =>
  [code, key].flatMap((name) => {
    const bytes = limited(name, MAX_KEY_BYTES);
    return [bytes.length, ...bytes];
  });

function limited(text: string, limit: number): Uint8Array {
  const bytes = utf8(text);
  if (bytes.length > limit)
    throw new RangeError(`A text of ${bytes.length} bytes is over the limit of ${limit}.`);
  return bytes;
}

/** Decodes the bytes of {@link encodeInput} from an untrusted peer. Throws {@link ProtocolError}. */
export function decodeInput(bytes: Uint8Array): InputEvent {
  requireLength(bytes, HEADER, 'An input event');
  const view = viewOf(bytes);
  const type = TYPES.get(view.getUint8(0) as (typeof KIND)[keyof typeof KIND]);
  if (!type) throw new ProtocolError(`There is no input event of kind ${view.getUint8(0)}.`);
  const detail = view.getUint8(1);
  const base = { seq: view.getUint32(4), modifiers: view.getUint8(2) & 0x0f };
  switch (type) {
    case 'move':
      return { type, ...base, ...point(bytes, HEADER), ...penState(bytes) };
    case 'relative':
      requireLength(bytes, HEADER + 4, 'A distance');
      return { type, ...base, x: view.getInt16(HEADER), y: view.getInt16(HEADER + 2) };
    case 'button':
      return {
        type,
        ...base,
        ...point(bytes, HEADER),
        ...penState(bytes),
        button: button(detail),
        pressed: (detail & PRESSED) !== 0,
      };
    case 'wheel': {
      requireLength(bytes, HEADER + 8, 'A wheel event');
      const deltaX = view.getInt16(HEADER + 4) / 8;
      const deltaY = view.getInt16(HEADER + 6) / 8;
      return { type, ...base, ...point(bytes, HEADER), deltaX, deltaY, notched: (detail & 1) !== 0 };
    }
    case 'key': {
      const pressed = (detail & PRESSED) !== 0;
      const repeat = (detail & REPEAT) !== 0;
      const names = keyNames(bytes, HEADER);
      return {
        type,
        ...base,
        pressed,
        repeat,
        ...names,
        ...((detail & CAPS_LOCK) !== 0 && { capsLock: true }),
      };
    }
    case 'paste':
      requireLength(bytes, HEADER + 4, 'A paste event');
      return { type, ...base, transfer: view.getUint32(HEADER), ...keyNames(bytes, HEADER + 4) };
    case 'text':
    case 'composition': {
      if (bytes.byteLength - HEADER > MAX_TEXT_BYTES) {
        throw new ProtocolError(`A text may have ${MAX_TEXT_BYTES} bytes at most.`);
      }
      return { type, ...base, text: fromUtf8(bytes.subarray(HEADER)) };
    }
    case 'touch':
      return { type, ...base, ...touch(bytes, view, detail) };
    case 'release':
      return { type, ...base };
    case 'ack':
      requireLength(bytes, HEADER + 2, 'An acknowledgement');
      return { type, stream: view.getUint16(HEADER), frame: base.seq };
  }
}

function point(bytes: Uint8Array, offset: number): { x: number; y: number } {
  requireLength(bytes, offset + 4, 'A position');
  const view = viewOf(bytes);
  return { x: view.getUint16(offset), y: view.getUint16(offset + 2) };
}

/** Reads the state of a stylus, which only some events have. */
function penState(bytes: Uint8Array): { pen?: PenState } {
  if (bytes.byteLength < HEADER + 8) return {};
  const view = viewOf(bytes);
  const tilt = (offset: number): number => within(view.getInt8(offset), -90, 90);
  const pressure = view.getUint16(HEADER + 4) / 0xffff;
  return { pen: { pressure, tiltX: tilt(HEADER + 6), tiltY: tilt(HEADER + 7) } };
}

function button(detail: number): number {
  const value = detail & ~PRESSED;
  if (value > 4) throw new ProtocolError(`There is no pointer button ${value}.`);
  return value;
}

function keyNames(bytes: Uint8Array, offset: number): { code: string; key: string } {
  const code = shortText(bytes, offset);
  return { code: code.text, key: shortText(bytes, offset + 1 + code.length).text };
}

function shortText(bytes: Uint8Array, offset: number): { text: string; length: number } {
  requireLength(bytes, offset + 1, 'A key event');
  const length = bytes[offset] ?? 0;
  if (length > MAX_KEY_BYTES) throw new ProtocolError(`A key name may have ${MAX_KEY_BYTES} bytes at most.`);
  requireLength(bytes, offset + 1 + length, 'A key event');
  return { text: fromUtf8(bytes.subarray(offset + 1, offset + 1 + length)), length };
}

function touch(bytes: Uint8Array, view: DataView, detail: number) {
  const phase = PHASES[detail];
  if (!phase) throw new ProtocolError(`There is no touch phase ${detail}.`);
  const count = view.getUint8(3);
  if (count > MAX_TOUCH_POINTS) throw new ProtocolError(`At most ${MAX_TOUCH_POINTS} fingers, got ${count}.`);
  requireLength(bytes, HEADER + POINT * count, 'A touch event');
  const points: TouchPoint[] = [];
  for (let index = 0; index < count; index++) {
    const offset = HEADER + POINT * index;
    points.push({ id: view.getUint8(offset), ...point(bytes, offset + 1) });
  }
  return { phase, points };
}
