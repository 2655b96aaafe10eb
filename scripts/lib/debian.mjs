import { existsSync } from 'node:fs';
import { run, ScriptError } from './run.mjs';

/** Time in milliseconds for a package manager to end. Killing it would leave half an installation. */
const PACKAGES_GRACE_MS = 120_000;

/** Returns the command prefix for running as root without a password, or undefined if there is none. */
async function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  const answer = await run('sudo', ['-n', 'true'], { collect: true }).catch(() => ({ code: 1 }));
  return answer.code === 0 ? ['sudo', '-n'] : undefined;
}

/** Installs the packages of the list whose files are missing. If it may not, tells the user what to do. */
export async function installDebianPackages(packages) {
  const missing = packages.filter(({ file }) => !existsSync(file)).map(({ name }) => name);
  if (missing.length === 0) return;

  if (!existsSync('/usr/bin/apt-get')) {
    throw new ScriptError(
      `This system has no apt-get. Install what these Debian packages hold, then try again:\n  ${missing.join(' ')}`,
    );
  }
  const prefix = await rootPrefix();
  if (prefix === undefined) {
    throw new ScriptError(
      'Some Debian packages are missing and installing them needs root. Run this line, then try again:\n' +
        `  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing.join(' ')}`,
    );
  }

  console.log(`Installing Debian packages: ${missing.join(' ')} …`);
  const apt = async (...args) => {
    const [command, ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
    return (await run(command, rest, { graceMs: PACKAGES_GRACE_MS })).code;
  };
  if ((await apt('update', '-q')) !== 0) {
    throw new ScriptError('apt-get update failed; its message is above.');
  }
  if ((await apt('install', '-q', '-y', '--no-install-recommends', ...missing)) !== 0) {
    throw new ScriptError('apt-get could not install the packages; its message is above.');
  }
  const still = packages.filter(({ file }) => !existsSync(file));
  if (still.length > 0) {
    throw new ScriptError(
      'These files are still missing after the installation:\n' +
        still.map(({ name, file }) => `  ${file} (package ${name})`).join('\n'),
    );
  }
}
