import { CodedError } from '../platform/coded-error.js';

/** Bounds of an extension archive. Sizes in bytes. */
export const ARCHIVE_LIMITS = {
  packed: 1_048_576,
  unpacked: 16 * 1_048_576,
  entries: 1_000,
  /** Of one file to its packed form; text rarely exceeds 20. */
  ratio: 200,
  /** Folders in folders. */
  depth: 16,
  nameBytes: 255,
} as const;

/** An archive cannot be taken. The message is the end of a sentence for its author. */
export class ArchiveError extends CodedError {
  readonly code = 'err_archive';
}
