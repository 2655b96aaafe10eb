import type { Size } from '../../../platform/screen-size.js';
import type { User } from '../users/known-users.js';
import { hasRole, type Rights } from '../users/rights.js';
import type { SizeChanges } from './size-changes.js';

/** What is to be known of a viewer who has a box for the screen. */
export interface Boxed {
  readonly user: Pick<User, 'lastInput'>;
  readonly userId: string;
  readonly rights: Rights;
  /** Has shown the admin token. */
  readonly admin: boolean;
  /** Its page can be seen. */
  readonly visible: boolean;
  readonly gone: boolean;
}

/**
 * The boxes that viewers have for the screen, and whose the screen fills: that of a viewer who controls the browser, may resize it and
 * looks at it. It stays theirs until that changes, or they leave; so two who may do the same do not fight for the size.
 */
export class Boxes {
  readonly #boxes = new Map<Boxed, Size>();
  #leader: Boxed | undefined;
  /** The box that the screen was given last. */
  #filled: Size | undefined;
  #pinned = false;

  /** @param controls whether a user's input counts now */
  constructor(
    private readonly changes: Pick<SizeChanges, 'fill'>,
    private readonly controls: (userId: string) => boolean,
  ) {}

  /** The size stays as it is, whatever boxes there are. */
  get pinned(): boolean {
    return this.#pinned;
  }

  set pinned(pinned: boolean) {
    this.#pinned = pinned;
    this.settle();
  }

  /** A viewer has a box, or with null none any more. */
  set(viewer: Boxed, box: Size | null): void {
    if (box) this.#boxes.set(viewer, box);
    else this.#boxes.delete(viewer);
    this.settle();
  }

  /** Decides anew: rights, control, or who is here and looks may have changed. */
  settle(): void {
    if (this.#boxes.size === 0 || this.#pinned) {
      this.#leader = this.#filled = undefined;
      return;
    }
    if (!this.#leader || !this.#leads(this.#leader)) {
      // Who acted last knows best what they want to see.
      const able = [...this.#boxes.keys()].filter((viewer) => this.#leads(viewer));
      this.#leader = able.sort((a, b) => b.user.lastInput - a.user.lastInput)[0];
      this.#filled = undefined;
    }
    const box = this.#leader && this.#boxes.get(this.#leader);
    if (!box || box === this.#filled) return;
    this.#filled = box;
    // Where the screen cannot change now, it does with the next box.
    this.changes.fill(box, this.#leader).catch(() => undefined);
  }

  /** The screen is another one, of the size that the last one had or a size before. */
  again(): void {
    this.#filled = undefined;
    this.settle();
  }

  #leads(viewer: Boxed): boolean {
    const { gone, visible, admin, rights, userId } = viewer;
    const may = admin || hasRole(rights, 'resize');
    return !gone && visible && may && this.#boxes.has(viewer) && this.controls(userId);
  }
}
