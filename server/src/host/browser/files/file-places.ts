import { join } from 'node:path';
import { INNER_HOME } from '../../sandbox/bubblewrap.js';

/** Where the browser sees what people send; it can only read there. */
export const INNER_UPLOADS = '/run/session/uploads';
/** Where the browser puts downloads. */
export const INNER_DOWNLOADS = `${INNER_HOME}/downloads`;

/** The directory of what people send. @param place the session's own directory */
export function uploadsDirectory(place: string): string {
  return join(place, 'uploads');
}

/** A download's file, below the session's place: the browser's home is there, and a hostile browser may have put anything in it. */
export function downloadPath(id: string): string {
  return `browser/downloads/${id}`;
}
