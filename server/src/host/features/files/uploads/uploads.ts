import { MAX_FILES, type OfferedFile, type Upload } from 'cloud-browser/protocol';
import type { Clock } from '../../../../platform/time/clock.js';
import { CallError } from '../../../room/calls/call-error.js';
import type { User } from '../../../room/users/known-users.js';
import { RECONNECT_MS, type Sender } from '../file-access.js';
import type { FileQuota } from '../file-quota.js';
import { writeAll } from '../../../../platform/files/write-all.js';
import { type IncomingFile, UploadInProgress, type UploadTarget } from './upload.js';

/** An upload is cancelled if no byte arrives for this time. Its client may be reconnecting. Milliseconds. */
export const UPLOAD_STALL_MS = RECONNECT_MS;
/** Maximum number of running uploads, and of failed uploads whose error is kept. */
const MAX_UPLOADS = 32;
const MB = 2 ** 20;

/** Outcome of a request that sends bytes of a file. */
export type Reception =
  | {
      status: 200 | 409;
      /** Bytes of the file that were received: the offset of the next byte. */ received: number;
    }
  | { status: 403 | 404 | 413 | 507 };

/**
 * Uploads to pages. A client offers each upload and sends its files part by part. Then the page receives the
 * files. The files are removed when the page is closed.
 */
export class Uploads {
  readonly #open = new Map<string, UploadInProgress>();
  readonly #files = new Map<string, IncomingFile>();
  /** Uploads that a page has received. */
  readonly #given = new Set<UploadInProgress>();
  /**
   * Running and completed calls of {@link finish}, by the upload's id. A successful call is kept until the
   * page cannot use the files any more. Of the failed calls, only the latest are kept. The upload itself is
   * not kept, because it refers to the user's connection.
   */
  readonly #finishes = new Map<string, { user: User | undefined; done: Promise<void> }>();
  /** Ids of the uploads of the failed calls in {@link #finishes}, oldest first. */
  readonly #failed: string[] = [];
  readonly #removals = new Set<Promise<void>>();

  /**
   * @param directory the directory for the files; the browser can only read it
   * @param inner the same directory as the browser sees it
   */
  constructor(
    private readonly directory: string,
    private readonly inner: string,
    private readonly quota: FileQuota,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly pace: (bytes: number) => Promise<void>,
  ) {}

  /** True if any upload is running. */
  get any(): boolean {
    return this.#open.size > 0;
  }

