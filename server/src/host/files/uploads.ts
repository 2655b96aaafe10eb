import { MAX_FILES, type OfferedFile, type Upload } from 'cloud-browser/protocol';
import type { Clock } from '../../platform/clock.js';
import { CallError } from '../room/calls/call-error.js';
import type { Holder } from './file-access.js';
import type { FileQuota } from './file-quota.js';
import { type IncomingFile, UploadInProgress, type UploadTarget } from './upload.js';

/** An upload of which no byte comes for so long is given up. Milliseconds. */
export const UPLOAD_STALL_MS = 30_000;
/** Uploads under way at once. */
const MAX_UPLOADS = 32;
const MB = 2 ** 20;

/** What became of bytes that somebody sent. */
export type Reception =
  | { status: 200 | 409; /** Bytes of the file that are here: where to go on. */ received: number }
  | { status: 403 | 404 | 413 | 507 };

/** Files on their way to pages: promised, received part by part, given to a page, removed when that is gone. */
export class Uploads {
  readonly #open = new Map<string, UploadInProgress>();
  readonly #files = new Map<string, IncomingFile>();
  /** Those that a page has. */
  readonly #given = new Set<UploadInProgress>();
  readonly #removals = new Set<Promise<void>>();

  /**
   * @param directory where files are put; the browser can only read there
   * @param inner the same, as the browser sees it
   */
  constructor(
    private readonly directory: string,
    private readonly inner: string,
    private readonly quota: FileQuota,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly pace: (bytes: number) => Promise<void>,
  ) {}

  /** Whether any upload is under way. */
  get any(): boolean {
    return this.#open.size > 0;
  }

  /** Agrees to an upload. Throws {@link CallError}. */
  offer(holder: Holder, target: UploadTarget, files: readonly OfferedFile[]): Upload {
    if (this.#open.size >= MAX_UPLOADS)
      throw new CallError('err_file_quota', `At most ${MAX_UPLOADS} uploads at once. Await some first.`);
    const upload = new UploadInProgress(holder, target, this.directory, this.inner, this.clock.now());
    const tickets = this.#take(upload, files);
    this.#open.set(upload.id, upload);
    return { id: upload.id, tickets };
  }

  /** Adds files to an upload that was agreed to. Throws {@link CallError}. */
  more(id: string, files: readonly OfferedFile[]): Upload {
    const upload = this.get(id);
    return { id, tickets: this.#take(upload, files) };
  }

  /** An upload under way. Throws {@link CallError} when there is none of this id. */
  get(id: string): UploadInProgress {
    const upload = this.#open.get(id);
    if (upload) return upload;
    const message = 'There is no such upload: it was given up, or nothing came for half a minute.';
    throw new CallError('err_upload_gone', message);
  }

  /** Takes bytes of a file, which begin at `offset` in it. */
  async receive(
    ticket: string,
    offset: number,
    body: AsyncIterable<Buffer> & { destroy(): void },
  ): Promise<Reception> {
    const file = this.#files.get(ticket);
    if (!file || file.upload.over) return { status: 404 };
    const { upload } = file;
    if (!upload.holder.may) return { status: 403 };
    if (file.abort || offset !== file.received) return { status: 409, received: file.received };
    file.abort = () => body.destroy();
    try {
      const handle = await upload.open(file);
      for await (const part of body) {
        if (file.received + part.length > file.size) return { status: 413 };
        await this.pace(part.length);
        // It may have been given up while this one waited.
        if (upload.over) return { status: 404 };
        await handle.write(part, 0, part.length, file.received);
        file.received += part.length;
        upload.movedAt = this.clock.now();
      }
      return { status: 200, received: file.received };
    } catch (error) {
      return isFull(error) ? { status: 507 } : { status: 409, received: file.received };
    } finally {
      file.abort = undefined;
    }
  }

  /** Gives a complete upload to its page. Throws {@link CallError}, and as the target does; the upload is over then. */
  async finish(id: string): Promise<void> {
    const upload = this.get(id);
    const missing = upload.files.find(({ received, size, abort }) => received < size || abort);
    if (missing) {
      const message = `Send all bytes first: of ${missing.path.at(-1)} only ${missing.received} of ${missing.size} are here.`;
      throw new CallError('err_invalid_parameter', message);
    }
    this.#settle(upload);
    upload.over = true;
    try {
      await upload.close();
      await upload.target.give(upload.paths);
    } catch (error) {
      this.#remove(upload);
      throw error;
    }
    this.#given.add(upload);
    void upload.target.over.then(() => this.#given.delete(upload) && this.#remove(upload));
  }

  /** Gives an upload up. */
  cancel(upload: UploadInProgress): void {
    this.#settle(upload);
    this.#remove(upload);
    upload.target.abandon();
  }

  /** To be called once a second while there is any: gives up what stands still, and what its user may not do any more. */
  look(): void {
    const now = this.clock.now();
    for (const upload of [...this.#open.values()])
      if (now - upload.movedAt >= UPLOAD_STALL_MS || !upload.holder.may) this.cancel(upload);
  }

  /** Gives up everything; resolves when nothing of it is on the disk. */
  async close(): Promise<void> {
    for (const upload of [...this.#open.values()]) this.cancel(upload);
    for (const upload of this.#given) this.#remove(upload);
    this.#given.clear();
    await Promise.all(this.#removals);
  }

  #take(upload: UploadInProgress, files: readonly OfferedFile[]): string[] {
    if (upload.files.length + files.length > MAX_FILES)
      throw new CallError('err_file_quota', `At most ${MAX_FILES} files at once. Send fewer, or an archive.`);
    const { perFile } = this.quota.limits;
    const large = files.find(({ size }) => size > perFile);
    if (large) {
      const message = `${large.name} is too large: a file may have ${Math.floor(perFile / MB)} MB.`;
      throw new CallError('err_file_too_large', message);
    }
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (!this.quota.take(bytes)) {
      const left = Math.floor(this.quota.left / MB);
      const message = `The session has no room for these files: ${left} MB are left. Remove downloads, or close pages that have files.`;
      throw new CallError('err_file_quota', message);
    }
    const added = upload.add(files);
    if (!added) {
      this.quota.giveBack(bytes);
      throw new CallError('err_invalid_parameter', 'A folder lies too deep. Send it as an archive.');
    }
    for (const file of added) this.#files.set(file.ticket, file);
    return added.map(({ ticket }) => ticket);
  }

  /** Takes no more of it. */
  #settle(upload: UploadInProgress): void {
    this.#open.delete(upload.id);
    for (const { ticket } of upload.files) this.#files.delete(ticket);
  }

  #remove(upload: UploadInProgress): void {
    const { size } = upload;
    const removal = upload
      .discard()
      .catch(() => undefined)
      .finally(() => {
        this.quota.giveBack(size);
        this.#removals.delete(removal);
      });
    this.#removals.add(removal);
  }
}

function isFull(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code))
  );
}
