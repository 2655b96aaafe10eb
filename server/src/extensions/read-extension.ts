import { ServiceError } from '../service-error.js';
import { ArchiveError, ARCHIVE_LIMITS } from './archive-limits.js';
import { zipOf } from './crx.js';
import { checkedManifest } from './manifest.js';
import { readZip } from './zip-content.js';

const MANIFEST = 'manifest.json';

/**
 * Reads an extension archive (zip or crx). Returns its files in base64 by path. If all files are in one
 * folder, removes that folder from the paths, so that `manifest.json` is at the top level. Throws
 * {@link ServiceError} `err_invalid_extension`.
 */
export async function readExtension(archive: Buffer): Promise<Record<string, string>> {
  try {
    if (archive.length > ARCHIVE_LIMITS.packed) throw new ArchiveError('it is larger than 1 MB.');
    const files = atTop(await readZip(zipOf(archive)));
    const manifest = files.get(MANIFEST);
    if (!manifest) throw new ArchiveError('it has no manifest.json at its top.');
    files.set(MANIFEST, checkedManifest(manifest));
    return Object.fromEntries([...files].map(([path, content]) => [path, content.toString('base64')]));
  } catch (error) {
    if (error instanceof ArchiveError) throw new ServiceError('err_invalid_extension', error.message);
    throw error;
  }
}

function atTop(files: Map<string, Buffer>): Map<string, Buffer> {
  if (files.has(MANIFEST)) return files;
  // macOS adds this folder to an archive.
  const own = [...files].filter(([path]) => !path.startsWith('__MACOSX/'));
  const folder = own[0]?.[0].split('/')[0] ?? '';
  const prefix = `${folder}/`;
  if (!own.every(([path]) => path.startsWith(prefix)) || !files.has(prefix + MANIFEST)) return files;
  return new Map(own.map(([path, content]) => [path.slice(prefix.length), content]));
}
