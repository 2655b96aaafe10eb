/** For `catch`: returns undefined if the error reports a missing file or directory. Throws other errors. */
export function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
