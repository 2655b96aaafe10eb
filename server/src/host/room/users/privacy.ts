import type { PrivacyNotice } from 'cloud-browser/protocol';
import type { Roster } from './roster.js';
import type { Viewer } from '../viewer.js';

/**
 * Privacy mode: one user has the browser to themselves. The others get no picture and no shape of the pointer, none of their
 * roles count, and their input is dropped. It ends with that user's connection.
 */
export class Privacy {
  /** @param onReveal told of a viewer who may see again and needs the whole picture */
  constructor(
    private readonly roster: Roster,
    private readonly onReveal: (viewer: Viewer) => void,
  ) {}

  /** Who has the browser to themselves. */
  get owner(): string | undefined {
    return this.roster.control.alone;
  }

  /** Tells a viewer who comes in, before anything is shown to them. */
  greet(viewer: Viewer): void {
    if (this.owner === undefined) return;
    viewer.shutOut = viewer.userId !== this.owner;
    viewer.send(this.#notice());
  }

  /** Gives the browser to one user alone, or with undefined back to all. */
  set(owner: string | undefined): void {
    if (owner === this.owner) return;
    this.roster.control.alone = owner;
    for (const viewer of this.roster.viewers()) {
      const wasShutOut = viewer.shutOut;
      viewer.shutOut = owner !== undefined && viewer.userId !== owner;
      viewer.send(this.#notice());
      if (wasShutOut && !viewer.shutOut) this.onReveal(viewer);
    }
    this.roster.settle();
  }

  #notice(): PrivacyNotice {
    return { type: 'privacy', userId: this.owner ?? null };
  }
}
