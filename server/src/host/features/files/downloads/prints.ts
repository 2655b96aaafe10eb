import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Timer } from '../../../../platform/time/clock.js';
import { TokenBucket } from '../../../../platform/rates/token-bucket.js';
import type { CdpSession } from '../../../browser/cdp/cdp-session.js';
import type { Downloads } from './downloads.js';

/** Limits the rate at which pages can print. */
const PACE = { perSecond: 0.2, burst: 3 };
/** Another page that waits is printed after this time, because the current page may hang. Milliseconds. */
const HANGING_MS = 10_000;
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

/**
 * Prints pages to files, one at a time. After {@link HANGING_MS} a print does not delay others any more. So
 * several prints can run, but few, because the browser's timeout ends a print that hangs. A printed page is a
 * download of the kind `print`.
 */
export class Prints {
  readonly #pace: TokenBucket;
  #current: { readonly id: string; readonly page: CdpSession; readonly began: number } | undefined;
  /** Begins the newest print that was requested while another page was printed. */
  #next: (() => void) | undefined;
  /** Runs while a page waits. */
  #hanging: Timer | undefined;

  /**
   * @param directory the directory for the files; the browser cannot reach it
   * @param place the same directory, relative to the session's directory
   */
  constructor(
    private readonly directory: string,
    private readonly place: string,
    private readonly downloads: Pick<Downloads, 'begin' | 'progress' | 'ended'>,
    private readonly clock: Pick<Clock, 'now' | 'setTimeout'>,
  ) {
    this.#pace = new TokenBucket(PACE, clock);
  }

  /**
   * Prints a page. While another page is printed, only the newest such request waits, at most for
   * {@link HANGING_MS}. Does nothing if the same page is being printed, or if pages print too often.
   *
   * @param isCaused called if the print begins. Returns true if a user or program caused the print
   */
  begin(browser: Printable, page: CdpSession, id: string, isCaused = () => false): void {
    const current = this.#current;
    if (current) {
      if (current.page === page) return;
      this.#next = () => this.begin(browser, page, id, isCaused);
      const left = Math.max(0, current.began + HANGING_MS - this.clock.now());
      this.#hanging ??= this.clock.setTimeout(() => this.cancel(current.id), left);
      return;
    }
    if (!this.#pace.take()) return;
    this.#current = { id, page, began: this.clock.now() };
    void this.#print(browser, page, id, isCaused())
      .catch(() => this.downloads.ended(id, null))
      .finally(() => this.cancel(id));
  }

  /**
   * Ends the turn of a print, and prints the page that waits. The print of a cancelled download ends when its
   * next part arrives.
   */
  cancel(id: string): void {
    if (this.#current?.id !== id) return;
    const next = this.#next;
    this.browserIsGone();
    this.#current = undefined;
    next?.();
  }

  /** Forgets the page that waits, because its browser has ended. */
  browserIsGone(): void {
    this.#next = undefined;
    this.#hanging?.cancel();
    this.#hanging = undefined;
  }

  async #print(browser: Printable, page: CdpSession, id: string, isCaused: boolean): Promise<void> {
    const printed = await browser.print(page);
    if (!printed) return;
    const { title, parts } = printed;
    if (!this.downloads.begin(id, nameOf(title), 'print', `${this.place}/${id}`, isCaused)) return;
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const path = join(this.directory, id);
    const file = await open(path, 'wx', 0o600);
    try {
      // The download may have been cancelled before the file existed. Then no other code removes the file.
      if (!this.downloads.progress(id, 0, null)) {
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
