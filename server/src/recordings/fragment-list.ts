import type { RecordedFragment } from '../sessions/recordings/recording-record.js';

/** Parts of a video file in their order. */
export interface FragmentList {
  /** True if the files of the recording are encrypted. */
  sealed: boolean;
  /** Size of the initialisation segment. */
  init: number;
  fragments: RecordedFragment[];
}

/** A part of a video file, as it is listed. */
export type ListedPart =
  | { type: 'init'; size: number }
  | { type: 'fragment'; size: number; time: number; duration: number; keyFrame: boolean };

/** Returns the line of a part: its size, time, duration, and 1 if it starts with a key frame. */
export function lineOf(part: ListedPart): string {
  const { size } = part;
  const numbers = part.type === 'init' ? [size] : [size, part.time, part.duration, part.keyFrame ? 1 : 0];
  return `${JSON.stringify(numbers)}\n`;
}

/** First line of the list of an encrypted recording. */
export const SEALED_LINE = '{"sealed":1}\n';

/** Reads the list of a video's parts. An incomplete last line is ignored. */
export function readFragmentList(text: string): FragmentList {
  const list: FragmentList = { sealed: text.startsWith(SEALED_LINE), init: 0, fragments: [] };
  for (const line of text.split('\n')) {
    const [size, time, duration, keyFrame] = numbersOf(line);
    if (size === undefined) continue;
    const before = list.fragments.at(-1);
    const offset = before ? before.offset + before.size : list.init;
    if (time === undefined || duration === undefined) list.init = size;
    else list.fragments.push({ time, duration, offset, size, keyFrame: keyFrame === 1 });
  }
  return list;
}

/** Returns the bytes of the listed parts. */
export function listedBytes({ init, fragments }: FragmentList): number {
  const last = fragments.at(-1);
  return last ? last.offset + last.size : init;
}

/** Returns the seconds of the listed parts. */
export function listedSeconds({ fragments }: FragmentList): number {
  return fragments.reduce((end, { time, duration }) => Math.max(end, time + duration), 0);
}

/** Returns the sizes of the parts in their order. */
export function partSizes({ init, fragments }: FragmentList): number[] {
  return init === 0 ? [] : [init, ...fragments.map(({ size }) => size)];
}

/** Returns the first `count` parts. The initialisation segment is the first one. */
export function firstParts(list: FragmentList, count: number): FragmentList {
  return {
    ...list,
    init: count > 0 ? list.init : 0,
    fragments: list.fragments.slice(0, Math.max(0, count - 1)),
  };
}

/** Returns the parts that a plain file of this length contains completely. */
export function withinBytes(list: FragmentList, length: number): FragmentList {
  const { init, fragments } = list;
  const complete = fragments.filter(({ offset, size }) => offset + size <= length).length;
  return firstParts(list, init > 0 && init <= length ? 1 + complete : 0);
}

function numbersOf(line: string): number[] {
  try {
    const value: unknown = JSON.parse(line);
    return Array.isArray(value) && value.every((item) => typeof item === 'number') ? value : [];
  } catch {
    // The last line of a killed service may be incomplete.
    return [];
  }
}
