import { randomUUID } from 'node:crypto';
import type { FileChooser, InputEvent } from 'cloud-browser/protocol';
import type { Clock } from '../../../../platform/time/clock.js';
import type { PageChooser } from '../../../browser/files/choosers.js';
import type { Viewer } from '../../../room/viewers/viewer.js';

/** Timeout of a file chooser. After this time, the page receives an empty choice. Milliseconds. */
export const CHOOSER_TIMEOUT_MS = 5 * 60_000;
/**
 * Time after which the page receives an empty choice if the user has lost the role for uploads, or was
 * disconnected by the session. A user who lost the connection keeps the chooser until its timeout: phones cut
 * the connections of a page while its user takes a picture or looks for a file. The page is not blocked
 * meanwhile, and its next chooser replaces this one. Milliseconds.
 */
export const CHOOSER_LOST_MS = 15_000;
/**
 * Time after which the page receives an empty choice if the user has not received the request. The viewer's
 * page loads its file dialog only after the first picture, so the user may receive the request late.
 * Milliseconds.
 */
export const CHOOSER_UNDELIVERED_MS = 5_000;

/** A page's file chooser that waits for the files of one user. */
export interface OpenChooser {
  readonly id: string;
  /** The request that the user receives. */
  readonly asked: FileChooser;
  readonly page: PageChooser;
  /** The newest known connection of the user who must choose. */
  viewer: Viewer;
  readonly until: number;
  /** Deadline for the user to receive the request. Undefined after they have received it. */
  unheardUntil: number | undefined;
  /** True if files are being uploaded. The upload has its own deadlines. */
  taken: boolean;
  lostAt: number | undefined;
}

/** True if input may open a file chooser. The user or agent who sent the input then gets the chooser. */
export function opensChoosers({ type }: InputEvent): boolean {
  return type !== 'move' && type !== 'wheel';
}

/**
 * The open file choosers of pages. Each chooser waits for files of one user: the user whose input opened the
 * chooser.
 */
export class OpenChoosers {
  readonly #open = new Map<string, OpenChooser>();

  /** @param onClosed called when a chooser has ended, with or without files */
  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly onClosed: (chooser: OpenChooser) => void,
  ) {}

  get any(): boolean {
    return this.#open.size > 0;
  }

  /**
   * Opens a chooser for a user. An earlier chooser of the same page gets an empty choice. It stays open if
   * its upload has begun.
   */
  open(page: PageChooser, viewer: Viewer): void {
    for (const other of this.#open.values())
      if (other.page.page === page.page && !other.taken) this.cancel(other);
    const id = randomUUID();
    const { multiple, directory, accept } = page;
    const asked = { id, multiple, directory, accept, timeout: CHOOSER_TIMEOUT_MS };
    const now = this.clock.now();
    const [until, unheardUntil] = [now + CHOOSER_TIMEOUT_MS, now + CHOOSER_UNDELIVERED_MS];
    const chooser = { id, asked, page, viewer, until, unheardUntil, taken: false, lostAt: undefined };
    this.#open.set(id, chooser);
    void page.gone.then(() => this.#close(chooser));
  }

  /**
   * Sends a user the requests that this user has not received.
   *
   * @param tell returns true if the user received the request
   */
  tell(user: Viewer['user'], tell: (asked: FileChooser) => boolean): void {
    for (const chooser of this.#open.values()) {
      if (chooser.viewer.user !== user || chooser.unheardUntil === undefined) continue;
      if (tell(chooser.asked)) chooser.unheardUntil = undefined;
    }
  }

  get(id: string): OpenChooser | undefined {
    return this.#open.get(id);
  }

  /** Gives the page an empty choice. */
  cancel(chooser: OpenChooser): void {
    void chooser.page.cancel().catch(() => undefined);
    this.#close(chooser);
  }

  /** Removes a chooser after its page has received the files. */
  answered(chooser: OpenChooser): void {
    this.#close(chooser);
  }

  /**
   * Applies the timeouts. Call it once a second while a chooser is open.
   *
   * @param newest returns the newest connection of a viewer's user. Undefined if the user may not choose any
   *   more
   */
  look(newest: (viewer: Viewer) => Viewer | undefined): void {
    const now = this.clock.now();
    for (const chooser of [...this.#open.values()]) {
      const viewer = newest(chooser.viewer);
      chooser.viewer = viewer ?? chooser.viewer;
      chooser.lostAt = viewer ? undefined : (chooser.lostAt ?? now);
      const lost = chooser.lostAt !== undefined && now - chooser.lostAt >= CHOOSER_LOST_MS;
      const late = now >= (chooser.unheardUntil ?? chooser.until);
      if (!chooser.taken && (lost || late)) this.cancel(chooser);
    }
  }

  /** Closes all choosers, because the session or its browser ends. */
  close(): void {
    for (const chooser of [...this.#open.values()]) this.cancel(chooser);
  }

  #close(chooser: OpenChooser): void {
    if (!this.#open.delete(chooser.id)) return;
    chooser.page.close();
    this.onClosed(chooser);
  }
}
