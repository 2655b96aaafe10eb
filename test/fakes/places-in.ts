import { readdir } from 'node:fs/promises';

/**
 * The places of sessions in a runtime directory; the extensions that all sessions share, and locks, are left
 * out.
 */
export async function placesIn(root: string): Promise<string[]> {
  return (await readdir(root)).filter((name) => !/^(extensions-|locks$)/.test(name));
}
