import { join } from 'node:path';
import { INNER_HOME } from '../../sandbox/bubblewrap.js';

/** Directory of uploaded files inside the sandbox. The browser can read the files but not change them. */
export const INNER_UPLOADS = '/run/session/uploads';
/** Download directory inside the sandbox. */
export const INNER_DOWNLOADS = `${INNER_HOME}/downloads`;

/**
 * Returns the directory of uploaded files.
 *
 * @param place the session's own directory
 */
export function uploadsDirectory(place: string): string {
  return join(place, 'uploads');
}

/**
 * Returns the path of a download's file relative to the session's directory. The file is below the browser's
 * home directory. A compromised browser can write any data there, so the host must not trust the file.
 */
export function downloadPath(id: string): string {
  return `browser/downloads/${id}`;
}
