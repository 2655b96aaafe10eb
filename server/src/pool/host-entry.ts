import { packageFile } from '../platform/package-files.js';

/** The main module of session hosts, as the build has made it. */
export function hostEntry(): string {
  return packageFile('cloud-browser-server', 'dist', 'host', 'main.js');
}
