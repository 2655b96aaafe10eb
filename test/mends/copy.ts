import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../unit/docs/test-titles.js';
import type { Edit } from './guard.js';

const run = promisify(execFile);
const LEFT_OUT = ['.git', '.build'];
const PACKAGES = 'node_modules';

/** A built copy of the repository, from which guards are removed. */
export class Copy {
  private constructor(readonly directory: string) {}

  static async make(): Promise<Copy> {
    const directory = join(ROOT, '.build', 'mends');
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    for (const name of await readdir(ROOT)) {
      const [from, to] = [join(ROOT, name), join(directory, name)];
      // Nothing writes to packages, so hard links to the files are enough. A link to the directory would
      // resolve to code outside the copy.
      if (name === PACKAGES) await run('cp', ['-al', from, to]).catch(() => run('cp', ['-a', from, to]));
      else if (!LEFT_OUT.includes(name)) await cp(from, to, { recursive: true, verbatimSymlinks: true });
    }
    return new Copy(directory);
  }

  /** Makes the edits, calls, and restores the files. Rejects if a place does not occur exactly once. */
  async without<T>(edits: readonly Edit[], call: () => Promise<T>): Promise<T> {
    const before = new Map<string, string>();
    try {
      for (const { file, search, replace } of edits) {
        const path = join(this.directory, file);
        const text = await readFile(path, 'utf8');
        if (text.split(search).length !== 2) throw new Error(`${file} does not hold once: ${search}`);
        if (!before.has(path)) before.set(path, text);
        await writeFile(
          path,
          text.replace(search, () => replace),
        );
      }
      return await call();
    } finally {
      for (const [path, text] of before) await writeFile(path, text);
    }
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}
