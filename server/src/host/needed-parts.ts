import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { CodedError } from '../platform/coded-error.js';
import { packageFile } from '../platform/files/package-files.js';
import { CHROMIUM } from './browser/launch/arguments.js';
import { XORG } from './display/xorg-program.js';

const run = promisify(execFile);

/** Timeout of a test program in milliseconds. A program that runs longer counts as broken. */
const ANSWER_MS = 10_000;

/** A file that every session needs, and the Debian package that contains the file. */
interface NeededFile {
  /** Name of the part in the error. */
  part: string;
  path: string;
  package: string;
  /** False if the file is only read. Absent if it is a program. */
  runs?: false;
}

/** Files that sessions need. Fonts are not in this list. */
export const NEEDED_FILES: readonly NeededFile[] = [
  { part: 'Chromium', path: CHROMIUM, package: 'chromium' },
  { part: 'Xorg', path: XORG, package: 'xserver-xorg-core' },
  {
    part: 'The dummy driver of Xorg',
    path: '/usr/lib/xorg/modules/drivers/dummy_drv.so',
    package: 'xserver-xorg-video-dummy',
    runs: false,
  },
  { part: 'PulseAudio', path: '/usr/bin/pulseaudio', package: 'pulseaudio' },
  { part: 'bubblewrap', path: '/usr/bin/bwrap', package: 'bubblewrap' },
  { part: 'openbox', path: '/usr/bin/openbox', package: 'openbox' },
  { part: 'xkbcomp', path: '/usr/bin/xkbcomp', package: 'x11-xkb-utils' },
  {
    part: 'The keyboard data of X',
    path: '/usr/share/X11/xkb/rules/evdev',
    package: 'xkb-data',
    runs: false,
  },
  { part: 'xauth', path: '/usr/bin/xauth', package: 'xauth' },
  { part: 'setpriv', path: '/usr/bin/setpriv', package: 'util-linux' },
];

/** Thrown if the machine lacks parts that sessions need. The message has a sentence for each missing part. */
export class MissingPartsError extends CodedError {
  readonly code = 'err_missing_parts';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Checks that the machine has the parts that every session needs: programs, the codec library and user
 * namespaces. Returns a message for each missing part. Takes about 20 ms.
 *
 * @param uid user id of a session; undefined if sessions run as the user of this process
 */
export async function missingParts(uid: number | undefined): Promise<string[]> {
  const files = NEEDED_FILES.flatMap(({ part, path, package: name, runs = true }) =>
    isThere(path, runs) ? [] : [`${part} is missing: install the Debian package ${name} (${path}).`],
  );
  // Only locates the library, because loading it takes 100 MB of memory.
  const codec = codecLibrary() === undefined ? [CODEC_MISSING] : [];
  const namespaces = await namespaceProblem(uid);
  return [...files, ...codec, ...(namespaces === undefined ? [] : [namespaces])];
}

/** Returns a sentence if the codec library is missing or cannot be loaded. */
export async function codecProblem(): Promise<string | undefined> {
  const path = codecLibrary();
  if (path === undefined) return CODEC_MISSING;
  try {
    await run(process.execPath, ['--eval', `require(${JSON.stringify(path)})`], { timeout: ANSWER_MS });
    return undefined;
  } catch (error) {
    return `The codec library cannot be loaded: ${reasonOf(error)}`;
  }
}

const CODEC_PACKAGE = `@seydx/node-av-${process.platform}-${process.arch}`;
const CODEC_MISSING = `The codec library is missing: install the npm package ${CODEC_PACKAGE}, which npm leaves out with --omit=optional.`;

function codecLibrary(): string | undefined {
  try {
    const path = createRequire(packageFile('package.json')).resolve(`${CODEC_PACKAGE}/node-av.node`);
    return isThere(path, false) ? path : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Creates a user namespace and a network namespace as a test, because each session has both. Returns a
 * sentence if this fails.
 */
async function namespaceProblem(uid: number | undefined): Promise<string | undefined> {
  const unshare = ['unshare', '--user', '--net', '--', 'true'];
  const user = ['setpriv', '--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups', '--', ...unshare];
  try {
    for (const [command = '', ...args] of uid === undefined ? [unshare] : [unshare, user])
      await run(command, args, { timeout: ANSWER_MS, env: { PATH: '/usr/bin:/bin' } });
    return undefined;
  } catch (error) {
    // A missing program is already reported with its package.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    return `User namespaces are not available (${reasonOf(error)}): set the sysctls kernel.unprivileged_userns_clone=1, user.max_user_namespaces above 0 and, on Ubuntu, kernel.apparmor_restrict_unprivileged_userns=0. A container needs the options of deploy/compose.yaml.`;
  }
}

function isThere(path: string, runs: boolean): boolean {
  try {
    accessSync(path, runs ? constants.X_OK : constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the last line of a program's error output. If there is none, returns the last line of the error's
 * message.
 */
function reasonOf(error: unknown): string {
  const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  const told = stderr || (error instanceof Error ? error.message : String(error));
  return told.split('\n').at(-1) ?? told;
}
