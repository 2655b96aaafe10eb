import { readdir } from 'node:fs/promises';

/** What lies in a runtime directory, but for the extensions that all sessions share. */
export async function placesIn(root: string): Promise<string[]> {
  return (await readdir(root)).filter((name) => !name.startsWith('extensions-'));
}
