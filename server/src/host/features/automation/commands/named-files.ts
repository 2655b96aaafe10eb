import { MAX_FILES } from 'cloud-browser/protocol';
import { isRecord } from '../../../../platform/is-record.js';
import { RefusedCommand, type ClientCommand } from './messages.js';

/**
 * Form of the ids of uploads and downloads. Puppeteer turns an id into a path, so folders before the id are
 * ignored.
 */
const ID_AT_END = /(?:^|[/\\])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Returns the ids of uploads and downloads that a `DOM.setFileInputFiles` command names.
 * Throws {@link RefusedCommand}.
 */
export function filesOf({ method, params }: ClientCommand): string[] {
  const { files } = params;
  if (!Array.isArray(files) || files.length > MAX_FILES)
    throw new RefusedCommand('invalidParams', `files must be a list of at most ${MAX_FILES} ids.`);
  return files.map((file: unknown) => {
    const [, id] = typeof file === 'string' ? (ID_AT_END.exec(file) ?? []) : [];
    if (id !== undefined) return id;
    const message = `${method}: the session cannot read this path. Send the file with POST {session}/uploads, and name its id instead. In Playwright, give setInputFiles the content: { name, mimeType, buffer }.`;
    throw new RefusedCommand('refused', message);
  });
}

/**
 * Refuses to drop files on a page. The browser would read the files from their paths, and so give every file
 * of its own sandbox to the page, also the profile and the downloads of people.
 * Throws {@link RefusedCommand}.
 */
export function refuseDroppedFiles({ method, params: { data } }: ClientCommand): void {
  if (method !== 'Input.dispatchDragEvent' || !isRecord(data)) return;
  const { files } = data;
  if (files === undefined || (Array.isArray(files) && files.length === 0)) return;
  const message = `${method}: the session cannot drop files. Leave out data.files. Give files to a field with DOM.setFileInputFiles.`;
  throw new RefusedCommand('refused', message);
}
