import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(fileURLToPath(import.meta.resolve('@cloud-browser/server/package.json')));

/**
 * Returns a file or directory of the service's package. It is found by the package's name, so the result is
 * the same for sources and for built code.
 */
export function packageFile(...path: string[]): string {
  return join(ROOT, ...path);
}

/** Returns the version of the service's package. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string };
  return version;
}
