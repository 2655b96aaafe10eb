/** Error codes of a disk that is full, over its quota, read-only or broken. */
const CODES = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'];

/** True if an error means that no file can be written now. */
export function isStorageError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CODES.includes(String(error.code));
}

/** True if an error means that the database is unreachable, or refuses a statement. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'err_database';
}
