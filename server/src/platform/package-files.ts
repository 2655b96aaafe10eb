import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A file or directory of the service's package or the SDK's: found by the package's name, so in the same place for sources
 * and for what was built of them.
 */
export function packageFile(name: 'cloud-browser' | 'cloud-browser-server', ...path: string[]): string {
  return join(dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`))), ...path);
}
