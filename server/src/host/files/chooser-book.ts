import { randomUUID } from 'node:crypto';
import type { FileChooser } from 'cloud-browser/protocol';
import type { Clock } from '../../platform/clock.js';
import type { PageChooser } from '../browser/files/choosers.js';
import type { Viewer } from '../room/viewer.js';

/** A page that asks for files is told after this that nothing was chosen. Milliseconds. */
export const CHOOSER_TIMEOUT_MS = 5 * 60_000;
/** The same when the user whom it asks has no connection any more. */
export const CHOOSER_AWAY_MS = 15_000;
/** The same when the user has not heard of it: what asks them is loaded behind the first picture. Milliseconds. */
export const CHOOSER_UNHEARD_MS = 5_000;

/** A page that waits for its user's files. */
export interface OpenChooser {
  readonly id: string;
  /** What the user is told. */
  readonly asked: FileChooser;
  readonly page: PageChooser;
  /** Whom it asks. */
  readonly viewer: Viewer;
  readonly until: number;
  /** Until when the user has to have heard of it; undefined: they have. */
  unheardUntil: number | undefined;
  /** Files are on their way; the upload has deadlines of its own. */
  taken: boolean;
  awayAt: number | undefined;
}

/** The pages that ask for files, each one user: whoever made it ask. */
export class ChooserBook {
  readonly #open = new Map<string, OpenChooser>();

  /** @param onClosed told of one that was answered, or does not wait any more */
  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly onClosed: (chooser: OpenChooser) => void,
  ) {}

  get any(): boolean {
    return this.#open.size > 0;
  }

  /** A page asks a user; what the same page asked before is answered with nothing. */
  open(page: PageChooser, viewer: Viewer): void {
    for (const other of this.#open.values())
      if (other.page.page === page.page && !other.taken) this.cancel(other);
    const id = randomUUID();
    const { multiple, directory, accept } = page;
    const asked = { id, multiple, directory, accept, timeout: CHOOSER_TIMEOUT_MS };
    const now = this.clock.now();
    const [until, unheardUntil] = [now + CHOOSER_TIMEOUT_MS, now + CHOOSER_UNHEARD_MS];
    const chooser = { id, asked, page, viewer, until, unheardUntil, taken: false, awayAt: undefined };
    this.#open.set(id, chooser);
    void page.gone.then(() => this.#close(chooser));
  }

  /** Tells a user of what asks them and they have not heard of. @param tell whether they heard it */
  tell(user: Viewer['user'], tell: (asked: FileChooser) => boolean): void {
    for (const chooser of this.#open.values()) {
      if (chooser.viewer.user !== user || chooser.unheardUntil === undefined) continue;
      if (tell(chooser.asked)) chooser.unheardUntil = undefined;
    }
  }

  get(id: string): OpenChooser | undefined {
    return this.#open.get(id);
  }

  /** Tells the page that nothing was chosen. */
  cancel(chooser: OpenChooser): void {
    void chooser.page.cancel().catch(() => undefined);
    this.#close(chooser);
  }

  /** The page has what it wanted. */
  answered(chooser: OpenChooser): void {
    this.#close(chooser);
  }

  /** To be called once a second while there is any. @param isHere whether a user has a connection, and may still */
  look(isHere: (viewer: Viewer) => boolean): void {
    const now = this.clock.now();
    for (const chooser of [...this.#open.values()]) {
      chooser.awayAt = isHere(chooser.viewer) ? undefined : (chooser.awayAt ?? now);
      const away = chooser.awayAt !== undefined && now - chooser.awayAt >= CHOOSER_AWAY_MS;
      const late = now >= (chooser.unheardUntil ?? chooser.until);
      if (!chooser.taken && (away || late)) this.cancel(chooser);
    }
  }

  /** All of them: the session ends, or its browser did. */
  close(): void {
    for (const chooser of [...this.#open.values()]) this.cancel(chooser);
  }

  #close(chooser: OpenChooser): void {
    if (!this.#open.delete(chooser.id)) return;
    chooser.page.close();
    this.onClosed(chooser);
  }
}
