import type { Viewer } from '../../viewer/index.js';

/** State of the button that opens and closes a phone's keyboard. */
export class KeyboardButton {
  #viewer: Viewer | undefined;
  #covered = 0;

  /** @param onChange called when the button must be rendered again */
  constructor(private readonly onChange: () => void) {}

  /** Viewer of the button. Undefined before the first viewer. */
  get viewer(): Viewer | undefined {
    return this.#viewer;
  }

  /** Follows the keyboard of this viewer. */
  follow(viewer: Viewer): void {
    this.#viewer = viewer;
    viewer.on('keyboard', this.onChange);
    let { viewOnly } = viewer;
    // The page may set `viewOnly` of the viewer. The controls then show another pointer.
    viewer.on('cursor', () => {
      if (viewer.viewOnly === viewOnly) return;
      ({ viewOnly } = viewer);
      this.onChange();
    });
    viewer.on('shift', ({ covered }) => {
      this.#covered = covered;
      this.onChange();
    });
  }

  /**
   * Keeps the button, the messages and the file list above the keyboard. Uses the style object, which a
   * strict Content-Security-Policy allows.
   */
  keepAbove(root: ParentNode): void {
    const foot = root.querySelector<HTMLElement>('.foot');
    foot?.style.setProperty('--_covered', `${this.#covered}px`);
  }
}
