import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { ModuleFile } from './module-file.js';

/** Matches paths of files. No matching path can lead outside the directory. */
const SAFE_PATH = /^[\w-]+(?:\/[\w-]+)*\.js$/;

/** JavaScript files in a directory and its subdirectories. Pages of any origin import these files. */
export class ModuleFiles {
  readonly #files = new Map<string, ModuleFile>();

  /** @param part part of the SDK that the files belong to, for errors */
  constructor(
    private readonly directory: string,
    private readonly part: string,
  ) {}

  /** Returns the file at a path below the directory. Undefined if there is none. */
  async get(path: string): Promise<ModuleFile | undefined> {
    const known = this.#files.get(path);
    if (known || !SAFE_PATH.test(path)) return known;
    const file = join(this.directory, path);
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    if (!exists) return undefined;
    const found = new ModuleFile(file, this.part);
    this.#files.set(path, found);
    return found;
  }
}
