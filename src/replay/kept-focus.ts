import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Controls that get the focus: the button that plays, and the button that tries again. */
const TARGETS = '.main, [part=retry]';

/**
 * Keeps the focus in an element that removes its controls while it loads. Otherwise a user of a keyboard or a
 * screen reader would continue at the start of the page. Does not take the focus from another place.
 */
export class KeptFocus implements ReactiveController {
  #before: Element | null | undefined;
  /** True if a removed control had the focus, and no control has got it since. */
  #lost = false;

  constructor(private readonly host: ReactiveControllerHost & HTMLElement) {
    host.addController(this);
  }

  hostUpdate(): void {
    this.#before = this.host.shadowRoot?.activeElement;
  }

  hostUpdated(): void {
    if (this.#before?.isConnected === false) this.#lost = true;
    if (!this.#lost) return;
    const target = this.host.shadowRoot?.querySelector<HTMLElement>(TARGETS);
    const isFree = document.activeElement === document.body;
    if (target && isFree) target.focus({ preventScroll: true });
    if (target || !isFree) this.#lost = false;
  }
}
