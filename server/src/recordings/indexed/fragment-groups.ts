import type { RecordedFragment } from '../../sessions/recordings/recording-record.js';
import { VideoIndexError } from '../boxes/boxes.js';
import { MAX_REFERENCES } from './segment-index.js';

/** Fragments that belong together. The first fragment starts with a key frame. */
export type FragmentGroup = [RecordedFragment, ...RecordedFragment[]];

/**
 * Divides fragments into groups that start with a key frame. If there are more than `most` groups, joins
 * short groups. Throws {@link VideoIndexError} if there is no fragment, or if the first fragment does not
 * start with a key frame.
 */
export function fragmentGroups(
  fragments: readonly RecordedFragment[],
  most = MAX_REFERENCES,
): FragmentGroup[] {
  if (fragments[0]?.keyFrame !== true) throw new VideoIndexError('it does not start with a key frame.');
  for (let seconds = 0; ; seconds = seconds * 2 || 1) {
    const groups = groupsOf(fragments, seconds);
    if (groups.length <= most) return groups;
  }
}

/** @param seconds shortest time from the start of a group to the start of the next group */
function groupsOf(fragments: readonly RecordedFragment[], seconds: number): FragmentGroup[] {
  const groups: FragmentGroup[] = [];
  for (const fragment of fragments) {
    const last = groups.at(-1);
    if (!last || (fragment.keyFrame && fragment.time - last[0].time >= seconds)) groups.push([fragment]);
    else last.push(fragment);
  }
  return groups;
}
