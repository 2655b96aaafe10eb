import { makeDirectory } from '../platform/files/make-directory.js';
import { docsSite } from '../http/pages/docs-site.js';
import { StartError } from './start-error.js';

/**
 * Makes a directory of the service. Throws {@link StartError}, which names the variable that sets the
 * directory.
 */
export async function makeConfiguredDirectory(
  variable: 'STATE_DIR' | 'RECORDINGS_DIR',
  path: string,
): Promise<void> {
  try {
    await makeDirectory(path);
  } catch (error) {
    const { message } = error as Error;
    throw new StartError(
      `${path} cannot be made (${message}). Set ${variable} to a directory that this user may write to.`,
    );
  }
}

/** Throws {@link StartError} if the directory of the documentation is set but contains no documentation. */
export function requireDocs(directory: string | undefined): void {
  if (directory !== undefined && !docsSite(directory))
    throw new StartError(
      `DOCS_DIR=${directory} contains no documentation. Set DOCS_DIR to the directory that "npm run docs" builds, or remove it.`,
    );
}
