import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../../platform/time/clock.js';
import { TokenBucket } from '../../../../platform/rates/token-bucket.js';
import type { CdpSession } from '../../../browser/cdp/cdp-session.js';
import type { Downloads } from './downloads.js';

/** Limits the rate at which pages can print. */
const PACE = { perSecond: 0.2, burst: 3 };
const PDF = '.pdf';

/** A browser that can print its pages. */
export interface Printable {
  /** Resolves when the browser has ended. */
  gone: Promise<unknown>;
  /**
   * Prints a page to a PDF and returns its parts. For a frame, prints the page around it. Resolves to
   * undefined if the page is gone.
   */
  print(page: CdpSession): Promise<{ title: string; parts: AsyncIterable<Buffer> } | undefined>;
}

/** Prints pages to files, one at a time. A printed page is a download of the kind `print`. */
export class Prints {
  readonly #pace: TokenBucket;
  #current: { readonly id: string; readonly page: CdpSession } | undefined;
  /** Begins the newest print that was requested while another page was printed. */
  #next: (() => void) | undefined;

  /**
   * @param directory the directory for the files; the browser cannot reach it
   * @param place the same directory, relative to the session's directory
   */
  constructor(
    private readonly directory: string,
    private readonly place: string,
    private readonly downloads: Pick<Downloads, 'begin' | 'progress' | 'ended'>,
    clock: Pick<Clock, 'now'>,
  ) {
    this.#pace = new TokenBucket(PACE, clock);
  }

  /**
   * Prints a page. While another page is printed, which may hang, only the newest such request waits. Does
   * nothing if the same page is being printed, or if pages print too often.
   */
  begin(browser: Printable, page: CdpSession, id: string): void {
    if (this.#current) {
      if (this.#current.page !== page) this.#next = () => this.begin(browser, page, id);
      return;
    }
    if (!this.#pace.take()) return;
    this.#current = { id, page };
    void this.#print(browser, page, id)
      .catch(() => this.downloads.ended(id, null))
      .finally(() => this.cancel(id));
  }

  /**
   * Cancels a print, and prints the page that waits. The cancelled print ends when its next part arrives.
   */
  cancel(id: string): void {
    if (this.#current?.id !== id) return;
    this.#current = undefined;
    const next = this.#next;
    this.#next = undefined;
    next?.();
  }

  /** Forgets the page that waits, because its browser has ended. */
  browserIsGone(): void {
    this.#next = undefined;
  }

  async #print(browser: Printable, page: CdpSession, id: string): Promise<void> {
    const printed = await browser.print(page);
    if (!printed) return;
    const { title, parts } = printed;
    if (!this.downloads.begin(id, nameOf(title), 'print', `${this.place}/${id}`)) return;
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const path = join(this.directory, id);
    const file = await open(path, 'wx', 0o600);
    try {
      // The print may have been cancelled before the file existed. Then nobody else removes the file.
      if (this.#current?.id !== id) {
        await rm(path, { force: true });
        return;
      }
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

/** Returns a file name for a page's title. Replaces slashes, so that a title cannot act as a path. */
function nameOf(title: string): string {
  return `${title.trim().replace(/[/\\]/g, '_') || 'page'}${PDF}`;
}
