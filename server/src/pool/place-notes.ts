import { readFile, rm } from 'node:fs/promises';
import { isTemporary, writeFileAtomic } from '../platform/atomic-file.js';

/** What is to become of the files in a place, should the service be killed. */
export interface PlaceNote {
  /** The profile that they are to be saved as. */
  profile: string;
  /** The state directory of the service that keeps that profile. */
  keeper: string;
}

/** The note about a place lies beside its directory, where no session can write. */
const noteOf = (directory: string) => `${directory}.profile`;

/** Writes a note; it outlives the service. */
export async function writeNote(directory: string, note: PlaceNote): Promise<void> {
  await writeFileAtomic(noteOf(directory), JSON.stringify(note));
}

/** The note about a place; undefined when there is none. */
export async function readNote(directory: string): Promise<PlaceNote | undefined> {
  const text = await readFile(noteOf(directory), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  // Written by a service like this one, at once or not at all.
  return text === undefined ? undefined : (JSON.parse(text) as PlaceNote);
}

/** Whether a name beside places is a note that was being written. It begins with the number of the place. */
export function isUnfinishedNote(name: string): boolean {
  return /^\d+\.profile\./.test(name) && isTemporary(name);
}

/** What the place holds is saved, or not wanted. */
export async function removeNote(directory: string): Promise<void> {
  await rm(noteOf(directory), { force: true });
}
