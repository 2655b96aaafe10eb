/** Checks the direction of all imports, and finds cycles. The rules are in lib/import-rules.mjs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkImports, IMPORT_RULES } from './lib/import-rules.mjs';
import { inRoot } from './lib/paths.mjs';

const files = new Map();
for (const root of Object.keys(IMPORT_RULES)) {
  if (!existsSync(inRoot(root))) continue;
  for (const name of readdirSync(inRoot(root), { recursive: true })) {
    if (!/\.ts$/.test(name) || /\.d\.ts$/.test(name)) continue;
    const path = join(root, name);
    files.set(path, readFileSync(inRoot(path), 'utf8'));
  }
}

const problems = checkImports(files);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`The imports of ${files.size} files keep the rules.`);
