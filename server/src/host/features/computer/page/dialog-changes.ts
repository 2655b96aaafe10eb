import type { Dialogs } from '../../../browser/pages/dialogs.js';

/** Reports if a dialog of a page has opened or closed. */
export class DialogChanges {
  /** True if a dialog has opened or closed since the last call of {@link next}. */
  isChanged = false;
  #report: () => void = () => undefined;
  readonly close: () => void;

  constructor(dialogs: Pick<Dialogs, 'watch'>) {
    this.close = dialogs.watch(() => {
      this.isChanged = true;
      this.#report();
    });
  }

  /** Returns a promise that resolves when the next dialog opens or closes. */
  next(): Promise<void> {
    this.isChanged = false;
    return new Promise((resolve) => (this.#report = resolve));
  }
}
