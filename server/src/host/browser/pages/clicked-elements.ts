import { randomUUID } from 'node:crypto';
import { CdpError, type CdpSession } from '../cdp/cdp-session.js';
import type { FocusWatch } from '../focus/focus-watch.js';
import { elementAt, elementOnScreen } from './element-at.js';
import type { PageGeometry, Pages } from './pages.js';

/** Name of the isolated world of the script. The page's scripts cannot see this world. */
const WORLD = 'session-clicks';
/** Timeout of each request. The page may be busy with the click itself. Milliseconds. */
const ANSWER_TIMEOUT_MS = 400;
/** Maximum number of frames of a page whose worlds are remembered. */
const MAX_WORLDS = 100;
/** Maximum nesting depth of frames that receive a request. */
const MAX_DEPTH = 5;
/** Option for requests: the input of users does not wait for their answers. */
const NOT_URGENT = { urgent: false };
/** Maximum lengths of a role and of a name. */
const [MAX_ROLE_CHARS, MAX_NAME_CHARS] = [30, 100];

/** An element of a page, as assistive technology names it. */
export interface ClickedElement {
  role: string;
  /** Missing if the element has no name. */
  name?: string;
}

interface Place {
  x: number;
  y: number;
}

/**
 * Names the element at a place of a page. Uses its own script and not the accessibility tree, for two
 * reasons: names in this tree contain the values of fields inside the element, and the browser would have to
 * build the tree of the whole page. Returns nothing for masked elements and password fields. Names never
 * contain editable text.
 */
export class ClickedElements {
  /** Ids of the script's isolated worlds, by session and frame. */
  readonly #worlds = new WeakMap<CdpSession, Map<string, number>>();

  constructor(
    private readonly pages: Pick<
      Pages,
      'front' | 'frame' | 'geometry' | 'isPhone' | 'mainFrame' | 'ofTarget' | 'pixelRatio'
    >,
    private readonly masks: Pick<FocusWatch, 'isMaskedAt'> | undefined,
  ) {}

  /**
   * Resolves to the element at a place. Undefined if it must not be named, or if the page does not answer.
   *
   * @param target id of the page, if the place is in CSS pixels of this page; undefined if the place is in
   *   pixels of the screen
   */
  async elementAt(place: Place, target?: string): Promise<ClickedElement | undefined> {
    try {
      return await this.#elementAt(place, target);
    } catch (error) {
      if (error instanceof CdpError) return undefined;
      throw error;
    }
  }

  /** Resolves to the place of a page on the screen. Undefined if users do not see the page. */
  async placeOf(target: string): Promise<PageGeometry | undefined> {
    const page = this.pages.ofTarget(target);
    if (!page || page.inDialog || (await this.pages.front(NOT_URGENT)) !== page) return undefined;
    return this.pages.geometry(page, NOT_URGENT).catch(() => undefined);
  }

  /** Prepares the first request to a new document of a page, so that the page answers it sooner. */
  prepare(target: string): void {
    const page = this.pages.ofTarget(target);
    if (page) this.#worldOf(page, target).catch(() => undefined);
  }

