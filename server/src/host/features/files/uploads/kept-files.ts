import type { OfferedFile, Upload } from 'cloud-browser/protocol';
import type { Clock } from '../../../../platform/time/clock.js';
import type { ActingAgent } from '../../../room/calls/access.js';
import { CallError } from '../../../room/calls/call-error.js';
import { agentMay } from '../file-access.js';
import type { Uploads } from './uploads.js';

/** A kept file is removed after this time if no page has received it. Milliseconds. */
export const KEPT_MS = 15 * 60_000;
/** Maximum number of kept files. */
const MAX_KEPT = 256;
/** Maximum number of incomplete files of programs. The limit leaves room for the uploads of people. */
const MAX_INCOMPLETE = 12;

interface KeptFile {
  /**
   * Settles when the file is complete, or when it cannot be kept. Undefined until {@link KeptFiles.keep} is
   * called.
   */
  keeping: Promise<void> | undefined;
  /** Path of the file as the browser sees it. Undefined while its bytes arrive. */
  path: string | undefined;
  /** Number of open pages that have received the file. */
  pages: number;
  /** Time at which the file is removed if no open page has received it. */
  until: number;
  /** Removes the file from the disk. */
  end: () => void;
}

/** Files that programs have sent, and that a program can give to pages. */
export class KeptFiles {
  readonly #files = new Map<string, KeptFile>();

  constructor(
    private readonly uploads: Pick<Uploads, 'offer' | 'finish' | 'get' | 'cancel'>,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  get any(): boolean {
    return this.#files.size > 0;
  }

  /** Accepts a file of an agent. The program sends the file's bytes after that. Throws {@link CallError}. */
  offer({ agent }: ActingAgent, file: OfferedFile): Upload {
    if (this.#files.size >= MAX_KEPT)
      throw new CallError('err_file_quota', `At most ${MAX_KEPT} files can be kept. Remove some uploads.`);
    if ([...this.#files.values()].filter(({ path }) => path === undefined).length >= MAX_INCOMPLETE)
      throw new CallError(
        'err_file_quota',
        `At most ${MAX_INCOMPLETE} uploads of programs at once. Wait for some to finish.`,
      );
    let end: () => void = () => undefined;
    const over = new Promise<void>((resolve) => (end = resolve));
    const kept: KeptFile = { keeping: undefined, path: undefined, pages: 0, until: Infinity, end };
    const holder = {
      get may() {
        return agentMay(agent, 'file_upload');
      },
      user: undefined,
    };
    const upload = this.uploads.offer(
      holder,
      {
        directory: false,
        give: ([path]) => {
          kept.path = path;
          kept.until = this.clock.now() + KEPT_MS;
          return Promise.resolve();
        },
        abandon: () => void this.#files.delete(upload.id),
        over,
      },
      [file],
    );
    this.#files.set(upload.id, kept);
    return upload;
  }

  /**
   * Keeps a file whose bytes have all arrived. If this fails, removes the file and rejects with {@link
   * CallError}. A repeated call has the same result.
   */
  async keep(id: string): Promise<void> {
    const kept = this.#get(id);
    kept.keeping ??= this.uploads.finish(id).catch((error: unknown) => {
      this.#remove(id, kept);
      throw error;
    });
    await kept.keeping;
  }

  /** Removes a file. Throws {@link CallError} if there is no file with this id. */
  discard(id: string): void {
    this.#remove(id, this.#get(id));
  }

  /**
   * Returns the path of a complete file as the browser sees it. Returns undefined if there is no complete
   * file with this id.
   */
  pathOf(id: string): string | undefined {
    return this.#files.get(id)?.path;
  }

  /** Like {@link pathOf}. Also keeps the file while the page that receives it is open. */
  giveTo(pageEnded: Promise<unknown> | undefined, id: string): string | undefined {
    const path = this.pathOf(id);
    if (path !== undefined && pageEnded) this.usedBy(id, pageEnded);
    return path;
  }

  /** Keeps a file while a page is open. The file is removed after all pages that received it have closed. */
  usedBy(id: string, pageEnded: Promise<unknown>): void {
    const kept = this.#files.get(id);
    if (!kept) return;
    kept.pages += 1;
    void pageEnded.then(() => {
      kept.pages -= 1;
      kept.until = this.clock.now();
    });
  }

  /** Removes files that no page needs. Call it once a second while any file is kept. */
  look(): void {
    const now = this.clock.now();
    for (const [id, { pages, until }] of this.#files) if (pages === 0 && now >= until) this.discard(id);
  }

  #remove(id: string, { end }: KeptFile): void {
    this.#files.delete(id);
    // If `Uploads.finish` is still running for this file, it removes the file from the disk at its end.
    end();
    this.#cancel(id);
  }

  #cancel(id: string): void {
    try {
      this.uploads.cancel(this.uploads.get(id));
    } catch {
      // The upload has ended already.
    }
  }

  #get(id: string): KeptFile {
    const kept = this.#files.get(id);
    if (kept) return kept;
    throw new CallError(
      'err_upload_gone',
      'There is no such upload: it was removed, or its bytes did not arrive.',
    );
  }
}
