import type { PageDialog } from 'cloud-browser/protocol';
import type { CdpSession } from '../cdp/cdp-session.js';

/** Reason why a page cannot carry out a call: it has a dialog of this type open, or it does not answer. */
export type Obstacle = PageDialog['type'] | 'unresponsive';

/** Observes pages that are about to navigate or close. */
export class LeavingWatch {
  /** Resolves when one of the pages asks its user to confirm leaving the page. */
  readonly asked: Promise<Obstacle>;
  /** Resolves when one of the pages has navigated. */
  readonly left: Promise<void>;
  readonly #stops: (() => void)[] = [];

  constructor(pages: readonly CdpSession[]) {
    let ask: (type: Obstacle) => void = () => undefined;
    let leave: () => void = () => undefined;
    this.asked = new Promise((resolve) => (ask = resolve));
    this.left = new Promise((resolve) => (leave = resolve));
    for (const page of pages)
      this.#stops.push(
        page.on('Page.javascriptDialogOpening', ({ type }) => type === 'beforeunload' && ask(type)),
        page.on('Page.frameNavigated', ({ frame }) => frame.parentId === undefined && leave()),
      );
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }
}
