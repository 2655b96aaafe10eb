/** The disk is full, its quota is used up, it is read-only, or it fails. */
const CODES = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'];

/** Whether an error says that files cannot be written now, whatever they hold. */
export function isStorageError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CODES.includes(String(error.code));
}

/** Whether an error says that the database cannot be reached, or refuses, whatever was asked. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'err_database';
}
