import type { ClipboardType } from 'cloud-browser/protocol';
import { atomOf, type XConnection } from '../x-client.js';

/**
 * Names of selections, targets and property types (ICCCM), of the browser's MIME types, and of the host's own
 * property.
 */
const NAMES = [
  'CLIPBOARD',
  'TARGETS',
  'TIMESTAMP',
  'INCR',
  'ATOM',
  'INTEGER',
  'UTF8_STRING',
  'TEXT',
  'text/plain;charset=utf-8',
  'text/plain',
  'text/html',
  'image/png',
  'CLOUD_BROWSER_CLIPBOARD',
] as const;

/** Atoms of {@link NAMES} on one display. */
export type ClipboardAtoms = Readonly<Record<(typeof NAMES)[number], number>>;

/** Requests the atoms of {@link NAMES} from a display. */
export async function clipboardAtoms(connection: XConnection): Promise<ClipboardAtoms> {
  const numbers = NAMES.map((name) => atomOf(connection, name));
  const pairs = (await Promise.all(numbers)).map((number, index) => [NAMES[index], number] as const);
  return Object.fromEntries(pairs) as ClipboardAtoms;
}

/** X11 targets under which the host offers each type. To request a type, the host uses its first target. */
export const TARGETS_OF: Readonly<Record<ClipboardType, readonly (keyof ClipboardAtoms)[]>> = {
  'text/plain': ['UTF8_STRING', 'text/plain;charset=utf-8', 'text/plain', 'TEXT'],
  'text/html': ['text/html'],
  'image/png': ['image/png'],
};
