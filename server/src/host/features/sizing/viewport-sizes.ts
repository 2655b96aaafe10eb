import type { Size } from '../../../platform/screen-size.js';
import { canUse, type RightsHolder } from '../../room/users/can-use.js';
import type { User } from '../../room/users/known-users.js';
import type { SizeChanges } from './size-changes.js';

/** A viewer with a box: the area that its page has for the screen. */
export interface SizedViewer extends RightsHolder {
  readonly user: Pick<User, 'lastInput'>;
  readonly userId: string;
  /** True if the viewer's page is visible. */
  readonly visible: boolean;
  readonly gone: boolean;
}

/**
 * The viewers' boxes: the area that each viewer's page has for the screen. The screen fills the box of one
 * viewer. This viewer controls the browser, may resize the screen, and has a visible page. The screen follows
 * the same viewer until one of these conditions changes or the viewer leaves. So two viewers do not change
 * the size in turns.
 */
export class ViewportSizes {
  readonly #boxes = new Map<SizedViewer, Size>();
  #leader: SizedViewer | undefined;
  /** The last box for which a change of the screen was requested. */
  #filled: Size | undefined;
  #pinned = false;

  /** @param controls returns true if a user controls the browser now */
  constructor(
    private readonly changes: Pick<SizeChanges, 'fill'>,
    private readonly controls: (userId: string) => boolean,
  ) {}

  /** True if the size of the screen is fixed, so that boxes have no effect. */
  get pinned(): boolean {
    return this.#pinned;
  }

  set pinned(pinned: boolean) {
    this.#pinned = pinned;
    this.settle();
  }

  /** Sets the box of a viewer. Null removes it. */
  set(viewer: SizedViewer, box: Size | null): void {
    if (box) this.#boxes.set(viewer, box);
    else this.#boxes.delete(viewer);
    this.settle();
  }

  /**
   * Selects again the viewer whose box the screen fills. Call it after a change of rights, control, connected
   * viewers or visible pages.
   */
  settle(): void {
    if (this.#boxes.size === 0 || this.#pinned) {
      this.#leader = this.#filled = undefined;
      return;
    }
    if (!this.#leader || !this.#leads(this.#leader)) {
      // The user who acted last decides the size.
      const able = [...this.#boxes.keys()].filter((viewer) => this.#leads(viewer));
      this.#leader = able.sort((a, b) => b.user.lastInput - a.user.lastInput)[0];
      this.#filled = undefined;
    }
    const box = this.#leader && this.#boxes.get(this.#leader);
    if (!box || box === this.#filled) return;
    this.#filled = box;
    // Ignores a failed change. The next box causes a new request.
    this.changes.fill(box, this.#leader).catch(() => undefined);
  }

  /**
   * Fills the box again. Call it after the screen was replaced, because the new screen may have an older
   * size.
   */
  refill(): void {
    this.#filled = undefined;
    this.settle();
  }

  #leads(viewer: SizedViewer): boolean {
    const { gone, visible, userId } = viewer;
    return !gone && visible && canUse(viewer, 'resize') && this.#boxes.has(viewer) && this.controls(userId);
  }
}
