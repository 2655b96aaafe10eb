import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { CallError } from '../../../room/calls/call-error.js';
import type { Downloads } from '../downloads/downloads.js';
import type { FileQuota } from '../file-quota.js';
import { writeAll } from '../../../../platform/files/write-all.js';

/** Maximum number of bytes that one read from the disk returns. */
const PART_BYTES = 64 * 1024;

interface FileCopy {
  readonly id: string;
  readonly made: Promise<string>;
  /** Bytes of the quota that the copy uses. */
  size: number;
}

/**
 * Copies of downloads for file fields of pages. The browser saves a download under its id. A copy has the
 * name that the page offered. Each download has at most one copy. The copy is removed together with the
 * download.
 */
export class FileCopies {
  readonly #copies = new Map<string, FileCopy>();

  /**
   * @param directory the directory for the copies; the browser can only read it
   * @param inner the same directory as the browser sees it
   * @param pace resolves when more bytes may be copied
   */
  constructor(
    private readonly directory: string,
    private readonly inner: string,
    private readonly quota: FileQuota,
    private readonly downloads: Pick<Downloads, 'read'>,
    private readonly pace: (bytes: number) => Promise<void>,
  ) {}

  /** Resolves to the path of a download's copy, as the browser sees it. Rejects with {@link CallError}. */
  async pathOf(download: string): Promise<string> {
    const known = this.#copies.get(download);
    if (known) return known.made;
    const id = randomUUID();
    const copy: FileCopy = { id, size: 0, made: Promise.resolve().then(() => this.#make(download, copy)) };
    this.#copies.set(download, copy);
    copy.made.catch(() => void this.remove(download));
    return copy.made;
  }

  /** Removes the copy of a download that was removed. Resolves when the quota no longer counts the copy. */
  async remove(download: string): Promise<void> {
    const copy = this.#copies.get(download);
    if (!copy || !this.#copies.delete(download)) return;
    await copy.made.catch(() => undefined);
    await rm(join(this.directory, copy.id), { recursive: true, force: true }).catch(() => undefined);
    this.quota.giveBack(copy.size);
  }

  async #make(download: string, copy: FileCopy): Promise<string> {
    const { file, name, size } = await this.downloads.read(download);
    try {
      if (!this.quota.take(size))
        throw new CallError('err_file_quota', 'The session has no room for this file. Remove downloads.');
      copy.size = size;
      const directory = join(this.directory, copy.id);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const target = await open(join(directory, name), 'wx', 0o600);
      await this.#fill(target, file, size).finally(() => target.close());
      return [this.inner, copy.id, name].join('/');
    } finally {
      await file.close();
    }
  }

  async #fill(target: FileHandle, file: FileHandle, size: number): Promise<void> {
    const part = Buffer.allocUnsafe(PART_BYTES);
    for (let at = 0; at < size;) {
      const { bytesRead } = await file.read(part, 0, Math.min(PART_BYTES, size - at), at);
      // A hostile browser may have made the file shorter.
      if (bytesRead === 0) return;
      await this.pace(bytesRead);
      await writeAll(target, part.subarray(0, bytesRead), at);
      at += bytesRead;
    }
  }
}
