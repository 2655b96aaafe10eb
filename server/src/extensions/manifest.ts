import { BLOCKED_PERMISSIONS } from '../platform/extension-permissions.js';
import { ArchiveError } from './archive-limits.js';

/** Version of the manifests that Chromium accepts. Chromium refuses version 2, and no policy changes that. */
const MANIFEST_VERSION = 3;

/**
 * Checks that Chromium can install an extension with this manifest. Returns the manifest, serialized again,
 * because Chromium's parser might read other values in the original text than this check. Removes the `key`.
 * With a `key`, authors could choose the extension's identifier, and so the policies that apply to the
 * extension. Throws {@link ArchiveError}.
 */
export function checkedManifest(content: Buffer): Buffer {
  let manifest: unknown;
  try {
    manifest = JSON.parse(withoutComments(content.toString('utf8')));
  } catch {
    throw new ArchiveError('its manifest.json is not valid JSON.');
  }
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest)) {
    throw new ArchiveError('its manifest.json is not a JSON object.');
  }
  const {
    manifest_version: version,
    name,
    version: release,
    permissions,
  } = manifest as Record<string, unknown>;
  if (version === 2)
    throw new ArchiveError(
      'it is of Manifest V2 (manifest_version 2), which Chromium cannot run. Upload a version of Manifest V3.',
    );
  if (version !== MANIFEST_VERSION)
    throw new ArchiveError(
      `its manifest_version must be ${MANIFEST_VERSION}, the only one that Chromium runs.`,
    );
  if (typeof name !== 'string' || name === '') throw new ArchiveError('its manifest.json has no name.');
  if (typeof release !== 'string' || !/^\d{1,5}(\.\d{1,5}){0,3}$/.test(release))
    throw new ArchiveError('its manifest.json has no version of one to four numbers.');
  const blocked = BLOCKED_PERMISSIONS.find((one) => Array.isArray(permissions) && permissions.includes(one));
  if (blocked) throw new ArchiveError(`it requires the permission ${blocked}, which sessions do not give.`);
  try {
    return Buffer.from(JSON.stringify({ ...manifest, key: undefined }));
  } catch {
    // `JSON.parse` accepts any depth, but `JSON.stringify` fails for a value that is nested too deeply.
    throw new ArchiveError('its manifest.json is nested too deeply.');
  }
}

/** Removes whole-line comments and a byte order mark. Chromium allows both in manifests. */
function withoutComments(text: string): string {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  return lines.filter((line) => !line.trimStart().startsWith('//')).join('\n');
}