  /** Accepts an upload. Throws {@link CallError}. */
  offer(holder: Sender, target: UploadTarget, files: readonly OfferedFile[]): Upload {
    if (this.#open.size >= MAX_UPLOADS)
      throw new CallError(
        'err_file_quota',
        `At most ${MAX_UPLOADS} uploads at once. Wait for some to finish.`,
      );
    const upload = new UploadInProgress(holder, target, this.directory, this.inner, this.clock.now());
    const tickets = this.#take(upload, files);
    this.#open.set(upload.id, upload);
    return { id: upload.id, tickets };
  }

  /** Adds files to an accepted upload. Throws {@link CallError}. */
  more(id: string, files: readonly OfferedFile[]): Upload {
    const upload = this.get(id);
    return { id, tickets: this.#take(upload, files) };
  }

  /** Returns a running upload. Throws {@link CallError} if there is no upload with this id. */
  get(id: string): UploadInProgress {
    const upload = this.#open.get(id);
    if (!upload) throw uploadGone();
    return upload;
  }

  /**
   * Receives bytes of a file, starting at `offset`. Ends an earlier request for the same file. A client sends
   * one request at a time, so it has lost the earlier one, for example in a gap of its network.
   */
  async receive(
    ticket: string,
    offset: number,
    body: AsyncIterable<Buffer> & { destroy(): void },
  ): Promise<Reception> {
    const file = this.#files.get(ticket);
    if (!file || file.upload.over) return { status: 404 };
    const { upload } = file;
    if (!upload.holder.may) return { status: 403 };
    while (file.request) {
      file.request.abort();
      await file.request.ended;
    }
    if (upload.over) return { status: 404 };
    if (offset !== file.received) return { status: 409, received: file.received };
    const ended = this.#write(file, body);
    file.request = { abort: () => body.destroy(), ended };
    return ended;
  }

  async #write(file: IncomingFile, body: AsyncIterable<Buffer>): Promise<Reception> {
    const { upload } = file;
    try {
      const handle = await upload.open(file);
      for await (const part of body) {
        if (file.received + part.length > file.size) return { status: 413 };
        await this.pace(part.length);
        // The upload may have been cancelled during the wait.
        if (upload.over) return { status: 404 };
        await writeAll(handle, part, file.received);
        file.received += part.length;
        upload.movedAt = this.clock.now();
      }
      return { status: 200, received: file.received };
    } catch (error) {
      return isFull(error) ? { status: 507 } : { status: 409, received: file.received };
    } finally {
      await upload.leave(file).catch(() => undefined);
      file.request = undefined;
    }
  }

  /** Returns the user who has finished an upload. Undefined for an agent, and if the call is not known. */
  finishedBy(id: string): User | undefined {
    return this.#finishes.get(id)?.user;
  }

  /**
   * Gives a complete upload to its page. Rejects with {@link CallError} if bytes are missing. In this case
   * the upload continues. In all other cases the upload ends, even if the files cannot be written or the page
   * does not accept them. A client may lose its connection before the answer and repeat the call. The
   * repeated call has the same result.
   */
  async finish(id: string): Promise<void> {
    const earlier = this.#finishes.get(id);
    if (earlier) return earlier.done;
    const upload = this.get(id);
    const missing = upload.files.find(({ received, size, request }) => received < size || request);
    if (missing) {
      const message = `Send all bytes first: only ${missing.received} of ${missing.size} bytes of ${missing.path.at(-1)} have arrived.`;
      throw new CallError('err_invalid_parameter', message);
    }
    this.#settle(upload);
    upload.over = true;
    const done = this.#give(upload);
    this.#finishes.set(id, { user: upload.holder.user, done });
    const forget = () => this.#finishes.delete(id);
    void done.then(
      () => upload.target.over.then(forget, forget),
      () => this.#keepError(id),
    );
    await done;
  }

  #keepError(id: string): void {
    this.#failed.push(id);
    const oldest = this.#failed.length > MAX_UPLOADS ? this.#failed.shift() : undefined;
    if (oldest !== undefined) this.#finishes.delete(oldest);
  }

  async #give(upload: UploadInProgress): Promise<void> {
    await upload.close().catch((error: unknown) => {
      this.cancel(upload);
      throw error;
    });
    await upload.target.give(upload.paths).catch((error: unknown) => {
      this.#remove(upload);
      throw error;
    });
    this.#given.add(upload);
    void upload.target.over.then(() => this.#given.delete(upload) && this.#remove(upload));
  }

  /** Cancels an upload. */
  cancel(upload: UploadInProgress): void {
    this.#settle(upload);
    this.#remove(upload);
    upload.target.abandon();
  }

  /**
   * Cancels uploads that have stalled or are no longer allowed. Call it once a second while any upload is
   * running.
   */
  look(): void {
    const now = this.clock.now();
    for (const upload of [...this.#open.values()])
      if (now - upload.movedAt >= UPLOAD_STALL_MS || !upload.holder.may) this.cancel(upload);
  }

  /** Cancels all uploads. Resolves when no file is left on the disk. */
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
      throw new CallError('err_invalid_parameter', 'A folder is nested too deeply. Send it as an archive.');
    }
    for (const file of added) this.#files.set(file.ticket, file);
    return added.map(({ ticket }) => ticket);
  }

  /** Stops receiving an upload. */
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

/** Returns the error for an upload that does not run, or whose existence the caller may not learn. */
export function uploadGone(): CallError {
  const message = 'There is no such upload: it was cancelled, or no bytes arrived for a minute and a half.';
  return new CallError('err_upload_gone', message);
}

function isFull(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code))
  );
}
