import { readFile, rm } from 'node:fs/promises';
import { isTemporary, writeFileAtomic } from '../platform/files/atomic-file.js';
import { ignoreMissing } from '../platform/files/ignore-missing.js';
import type { ProfileWorkingCopy } from '../sessions/profiles/profile-claims.js';

/**
 * Note that the place of a session contains a profile to save. If the service is killed, its next process
 * saves this profile.
 */
export interface PlaceNote extends ProfileWorkingCopy {
  /** State directory of the service that stores the profile. */
  keeper: string;
}

/** The note about a place is next to its directory, where no session can write. */
const noteOf = (directory: string) => `${directory}.profile`;

/** Writes a note to a file that outlives the service. */
export async function writeNote(directory: string, note: PlaceNote): Promise<void> {
  await writeFileAtomic(noteOf(directory), JSON.stringify(note));
}

/** Returns the note about a place, or undefined if there is none. */
export async function readNote(directory: string): Promise<PlaceNote | undefined> {
  const text = await readFile(noteOf(directory), 'utf8').catch(ignoreMissing);
  // The file is complete, because services write it atomically. Adds the fields that older versions did not
  // write.
  return text === undefined
    ? undefined
    : { owner: null, claimed: false, ...(JSON.parse(text) as Pick<PlaceNote, 'profile' | 'keeper'>) };
}

/**
 * True if a file with this name is an incompletely written note about a place. Such a name begins with the
 * number of the place.
 */
export function isUnfinishedNote(name: string): boolean {
  return /^\d+\.profile\./.test(name) && isTemporary(name);
}

/** Removes the note when the data in the place is saved or no longer needed. */
export async function removeNote(directory: string): Promise<void> {
  await rm(noteOf(directory), { force: true });
}
