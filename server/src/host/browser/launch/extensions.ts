import { createHash } from 'node:crypto';
import { access, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { HostPlace, HostSession } from '../../../host-protocol.js';
import { INNER_EXTENSIONS } from '../../sandbox/bubblewrap.js';

/** Extension that the host loads into the running browser when the host first needs it. */
const LATE = 'bridge';
/** Directory of that extension inside the sandbox. */
export const BRIDGE_PATH = `${INNER_EXTENSIONS}/${LATE}`;
/** The extensions of this project. */
export const OWN_EXTENSIONS = ['bridge', 'adblock', 'draw'] as const;

/**
 * Returns Chromium's identifier of an unpacked extension. Chromium computes it from the path, with
 * `crx_file::id_util::GenerateIdForPath`.
 *
 * @param name one of the project's extensions, or `own` for the customer's
 */
export function extensionId(name: (typeof OWN_EXTENSIONS)[number] | 'own'): string {
  const digits = createHash('sha256').update(`${INNER_EXTENSIONS}/${name}`).digest('hex').slice(0, 32);
  return digits.replace(/./g, (digit) => String.fromCharCode('a'.charCodeAt(0) + parseInt(digit, 16)));
}

/** The extensions of a session. */
export interface SessionExtensions {
  /**
   * Directories of the extensions that the browser loads before it opens a page, as paths inside the sandbox.
   */
  load: string[];
  /**
   * Files and directories that the sandbox must contain, read-only. Maps the path inside to the path outside.
   */
  mounts: Record<string, string>;
}

/** Prepares the extensions of a session. The customer's extension is written into the session's directory. */
export async function sessionExtensions(session: HostSession, place: HostPlace): Promise<SessionExtensions> {
  const extensions: SessionExtensions = { load: [], mounts: {} };
  // Mounts each entry separately, so that the directory itself stays writable. Chromium writes an index of
  // the ad blocker's rules into that directory.
  const add = async (name: string, source: string) => {
    for (const entry of await readdir(source))
      extensions.mounts[`${INNER_EXTENSIONS}/${name}/${entry}`] = join(source, entry);
    if (name !== LATE) extensions.load.push(`${INNER_EXTENSIONS}/${name}`);
  };
  const wanted = [LATE, ...(session.adblock ? ['adblock'] : []), ...(session.draw ? ['draw'] : [])];
  for (const name of wanted) await add(name, await builtIn(place, name));
  if (session.extension) {
    const directory = join(place.directory, 'extension');
    await writeFiles(directory, session.extension);
    await add('own', directory);
  }
  return extensions;
}

async function builtIn(place: HostPlace, name: string): Promise<string> {
  const directory = join(place.extensions, name);
  await access(join(directory, 'manifest.json')).catch(() => {
    throw new Error(`The extension ${name} is not built. Run "npm run build".`);
  });
  return directory;
}

/** Writes files. The service has checked their paths: they are relative and stay inside the directory. */
async function writeFiles(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const target = join(directory, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, Buffer.from(content, 'base64'));
  }
}
