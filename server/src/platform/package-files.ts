import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(fileURLToPath(import.meta.resolve('@cloud-browser/server/package.json')));

/** A file or directory of the service's package: found by its name, so in the same place for sources and for what was built of them. */
export function packageFile(...path: string[]): string {
  return join(ROOT, ...path);
}
