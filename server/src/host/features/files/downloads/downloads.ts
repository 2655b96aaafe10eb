import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Download, DownloadFailure } from 'cloud-browser/protocol';
import type { Clock } from '../../../../platform/time/clock.js';
import { openInside, removeInside } from '../../../../platform/files/inside.js';
import { CallError } from '../../../room/calls/call-error.js';
import { DownloadEntry } from './download-entry.js';
import type { Fetcher } from '../file-access.js';
import { safeName } from '../file-names.js';
import type { FileQuota } from '../file-quota.js';

/** A download is cancelled if no byte arrives for this time. Milliseconds. */
export const DOWNLOAD_STALL_MS = 60_000;
/** Lifetime of a ticket, the secret part of an address that fetches a download. Milliseconds. */
export const TICKET_MS = 60_000;
/** Maximum numbers of running downloads, and of all downloads in the list. */
const [MAX_RUNNING, MAX_KEPT] = [32, 256];

/** Receiver of download events. */
export interface DownloadNews {
  onDownload(download: Download): void;
  onRemoved(id: string): void;
}

/** The open file of a complete download. */
export interface DownloadedFile {
  file: FileHandle;
  name: string;
  /** Number of bytes to read. */
  size: number;
}

/** The file that a ticket opens. */
export interface OpenedDownload extends DownloadedFile {
  holder: Fetcher;
}

/** The files that pages have offered. A complete file is kept until a user removes it or the session ends. */
export class Downloads {
  readonly #entries = new Map<string, DownloadEntry>();
  readonly #tickets = new Map<string, { entry: DownloadEntry; holder: Fetcher; until: number }>();
  readonly #removals = new Set<Promise<void>>();

  /**
   * @param place the session's directory; a hostile browser can write to parts of it
   * @param giveUp cancels a download in the browser, or a print
   */
  constructor(
    private readonly place: string,
    private readonly quota: FileQuota,
    private readonly clock: Clock,
    private readonly news: DownloadNews,
    private readonly giveUp: (id: string) => void,
  ) {}

  /** True if any download is running. */
  get running(): boolean {
    return this.#running.length > 0;
  }

  /** Number of remembered tickets. */
  get ticketCount(): number {
    return this.#tickets.size;
  }

  get #running(): DownloadEntry[] {
    return [...this.#entries.values()].filter(({ state }) => state === 'running');
  }

