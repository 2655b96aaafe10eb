import { CodedError } from '../platform/coded-error.js';

/** Limits of an extension archive. Sizes are in bytes. */
export const ARCHIVE_LIMITS = {
  packed: 1_048_576,
  unpacked: 16 * 1_048_576,
  entries: 1_000,
  /** Ratio of a file's size to its packed size. Text rarely exceeds 20. */
  ratio: 200,
  /** Nesting depth of folders. */
  depth: 16,
  nameBytes: 255,
} as const;

/**
 * The service does not accept an archive. The message completes a sentence such as "The extension cannot be
 * installed: …".
 */
export class ArchiveError extends CodedError {
  readonly code = 'err_archive';
}
