import type { RecordedFragment } from '../sessions/recordings/recording-record.js';
import { parseJson } from '../platform/parse-json.js';

/** The parts of a video file in their order: the initialisation segment and the fragments. */
export interface FragmentList {
  /** True if the files of the recording are encrypted. */
  sealed: boolean;
  /**
   * True if the video is still the file that the recorder wrote, without an index. For the name of this file
   * see {@link FILE_NAMES}.
   */
  live: boolean;
  /** Size of the initialisation segment. */
  init: number;
  /** Size of the index after the initialisation segment. 0 if there is none. */
  index: number;
  fragments: RecordedFragment[];
}

/** An entry of the list: one part of a video file. */
export type ListedPart =
  | { type: 'init'; size: number; index?: number }
  | { type: 'fragment'; size: number; time: number; duration: number; keyFrame: boolean };

/**
 * Returns the line of a part in the list file. The line of a fragment has four numbers: its size, time and
 * duration, and 1 if the fragment starts with a key frame, otherwise 0. The line of an initialisation segment
 * has one number, its size. If an index follows the segment, the line has two numbers: the size of both
 * together, and the size of the segment.
 */
export function lineOf(part: ListedPart): string {
  const { size } = part;
  const numbers =
    part.type === 'fragment'
      ? [size, part.time, part.duration, part.keyFrame ? 1 : 0]
      : part.index === undefined
        ? [size]
        : [size + part.index, size];
  return `${JSON.stringify(numbers)}\n`;
}

/** First line of the list of an encrypted recording. */
export const SEALED_LINE = '{"sealed":1}\n';
/**
 * Line that marks a video without an index. It is the first line, or the second line after
 * {@link SEALED_LINE}.
 */
export const LIVE_LINE = '{"live":1}\n';

/** Returns the text of a list. */
export function listText({ sealed, live, init, index, fragments }: FragmentList): string {
  const parts = fragments.map((fragment) => lineOf({ type: 'fragment', ...fragment }));
  const head = [sealed ? SEALED_LINE : '', live ? LIVE_LINE : ''];
  return [...head, lineOf({ type: 'init', size: init, index }), ...parts].join('');
}

/** Reads the list of a video's parts. An incomplete last line is ignored. */
export function readFragmentList(text: string): FragmentList {
  const sealed = text.startsWith(SEALED_LINE);
  const live = text.startsWith(LIVE_LINE, sealed ? SEALED_LINE.length : 0);
  const list: FragmentList = { sealed, live, init: 0, index: 0, fragments: [] };
  for (const line of text.split('\n')) {
    const [size, time, duration, keyFrame] = numbersOf(line);
    if (size === undefined) continue;
    const before = list.fragments.at(-1);
    const offset = before ? before.offset + before.size : headBytes(list);
    if (duration === undefined) {
      list.init = time ?? size;
      list.index = size - list.init;
    } else if (time !== undefined)
      list.fragments.push({ time, duration, offset, size, keyFrame: keyFrame === 1 });
  }
  return list;
}

/** Returns the number of bytes before the first fragment. */
export function headBytes({ init, index }: FragmentList): number {
  return init + index;
}

/** Returns the number of bytes of all listed parts. */
export function listedBytes(list: FragmentList): number {
  const last = list.fragments.at(-1);
  return last ? last.offset + last.size : headBytes(list);
}

/** Returns the end of the last listed part in seconds. */
export function listedSeconds({ fragments }: FragmentList): number {
  return fragments.reduce((end, { time, duration }) => Math.max(end, time + duration), 0);
}

/** Returns the sizes of the parts in their order. */
export function partSizes(list: FragmentList): number[] {
  return list.init === 0 ? [] : [headBytes(list), ...list.fragments.map(({ size }) => size)];
}

/** Returns the first `count` parts. The initialisation segment and the index together are the first part. */
export function firstParts(list: FragmentList, count: number): FragmentList {
  return {
    ...list,
    ...(count <= 0 && { init: 0, index: 0 }),
    fragments: list.fragments.slice(0, Math.max(0, count - 1)),
  };
}

/** Returns the parts that an unencrypted file of this length contains completely. */
export function withinBytes(list: FragmentList, length: number): FragmentList {
  const head = headBytes(list);
  const complete = list.fragments.filter(({ offset, size }) => offset + size <= length).length;
  return firstParts(list, head > 0 && head <= length ? 1 + complete : 0);
}

function numbersOf(line: string): number[] {
  // If the service was killed while it wrote, the last line may be incomplete.
  const value = parseJson(line);
  return Array.isArray(value) && value.every((item) => typeof item === 'number') ? value : [];
}
