import type { CallErrorCode } from '../../protocol/index.js';
import { CallError, FileTransferError } from '../errors.js';
import type { Timers } from '../timers.js';

/** The parts of a `File`, or of a `Blob` with a name, that an upload needs. */
export interface LocalFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified?: number;
  /** Path of the file in a chosen folder. It begins with the name of that folder. */
  readonly webkitRelativePath?: string;
  slice(start: number, end: number): unknown;
}

/** The parts of an `AbortSignal` that an upload needs. */
export interface StopSignal {
  readonly aborted: boolean;
  throwIfAborted(): void;
  addEventListener?(type: 'abort', listener: () => void): void;
  removeEventListener?(type: 'abort', listener: () => void): void;
}

/** Options to watch and abort an upload. */
export interface UploadOptions {
  /**
   * Called with the number of bytes that the session has received, and the total number, for all files
   * together.
   */
  onProgress?: (sent: number, total: number) => void;
  /** Aborts the upload. `upload` then rejects with the signal's reason. */
  signal?: StopSignal;
}

/**
 * Smallest, first and largest size of one request in bytes. Large requests suit fast connections. Small
 * requests take only seconds on slow connections.
 */
const [SMALLEST, FIRST, LARGEST] = [64 * 1024, 512 * 1024, 8 * 1024 * 1024];
/** Target duration of one request. The service allows half a minute. Milliseconds. */
const PART_MS = 2_000;
/**
 * Timeout of one request in milliseconds. Even the smallest part needs 21 kbit/s to arrive in this time, and
 * three files share the connection. The service ends a request after half a minute.
 */
const TIMEOUT_MS = 25_000;
/**
 * Maximum number of consecutive retries, and the shortest and the longest pause before a retry in
 * milliseconds. The pause doubles before each further retry. If the last retry fails, the upload ends. All
 * pauses together last 27.75 s, so an upload survives a gap of the network that is too short to end the
 * client's connection. While the client reconnects, no tries are counted.
 */
const [TRIES, PAUSE_MS, LONGEST_PAUSE_MS] = [10, 250, 4_000];

const REFUSALS: Record<403 | 404 | 507, readonly [CallErrorCode, string]> = {
  403: ['err_forbidden', 'You may not upload files any more.'],
  404: ['err_upload_gone', 'The session cancelled this upload.'],
  507: ['err_file_quota', 'The session has no room for this file.'],
};

/** Sends files by HTTP in parts. After a lost part, continues from the offset that the session reports. */
export class FileSender {
  /**
   * @param reconnected waits while the client reconnects. Resolves to true if it had to wait. Rejects if the
   *   client has given up
   */
  constructor(
    private readonly timers: Timers,
    private readonly reconnected: () => Promise<boolean>,
  ) {}

  /**
   * Sends a file. Resolves when the session has all bytes. Rejects with `CallError`,
   * {@link FileTransferError}, or the reason of an aborted signal.
   * @param onSent called after each part with the number of bytes that the session has received since the
   *   last call
   */
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
      const part = file.slice(at, at + size);
      const { status, received } = await this.#post(`${url}?offset=${at}`, part, signal);
      if (status === 403 || status === 404 || status === 507) throw new CallError(...REFUSALS[status]);
      if (received !== undefined && received > at) {
        onSent(received - at);
        [at, failures] = [received, 0];
        const took = Math.max(1, this.timers.now() - began);
        size = within((size * PART_MS) / took, size / 2, size * 2);
        continue;
      }
      signal?.throwIfAborted();
      if (await this.reconnected()) {
        failures = 0;
        continue;
      }
      if (++failures > TRIES) throw new FileTransferError(`${file.name} could not be sent. Try again.`);
      // A proxy may accept only smaller requests, and a bad connection may lose long ones.
      size = within(size / 4, SMALLEST, LARGEST);
      const pause = Math.min(PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
      await new Promise<void>((resolve) => {
        const end = this.#after(pause, signal, () => {
          end();
          resolve();
        });
      });
    }
  }

  /**
   * Sends one part. The status is 0 without an answer. `received` is the number of bytes of the file that the
   * session has.
   */
  async #post(
    url: string,
    body: unknown,
    signal: StopSignal | undefined,
  ): Promise<{ status: number; received?: number }> {
    const request = new AbortController();
    const end = this.#after(TIMEOUT_MS, signal, () => request.abort());
    try {
      const init = { method: 'POST', body, credentials: 'omit', signal: request.signal } as const;
      const answer = await fetch(url, init);
      const { status } = answer;
      const told = status === 200 || status === 409 ? await answer.json() : undefined;
      const { received }: { received?: unknown } = typeof told === 'object' && told !== null ? told : {};
      return { status, ...(typeof received === 'number' && { received }) };
    } catch {
      return { status: 0 };
    } finally {
      end();
    }
  }

  /**
   * Calls `act` after a time, or when the upload is aborted. Returns a function that ends the wait. Call it
   * in every case, also after `act`.
   */
  #after(milliseconds: number, signal: StopSignal | undefined, act: () => void): () => void {
    const timer = this.timers.setTimeout(act, milliseconds);
    signal?.addEventListener?.('abort', act);
    return () => {
      this.timers.clearTimeout(timer);
      signal?.removeEventListener?.('abort', act);
    };
  }
}

function within(size: number, lowest: number, highest: number): number {
  return Math.round(Math.min(Math.max(size, lowest, SMALLEST), highest, LARGEST));
}
