import type { CallErrorCode } from '../protocol/index.js';
import { CallError, FileTransferError } from './errors.js';
import type { Timers } from './timers.js';

/** What a `File` or a `Blob` with a name is, as far as it matters here. */
export interface LocalFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified?: number;
  /** Its path below the folder that was chosen, that folder included. */
  readonly webkitRelativePath?: string;
  slice(start: number, end: number): unknown;
}

/** What an `AbortSignal` is, as far as it matters here. */
export interface StopSignal {
  readonly aborted: boolean;
  throwIfAborted(): void;
}

/** How an upload is watched and ended. */
export interface UploadOptions {
  /** Told how many bytes of how many the session has. */
  onProgress?: (sent: number, total: number) => void;
  /** Gives the upload up; `upload` rejects then. */
  signal?: StopSignal;
}

/** Bytes of one request: large enough for a fast line, and sent in seconds on a slow one. */
const [SMALLEST, FIRST, LARGEST] = [64 * 1024, 512 * 1024, 8 * 1024 * 1024];
/** A part is to take so long; the service gives a request half a minute. Milliseconds. */
const PART_MS = 2_000;
/** Tries in a row that brought nothing, and the pause after the first of them, which doubles. */
const [TRIES, PAUSE_MS] = [7, 250];

const REFUSALS: Record<403 | 404 | 507, readonly [CallErrorCode, string]> = {
  403: ['err_forbidden', 'You may not give files to pages any more.'],
  404: ['err_upload_gone', 'The session has given this upload up.'],
  507: ['err_file_quota', 'The session has no room for this file.'],
};

/** Sends files by HTTP, part by part: a part that is lost is sent once more, from where the session has the file. */
export class FileSender {
  constructor(private readonly timers: Timers) {}

  /** Resolves when the session has all bytes. Rejects with `CallError` or {@link FileTransferError}. @param onSent told of each part */
  async send(
    url: string,
    file: LocalFile,
    signal: StopSignal | undefined,
    onSent: (bytes: number) => void,
  ): Promise<void> {
    let [at, size, failures] = [0, FIRST, 0];
    while (at < file.size) {
      signal?.throwIfAborted();
      const began = this.timers.now();
      const { status, received } = await post(`${url}?offset=${at}`, file.slice(at, at + size), signal);
      if (status === 403 || status === 404 || status === 507) throw new CallError(...REFUSALS[status]);
      if (received !== undefined && received > at) {
        onSent(received - at);
        [at, failures] = [received, 0];
        const took = Math.max(1, this.timers.now() - began);
        size = within((size * PART_MS) / took, size / 2, size * 2);
        continue;
      }
      signal?.throwIfAborted();
      if (++failures > TRIES) throw new FileTransferError(`${file.name} could not be sent. Try again.`);
      // A proxy may take less at once, and a line lose long requests.
      size = within(size / 4, SMALLEST, LARGEST);
      await new Promise<void>((resolve) => this.timers.setTimeout(resolve, PAUSE_MS * 2 ** (failures - 1)));
    }
  }
}

/** Status 0: nobody answered. `received`: bytes of the file that the session has. */
async function post(
  url: string,
  body: unknown,
  signal: StopSignal | undefined,
): Promise<{ status: number; received?: number }> {
  try {
    const init = { method: 'POST', body, credentials: 'omit', ...(signal && { signal }) } as const;
    const answer = await fetch(url, init);
    const { status } = answer;
    const told = status === 200 || status === 409 ? await answer.json() : undefined;
    const { received }: { received?: unknown } = typeof told === 'object' && told !== null ? told : {};
    return { status, ...(typeof received === 'number' && { received }) };
  } catch {
    return { status: 0 };
  }
}

function within(size: number, lowest: number, highest: number): number {
  return Math.round(Math.min(Math.max(size, lowest, SMALLEST), highest, LARGEST));
}
