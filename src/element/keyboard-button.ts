import type { Viewer } from '../viewer/index.js';

/** The state of the button that opens and closes a phone's keyboard. */
export class KeyboardButton {
  #viewer: Viewer | undefined;
  #covered = 0;

  /** @param onChange called when it looks another way */
  constructor(private readonly onChange: () => void) {}

  /** Whom it is for; undefined before there is one. */
  get viewer(): Viewer | undefined {
    return this.#viewer;
  }

  /** Is for this viewer from now on. */
  follow(viewer: Viewer): void {
    this.#viewer = viewer;
    viewer.on('keyboard', this.onChange);
    viewer.on('shift', ({ covered }) => {
      this.#covered = covered;
      this.onChange();
    });
  }

  /** Keeps it, and what lies beside it, above the keyboard. Through the style object, which a strict Content-Security-Policy allows. */
  keepAbove(root: ParentNode): void {
    const foot = root.querySelector<HTMLElement>('.foot');
    foot?.style.setProperty('--_covered', `${this.#covered}px`);
  }
}
