/**
 * Watches if an element is visible: its page is shown, and a part of the element is inside the viewport.
 * Without an element only the page counts.
 */
export class VisibilityWatch {
  readonly #listening = new AbortController();
  readonly #observer: IntersectionObserver;
  readonly #onChange: (visible: boolean) => void;
  #inView = true;
  #visible = true;

  /** Starts as visible. Calls `onChange` at every change. */
  constructor(element: Element | undefined, onChange: (visible: boolean) => void) {
    this.#onChange = onChange;
    this.#observer = new IntersectionObserver((entries) => {
      this.#inView = entries.at(-1)?.isIntersecting ?? true;
      this.#update();
    });
    if (element) this.#observer.observe(element);
    document.addEventListener('visibilitychange', () => this.#update(), { signal: this.#listening.signal });
    this.#update();
  }

  close(): void {
    this.#listening.abort();
    this.#observer.disconnect();
  }

  #update(): void {
    const visible = this.#inView && document.visibilityState === 'visible';
    if (visible === this.#visible) return;
    this.#visible = visible;
    this.#onChange(visible);
  }
}