  async #elementAt(place: Place, target?: string): Promise<ClickedElement | undefined> {
    const { pages } = this;
    const page = target === undefined ? await pages.front(NOT_URGENT) : pages.ofTarget(target);
    const frame = page && pages.mainFrame(page);
    if (!page || page.inDialog || frame === undefined) return undefined;
    const asked = await this.#expressionFor(page, place, target === undefined);
    const [isMasked, element] = await Promise.all([
      this.#isMasked(page, place, target === undefined),
      this.#inFrame(page, frame, asked, 0),
    ]);
    return isMasked ? undefined : element;
  }

  /**
   * Returns the script for the main frame. The script converts a place on the screen to CSS pixels. For an
   * emulated phone, this method converts the place, because the page itself reports a window without a
   * toolbar.
   */
  async #expressionFor(page: CdpSession, { x, y }: Place, onScreen: boolean): Promise<string> {
    if (!onScreen) return elementAt(x, y);
    if (!this.pages.isPhone) return elementOnScreen(x, y, this.pages.pixelRatio);
    const { left, top, scale } = await this.pages.geometry(page, NOT_URGENT);
    return elementAt((x - left) / scale, (y - top) / scale);
  }

  async #isMasked(page: CdpSession, { x, y }: Place, onScreen: boolean): Promise<boolean> {
    if (!this.masks) return false;
    if (onScreen) return (await this.masks.isMaskedAt(x, y)) !== false;
    const { left, top, scale } = await this.pages.geometry(page, NOT_URGENT);
    return (await this.masks.isMaskedAt(left + x * scale, top + y * scale)) !== false;
  }

  async #inFrame(
    session: CdpSession,
    frame: string,
    expression: string,
    depth: number,
  ): Promise<ClickedElement | undefined> {
    const { said, contextId } = await this.#ask(session, frame, expression);
    if (typeof said !== 'object' || said === null) return undefined;
    const { role, name, inside }: { role?: unknown; name?: unknown; inside?: unknown } = said;
    if (Array.isArray(inside) && depth < MAX_DEPTH) {
      const inner = await frameUnder(session, contextId);
      if (inner === undefined) return undefined;
      const question = elementAt(Number(inside[0]), Number(inside[1]));
      return this.#inFrame(this.pages.frame(inner) ?? session, inner, question, depth + 1);
    }
    if (typeof role !== 'string' || !/^[a-z]+$/.test(role)) return undefined;
    const text = typeof name === 'string' ? name.slice(0, MAX_NAME_CHARS) : '';
    return { role: role.slice(0, MAX_ROLE_CHARS), ...(text !== '' && { name: text }) };
  }

  /** Asks a frame. Asks again if the frame has loaded another document since its world was created. */
  async #ask(
    session: CdpSession,
    frame: string,
    expression: string,
  ): Promise<{ said: unknown; contextId: number }> {
    const ask = async (contextId: number) => {
      const question = { expression, contextId, returnByValue: true };
      const { result } = await session.send('Runtime.evaluate', question, ANSWER_TIMEOUT_MS);
      return { said: result.value as unknown, contextId };
    };
    const known = this.#worlds.get(session)?.get(frame);
    try {
      if (known !== undefined) return await ask(known);
    } catch (error) {
      if (!(error instanceof CdpError && error.reason === 'refused')) throw error;
    }
    return ask(await this.#worldOf(session, frame));
  }

  /** Creates the script's world in the current document of a frame. Resolves to the id of the world. */
  async #worldOf(session: CdpSession, frameId: string): Promise<number> {
    const world = { frameId, worldName: WORLD };
    const made = await session.send('Page.createIsolatedWorld', world, ANSWER_TIMEOUT_MS);
    const worlds = this.#worlds.get(session) ?? new Map<string, number>();
    if (worlds.size >= MAX_WORLDS) worlds.clear();
    this.#worlds.set(session, worlds.set(frameId, made.executionContextId));
    return made.executionContextId;
  }
}

/** Resolves to the id of the inner frame that the script has found at the place. */
async function frameUnder(session: CdpSession, contextId: number): Promise<string | undefined> {
  const expression = 'globalThis.clickedFrame';
  // Another lookup may run in the same page. It must not release this object.
  const objectGroup = `${WORLD}-${randomUUID()}`;
  const asked = { expression, contextId, objectGroup };
  try {
    const { result } = await session.send('Runtime.evaluate', asked, ANSWER_TIMEOUT_MS);
    const { objectId } = result;
    if (objectId === undefined) return undefined;
    return (await session.send('DOM.describeNode', { objectId }, ANSWER_TIMEOUT_MS)).node.frameId;
  } finally {
    session.post('Runtime.releaseObjectGroup', { objectGroup });
  }
}
