import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { OfferedFile } from 'cloud-browser/protocol';
import { safeFolder, safeName } from '../file-names.js';
import type { Sender } from '../file-access.js';

/** Name of a folder that the client sent without a name. */
const NAMELESS_FOLDER = 'files';
/** Subdirectory of the upload for files in folders. */
const TREE = 'tree';

/** Receiver of a complete upload. */
export interface UploadTarget {
  /** True if the target accepts one folder instead of files. */
  directory: boolean;
  /**
   * Passes the files to the page, by their paths in the browser's sandbox. Rejects if the page cannot accept
   * them.
   */
  give(paths: readonly string[]): Promise<void>;
  /** Reports that the upload was cancelled. */
  abandon(): void;
  /** Resolves when the page cannot use the files any more. */
  over: Promise<unknown>;
}

/** One file of an upload while it is received. */
export interface IncomingFile {
  readonly ticket: string;
  readonly upload: UploadInProgress;
  /** Path relative to the upload's directory. */
  readonly path: readonly string[];
  readonly size: number;
  readonly lastModified: number | undefined;
  received: number;
  /** True if the file exists on the disk. */
  created: boolean;
  /**
   * Handle of the open file while a request sends bytes. The promise is set when opening begins, so that a
   * cancellation can wait for the handle and close it.
   */
  handle: Promise<FileHandle> | undefined;
  /** The request that is sending bytes. */
  request: { abort: () => void; ended: Promise<unknown> } | undefined;
}

/** Files that a user or an agent uploads for a page, until the page has them. */
export class UploadInProgress {
  readonly id = randomUUID();
  readonly files: IncomingFile[] = [];
  readonly #paths = new Set<string>();
  /**
   * True when the upload accepts no more bytes: it was cancelled, or all bytes have arrived and the files are
   * given to the page.
   */
  over = false;

  /**
   * @param directory the directory of all uploads
   * @param inner the same directory as the browser sees it
   * @param movedAt time of the last byte, or of the offer
   */
  constructor(
    readonly holder: Sender,
    readonly target: UploadTarget,
    private readonly directory: string,
    private readonly inner: string,
    public movedAt: number,
  ) {}

  /** Size of all files in bytes. */
  get size(): number {
    return this.files.reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Adds files. Replaces invalid names and makes equal names distinct. Returns undefined if the path of a
   * folder is too long.
   */
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
      // Another file may also have the name with the number.
      while (this.#paths.has(path.join('/'))) path[path.length - 1] = `${number} ${path.at(-1)}`;
      this.#paths.add(path.join('/'));
      const ticket = randomBytes(32).toString('base64url');
      added.push({
        ...{ ticket, upload: this, path, size, lastModified },
        ...{ received: 0, created: false, handle: undefined, request: undefined },
      });
    }
    this.files.push(...added);
    return added;
  }

  /** Opens a file for writing. Only this process writes to this directory. */
  open(file: IncomingFile): Promise<FileHandle> {
    file.handle ??= this.#open(file).catch((error: unknown) => {
      // The next call tries again to open the file.
      file.handle = undefined;
      throw error;
    });
    return file.handle;
  }

  /**
   * Closes a file after a request. The next request opens the file again. So only files with a running
   * request are open.
   */
  async leave(file: IncomingFile): Promise<void> {
    const { handle } = file;
    file.handle = undefined;
    await handle?.then((opened) => opened.close());
  }

  /** Completes all files. Creates the files that have no bytes. Rejects if a file cannot be written. */
  async close(): Promise<void> {
    for (const file of this.files) {
      const handle = await this.open(file);
      const at = file.lastModified === undefined ? undefined : new Date(file.lastModified);
      // An invalid date is ignored.
      if (at) await handle.utimes(at, at).catch(() => undefined);
      await this.leave(file);
    }
  }

  /**
   * Paths of the files and top-level folders, as the browser sees them. Has at most one path if the target
   * accepts a folder.
   */
  get paths(): string[] {
    const tops = this.files.map(({ path }) => (path[0] === TREE ? path.slice(0, 2) : path));
    const paths = [...new Set(tops.map((path) => [this.inner, this.id, ...path].join('/')))];
    return this.target.directory ? paths.slice(0, 1) : paths;
  }

  /** Accepts no more bytes and removes all files from the disk. */
  async discard(): Promise<void> {
    this.over = true;
    for (const file of this.files) {
      file.request?.abort();
      await this.leave(file).catch(() => undefined);
    }
    await rm(join(this.directory, this.id), { recursive: true, force: true });
  }

  async #open(file: IncomingFile): Promise<FileHandle> {
    const path = join(this.directory, this.id, ...file.path);
    if (file.created) return open(path, 'r+');
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
    const handle = await open(path, 'wx', 0o600);
    file.created = true;
    return handle;
  }
}
