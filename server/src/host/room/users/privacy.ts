import type { PrivacyNotice } from 'cloud-browser/protocol';
import type { Roster } from './roster.js';
import type { Viewer } from '../viewer.js';

/**
 * Privacy mode: one user has the browser alone. The others get no picture and no shape of the pointer, none of their
 * roles count, and their input is dropped. It ends with that user's connection.
 */
export class Privacy {
  /** @param onReveal somebody may see again and needs the whole picture */
  constructor(
    private readonly people: Roster,
    private readonly onReveal: (viewer: Viewer) => void,
  ) {}

  /** Who has the browser alone. */
  get owner(): string | undefined {
    return this.people.control.alone;
  }

  /** Somebody comes in; to be called before anything is shown to them. */
  greet(viewer: Viewer): void {
    if (this.owner === undefined) return;
    viewer.shutOut = viewer.userId !== this.owner;
    viewer.send(this.#notice());
  }

  /** Gives the browser to one user alone, or with undefined back to all. */
  set(owner: string | undefined): void {
    if (owner === this.owner) return;
    this.people.control.alone = owner;
    for (const viewer of this.people.viewers()) {
      const wasShutOut = viewer.shutOut;
      viewer.shutOut = owner !== undefined && viewer.userId !== owner;
      viewer.send(this.#notice());
      if (wasShutOut && !viewer.shutOut) this.onReveal(viewer);
    }
    this.people.settle();
  }

  #notice(): PrivacyNotice {
    return { type: 'privacy', userId: this.owner ?? null };
  }
}
