import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.js';
import { TokenBucket } from '../../platform/token-bucket.js';
import type { Downloads } from './downloads.js';

/** A page can ask as often as it likes. */
const PACE = { perSecond: 0.2, burst: 3 };
const PDF = '.pdf';

/** A browser whose page in front can be printed. */
export interface Printable {
  /** Resolves when the browser is gone. */
  gone: Promise<unknown>;
  /** The page in front as a PDF, part by part. Undefined without a page. */
  print(): Promise<{ title: string; parts: AsyncIterable<Buffer> } | undefined>;
}

/** Prints pages into files, one after the other: a print is a download of its own kind. */
export class Prints {
  readonly #pace: TokenBucket;
  #current: string | undefined;

  /**
   * @param directory where they are written; the browser cannot reach it
   * @param place the same, below the session's place
   */
  constructor(
    private readonly directory: string,
    private readonly place: string,
    private readonly downloads: Pick<Downloads, 'begin' | 'progress' | 'ended'>,
    clock: Pick<Clock, 'now'>,
  ) {
    this.#pace = new TokenBucket(PACE, clock);
  }

  /** Prints the page in front; nothing while another one is printed, or when pages ask too often. */
  begin(browser: Printable, id: string): void {
    if (this.#current !== undefined || !this.#pace.take()) return;
    this.#current = id;
    void this.#print(browser, id)
      .catch(() => this.downloads.ended(id, null))
      .finally(() => (this.#current = undefined));
  }

  /** Nobody wants this one any more; the next part finds that out. */
  cancel(id: string): void {
    if (this.#current === id) this.#current = undefined;
  }

  async #print(browser: Printable, id: string): Promise<void> {
    const printed = await browser.print();
    if (!printed) return;
    const { title, parts } = printed;
    if (!this.downloads.begin(id, nameOf(title), 'print', `${this.place}/${id}`)) return;
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const file = await open(join(this.directory, id), 'wx', 0o600);
    try {
      let bytes = 0;
      for await (const part of parts) {
        await file.writeFile(part);
        bytes += part.length;
        if (!this.downloads.progress(id, bytes, null)) return;
      }
      this.downloads.ended(id, bytes);
    } finally {
      await file.close();
    }
  }
}

/** A title is no path, whatever is in it. */
function nameOf(title: string): string {
  return `${title.trim().replace(/[/\\]/g, '_') || 'page'}${PDF}`;
}