  list(): Download[] {
    return [...this.#entries.values()].map(({ view }) => view);
  }

  /**
   * Adds a download that begins. Returns false if there are too many downloads. The caller must then cancel
   * the download. If there are too many, a download that a user or program caused takes the place of the
   * oldest one that a page began on its own. Otherwise one page could take all places.
   */
  begin(id: string, name: string, kind: Download['kind'], path: string, isCaused: boolean): boolean {
    if (this.#running.length >= MAX_RUNNING && !(isCaused && this.#failOldest())) return false;
    if (this.#entries.size >= MAX_KEPT && !this.#forgetOldest(isCaused)) return false;
    const tell = () => this.news.onDownload(entry.view);
    const now = this.clock.now();
    const entry = new DownloadEntry(
      id,
      safeName(name, 'download'),
      kind,
      path,
      now,
      tell,
      this.clock,
      isCaused,
    );
    this.#entries.set(id, entry);
    tell();
    return true;
  }

  /**
   * Records the number of received bytes. Cancels the download if it exceeds a limit. Returns false if the
   * download is not running any more.
   */
  progress(id: string, received: number, size: number | null): boolean {
    const entry = this.#running.find((running) => running.id === id);
    if (!entry) return false;
    const more = Math.max(0, received - entry.received);
    const { perFile } = this.quota.limits;
    if (Math.max(received, size ?? 0) > perFile) this.#fail(entry, 'too-large');
    else if (!this.quota.take(more)) this.#fail(entry, 'quota');
    else entry.moved(Math.max(received, entry.received), size, this.clock.now());
    return entry.state === 'running';
  }

  /**
   * Records the end of a download.
   *
   * @param received size of the complete file in bytes; null if the download ended early
   */
  ended(id: string, received: number | null): void {
    const entry = this.#running.find((running) => running.id === id);
    if (!entry) return;
    if (received === null) this.#fail(entry, 'interrupted');
    else if (this.progress(id, received, received)) entry.end('done');
  }

  /** Cancels a running download. Returns false if there is no download with this id. */
  cancel(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry?.state === 'running') {
      this.#drop(entry);
      entry.end('cancelled');
    }
    return entry !== undefined;
  }

  /** Removes a download and its file. Throws {@link CallError}. */
  remove(id: string): void {
    const entry = this.#get(id);
    this.cancel(id);
    this.#forget(entry);
  }

  /** Returns a ticket that opens a download for a user. Throws {@link CallError}. */
  ticket(id: string, holder: Fetcher): string {
    const entry = this.#complete(id);
    this.#forgetTickets();
    const ticket = randomBytes(32).toString('base64url');
    this.#tickets.set(ticket, { entry, holder, until: this.clock.now() + TICKET_MS });
    return ticket;
  }

  /**
   * Opens the file of a ticket. Resolves to `forbidden` if the ticket's user may not fetch the file now, and
   * to undefined if the ticket is not valid or the file is missing.
   */
  async open(ticket: string): Promise<OpenedDownload | 'forbidden' | undefined> {
    this.#forgetTickets();
    const known = this.#tickets.get(ticket);
    if (!known) return undefined;
    if (!known.holder.may) return 'forbidden';
    const { entry, holder } = known;
    const opened = await this.#open(entry);
    return opened && { ...opened, holder };
  }

  /**
   * Opens the file of a complete download. The caller must close the file. Rejects with {@link CallError}.
   */
  async read(id: string): Promise<DownloadedFile> {
    const opened = await this.#open(this.#complete(id));
    if (!opened) throw downloadGone();
    return opened;
  }

  /** Cancels downloads that have stalled. Call it once a second while any download is running. */
  look(): void {
    const now = this.clock.now();
    for (const entry of this.#running)
      if (now - entry.movedAt >= DOWNLOAD_STALL_MS) this.#fail(entry, 'stalled');
  }

  /** Cancels the running downloads, because the browser has ended. */
  browserIsGone(): void {
    for (const entry of this.#running) this.#fail(entry, 'interrupted');
  }

  /** Removes all downloads and tickets. Resolves when no file is left on the disk. */
  async close(): Promise<void> {
    for (const entry of [...this.#entries.values()]) {
      entry.close();
      if (entry.state === 'running') this.giveUp(entry.id);
      this.#removeFile(entry);
    }
    this.#entries.clear();
    this.#tickets.clear();
    await Promise.all(this.#removals);
  }

  #get(id: string): DownloadEntry {
    const entry = this.#entries.get(id);
    if (!entry) throw downloadGone();
    return entry;
  }

  #complete(id: string): DownloadEntry {
    const entry = this.#get(id);
    if (entry.state === 'done') return entry;
    throw new CallError('err_download_gone', 'This download is not complete. Wait for its state done.');
  }

  async #open({ path, name }: DownloadEntry): Promise<DownloadedFile | undefined> {
    const file = await openInside(this.place, path);
    if (!file) return undefined;
    const { size } = await file.stat();
    // A hostile browser may have replaced the file with a file of another size.
    return { file, name, size: Math.min(size, this.quota.limits.perFile) };
  }

  #fail(entry: DownloadEntry, failure: DownloadFailure): void {
    this.#drop(entry);
    entry.end('failed', failure);
  }

  /** Makes the browser cancel a download, and removes its file. */
  #drop(entry: DownloadEntry): void {
    this.giveUp(entry.id);
    this.#removeFile(entry);
  }

  #removeFile(entry: DownloadEntry): void {
    this.quota.giveBack(entry.received);
    entry.received = 0;
    const removal = removeInside(this.place, entry.path).finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
  }

  #forget(entry: DownloadEntry): void {
    entry.close();
    this.#entries.delete(entry.id);
    this.#removeFile(entry);
    for (const [ticket, known] of this.#tickets) if (known.entry === entry) this.#tickets.delete(ticket);
    this.news.onRemoved(entry.id);
  }

  /** Ends the oldest running download that a page began on its own. Returns false if there is none. */
  #failOldest(): boolean {
    const oldest = this.#running.find(({ isCaused }) => !isCaused);
    if (oldest) this.#fail(oldest, 'interrupted');
    return oldest !== undefined;
  }

  /**
   * Removes the oldest failed or cancelled download. Returns false if there is none.
   *
   * @param alsoDone true to also remove the oldest complete download that a page began on its own, if there
   *   is no failed or cancelled one
   */
  #forgetOldest(alsoDone: boolean): boolean {
    const all = [...this.#entries.values()];
    const failed = all.find(({ state }) => state === 'failed' || state === 'cancelled');
    const own = alsoDone ? all.find(({ state, isCaused }) => state === 'done' && !isCaused) : undefined;
    const useless = failed ?? own;
    if (useless) this.#forget(useless);
    return useless !== undefined;
  }

  #forgetTickets(): void {
    const now = this.clock.now();
    for (const [ticket, { until }] of this.#tickets) if (until <= now) this.#tickets.delete(ticket);
  }
}

/** Returns the error for a download that the session does not have. */
export function downloadGone(): CallError {
  return new CallError('err_download_gone', 'There is no such download, or it was removed.');
}
