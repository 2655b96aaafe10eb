import { CodedError } from '../platform/coded-error.js';
import { isStorageError } from '../platform/storage-error.js';

/** The service cannot start with its configuration. The message tells the operator what to do. */
export class StartError extends CodedError {
  readonly code = 'err_start';
}

/** Error codes of a file that the user of the service may not read, write or remove. */
const REFUSALS = ['EACCES', 'EPERM'];

/** Error codes of a path at which there is something else than the service needs. */
const OTHER_KINDS = ['EEXIST', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG'];

/**
 * Returns the error that an operator reads after a failed start. An error of the file system becomes a
 * {@link StartError} with advice, and stays its `cause`. Any other error is returned unchanged.
 */
export function startErrorOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CodedError) return error;
  const { code = '', path, syscall, message } = error as NodeJS.ErrnoException;
  if (code === 'EFBIG')
    return new StartError(
      `The service cannot write a file (${message}). Raise the limit of the size of files (ulimit -f, or LimitFSIZE of systemd).`,
      { cause: error },
    );
  if (isStorageError(error))
    return new StartError(
      `The service cannot write its files (${message}). If the file is in STATE_DIR, RUNTIME_DIR or RECORDINGS_DIR, the disk of that directory is full, read-only or failing.`,
      { cause: error },
    );
  // The error of a program that cannot be started has a path too.
  const isFile = path !== undefined && !syscall?.startsWith('spawn');
  if (isFile && OTHER_KINDS.includes(code))
    return new StartError(
      `The service cannot use a path (${message}). If the path is in STATE_DIR, RUNTIME_DIR or RECORDINGS_DIR, remove what is in its place, or set another directory.`,
      { cause: error },
    );
  if (code === 'EMFILE' || code === 'ENFILE')
    return new StartError(
      `The service cannot open more files (${message}). Raise the limit of open files (ulimit -n, or LimitNOFILE of systemd).`,
      { cause: error },
    );
  if (isFile && REFUSALS.includes(code))
    return new StartError(
      `The service cannot use a file (${message}). If the file is in STATE_DIR, RUNTIME_DIR or RECORDINGS_DIR, that directory and all files in it must belong to the user who starts the service.`,
      { cause: error },
    );
  return error;
}
