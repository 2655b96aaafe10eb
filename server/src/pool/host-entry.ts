import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The main module of session hosts: compiled beside compiled code, a source file when sources are run directly. */
export function hostEntry(): string {
  return fileURLToPath(new URL(`../host/main${extname(import.meta.url)}`, import.meta.url));
}
