import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file or directory of this package, which has the same place whether the code that asks is a source or was built. */
export function packageFile(...path: string[]): string {
  return join(dirname(fileURLToPath(import.meta.resolve('cloud-browser-server/package.json'))), ...path);
}
