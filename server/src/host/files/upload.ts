import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { OfferedFile } from 'cloud-browser/protocol';
import { safeFolder, safeName } from './file-names.js';
import type { Holder } from './file-access.js';

/** Files of a folder whose browser did not tell its name. */
const NAMELESS_FOLDER = 'files';
/** Below the upload: files that lie in folders. */
const TREE = 'tree';

/** Where an upload goes when it is complete. */
export interface UploadTarget {
  /** One folder is wanted, not files. */
  directory: boolean;
  /** Gives the page the files, by their paths as the browser sees them. Rejects when it cannot take them. */
  give(paths: readonly string[]): Promise<void>;
  /** They will not come. */
  abandon(): void;
  /** Resolves when the page cannot use what it was given any more. */
  over: Promise<unknown>;
}

/** One file of an upload, while its bytes come. */
export interface IncomingFile {
  readonly ticket: string;
  readonly upload: UploadInProgress;
  /** Below the upload's directory. */
  readonly path: readonly string[];
  readonly size: number;
  readonly lastModified: number | undefined;
  received: number;
  /** Set from the moment it is being opened, so that whoever gives the upload up can wait for it and close it. */
  handle: Promise<FileHandle> | undefined;
  /** Ends the request that sends bytes now. */
  abort: (() => void) | undefined;
}

/** Files that somebody gives to a page, until the page has them. */
export class UploadInProgress {
  readonly id = randomUUID();
  readonly files: IncomingFile[] = [];
  readonly #paths = new Set<string>();
  /** Given up, or given to the page: no byte is taken any more. */
  over = false;

  /**
   * @param directory of all uploads
   * @param movedAt when a byte came last, or they were promised
   */
  constructor(
    readonly holder: Holder,
    readonly target: UploadTarget,
    private readonly directory: string,
    private readonly inner: string,
    public movedAt: number,
  ) {}

  /** Bytes of all files. */
  get size(): number {
    return this.files.reduce((sum, { size }) => sum + size, 0);
  }

  /** Adds files; undefined when one lies too deep. Names that cannot be are replaced, equal ones told apart. */
  add(offered: readonly OfferedFile[]): IncomingFile[] | undefined {
    const added: IncomingFile[] = [];
    for (const { name, size, folder = '', lastModified } of offered) {
      const folders = safeFolder(folder);
      if (!folders) return undefined;
      if (this.target.directory && folders.length === 0) folders.push(NAMELESS_FOLDER);
      const number = `${this.files.length + added.length}`;
      const file = safeName(name);
      const inTree = folders.length > 0;
      const path = inTree ? [TREE, ...folders, file] : [number, file];
      if (this.#paths.has(path.join('/'))) path.splice(-1, 1, `${number} ${file}`);
      this.#paths.add(path.join('/'));
      const ticket = randomBytes(32).toString('base64url');
      added.push({
        ...{ ticket, upload: this, path, size, lastModified },
        ...{ received: 0, handle: undefined, abort: undefined },
      });
    }
    this.files.push(...added);
    return added;
  }

  /** Opens a file to be written. Nobody but us writes in this directory. */
  open(file: IncomingFile): Promise<FileHandle> {
    file.handle ??= this.#create(file).catch((error: unknown) => {
      // The next bytes try again.
      file.handle = undefined;
      throw error;
    });
    return file.handle;
  }

  /** Closes all files, those without a byte too. Rejects when one cannot be written. */
  async close(): Promise<void> {
    for (const file of this.files) {
      const handle = await this.open(file);
      const at = file.lastModified === undefined ? undefined : new Date(file.lastModified);
      // A date that no file can have is none.
      if (at) await handle.utimes(at, at).catch(() => undefined);
      await handle.close();
      file.handle = undefined;
    }
  }

  /** What the page is given, as its browser sees it: files, and the outermost folders. */
  get paths(): string[] {
    const tops = this.files.map(({ path }) => (path[0] === TREE ? path.slice(0, 2) : path));
    const paths = [...new Set(tops.map((path) => [this.inner, this.id, ...path].join('/')))];
    return this.target.directory ? paths.slice(0, 1) : paths;
  }

  /** Takes no more bytes; nothing of it stays on the disk. */
  async discard(): Promise<void> {
    this.over = true;
    for (const file of this.files) {
      file.abort?.();
      await file.handle?.then((handle) => handle.close()).catch(() => undefined);
      file.handle = undefined;
    }
    await rm(join(this.directory, this.id), { recursive: true, force: true });
  }

  async #create(file: IncomingFile): Promise<FileHandle> {
    const path = join(this.directory, this.id, ...file.path);
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
    return open(path, 'wx', 0o600);
  }
}
