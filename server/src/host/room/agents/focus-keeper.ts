import { randomUUID } from 'node:crypto';
import type { InputDevices } from '../../input/input-devices.js';

/** A page of the session, as the input devices know it. */
type Page = NonNullable<Awaited<ReturnType<InputDevices['pages']['front']>>>;

/** Timeout of each request to the page. Milliseconds. */
const ANSWER_TIMEOUT_MS = 250;
/** Name of the isolated world in which the functions run. A page cannot see it. */
const WORLD = 'session-agents';

/**
 * Returns the focused element of a document, also in shadow trees, and its selection. If the focus is inside
 * an iframe, returns the iframe's element. The iframe remembers its own focus.
 */
const CAPTURE = `(() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const focused = element && element !== document.body && element !== document.documentElement;
  let start, end, range;
  try { start = element.selectionStart; end = element.selectionEnd; } catch {}
  const selection = getSelection();
  if (typeof start !== 'number' && focused && selection.rangeCount > 0) range = selection.getRangeAt(0);
  return { element: focused ? element : undefined, start, end, range };
})()`;

/** Restores the focus and the selection that {@link CAPTURE} returned. */
const RESTORE = `function () {
  const { element, start, end, range } = this;
  let now = document.activeElement;
  while (now?.shadowRoot?.activeElement) now = now.shadowRoot.activeElement;
  if (!element) { if (now !== document.body) now?.blur?.(); return; }
  if (!element.isConnected) return;
  if (now !== element) element.focus({ preventScroll: true });
  try {
    if (typeof start === 'number') element.setSelectionRange(start, end);
    else if (range) { const all = getSelection(); all.removeAllRanges(); all.addRange(range); }
  } catch {}
}`;

/**
 * Remembers the focus and the selection of the active page when a person takes control from an agent.
 * Restores them before the agent continues. Otherwise the agent would type the rest of a text into the field
 * that the person has clicked.
 */
export class FocusKeeper {
  /**
   * CDP object group of the remembered objects, which are released together. Each agent has its own group,
   * because several agents may remember the focus of the same page.
   */
  readonly #group = randomUUID();
  #kept: { page: Page; objectId: string } | undefined;
  #closed = false;

  /** @param pages returns the pages of the current browser */
  constructor(private readonly pages: () => Pick<InputDevices['pages'], 'front' | 'mainFrame'>) {}

  /** Remembers the focus. Rejects if the page does not answer in time. */
  async keep(): Promise<void> {
    this.#forget();
    const pages = this.pages();
    const page = await pages.front();
    const frameId = page && pages.mainFrame(page);
    if (!page || frameId === undefined) return;
    const world = { frameId, worldName: WORLD };
    const { executionContextId } = await page.send('Page.createIsolatedWorld', world, ANSWER_TIMEOUT_MS);
    const { result } = await page.send(
      'Runtime.evaluate',
      { expression: CAPTURE, contextId: executionContextId, objectGroup: this.#group },
      ANSWER_TIMEOUT_MS,
    );
    if (result.objectId !== undefined) this.#kept = { page, objectId: result.objectId };
    // The agent may have left before the answer.
    if (this.#closed) this.#forget();
  }

  /** Restores the focus. Rejects if the page has loaded another document meanwhile, or does not answer. */
  async restore(): Promise<void> {
    const kept = this.#kept;
    this.#kept = undefined;
    if (!kept) return;
    const { page, objectId } = kept;
    try {
      await page.send(
        'Runtime.callFunctionOn',
        { functionDeclaration: RESTORE, objectId, returnByValue: true },
        ANSWER_TIMEOUT_MS,
      );
    } finally {
      page.post('Runtime.releaseObjectGroup', { objectGroup: this.#group });
    }
  }

  /** Forgets the focus for ever, because the agent has left. The page then keeps no object. */
  close(): void {
    this.#closed = true;
    this.#forget();
  }

  #forget(): void {
    this.#kept?.page.post('Runtime.releaseObjectGroup', { objectGroup: this.#group });
    this.#kept = undefined;
  }
}
