import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the repository. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Returns a path inside the repository. */
export const inRoot = (...parts) => join(ROOT, ...parts);

/** Command-line entries of installed npm packages, to be run by this Node. */
export const TOOLS = {
  tsc: inRoot('node_modules/typescript/bin/tsc'),
  vite: inRoot('node_modules/vite/bin/vite.js'),
  eslint: inRoot('node_modules/eslint/bin/eslint.js'),
  playwright: inRoot('node_modules/@playwright/test/cli.js'),
  prettier: inRoot('node_modules/prettier/bin/prettier.cjs'),
};
