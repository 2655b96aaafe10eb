import { MAX_ACCESSIBLE_VALUE, type AccessibilityAct, type InputEvent } from 'cloud-browser/protocol';
import type { AccessibilityWatch } from '../browser/accessibility/accessibility-watch.js';
import type { TreeNode } from '../browser/accessibility/nodes/tree-node.js';
import {
  clickElement,
  focusElement,
  giveValue,
  placeOfElement,
  scrollToElement,
} from '../browser/accessibility/nodes/node-element.js';
import type { Masks } from '../browser/accessibility/reading/read-field.js';
import { withTimeout } from '../../platform/time/timeout.js';
import { CdpError } from '../browser/cdp/cdp-session.js';
import type { Pages } from '../browser/pages/pages.js';
import type { UserInput } from './user-input.js';

/**
 * Timeout for a press of the mouse button, which waits for users' earlier input. After this time, the outcome
 * of the action is `gone`. Milliseconds.
 */
const PRESSED_WITHIN_MS = 3_000;

/**
 * Timeout for a page to answer whether an element is masked. The input of all users waits for this answer.
 * Milliseconds.
 */
const MASKED_WITHIN_MS = 200;

/**
 * Outcome of an action. `gone`: the node is gone, or the page does not answer. `refused`: this user may not
 * act on the node, or the node does not have this action.
 */
export type ActionOutcome = 'done' | 'gone' | 'refused';

/** User who performs an action. */
export interface Actor {
  input: UserInput;
  /** True if this user may write into masked fields. */
  mayWrite: boolean;
  /** Called with the press event before an action presses the mouse button. */
  onPress: (event: InputEvent) => void;
  /** Called before a script clicks an element or sets its value. */
  onScript?: (action: 'click' | 'set') => void;
}

/**
 * Performs users' actions on nodes of the accessibility tree. Scrolling begins at once. Each other action
 * waits for earlier input of all users. A click presses the mouse button if the pointer can reach the
 * element. Otherwise a script clicks the element.
 */
export class AccessibilityActions {
  /** Called with the value before an action sets it. */
  onSet: (value: string) => void = () => undefined;

  /** @param masks present in sessions that mask fields */
  constructor(
    private readonly watch: AccessibilityWatch,
    private readonly pages: Pick<Pages, 'geometry' | 'hasFocus'>,
    private readonly masks: Masks | undefined,
  ) {}

  /**
   * Scrolls a node into view and returns the position of its middle on the screen. `hidden`: the pointer
   * cannot reach the node. `gone`: there is no such node, or its page does not answer.
   *
   * @param scrolls false: leaves the page as it is
   */
  async place(id: number, scrolls = true): Promise<{ x: number; y: number } | 'hidden' | 'gone'> {
    const node = this.watch.tree?.node(id);
    if (!node) return 'gone';
    try {
      const at = await this.#placeOf(node, scrolls);
      return at?.reachable ? { x: at.x, y: at.y } : 'hidden';
    } catch (error) {
      if (error instanceof CdpError) return 'gone';
      throw error;
    }
  }

  /** Performs an action on a node of the tree. */
  async perform(actor: Actor, id: number, act: AccessibilityAct, value = ''): Promise<ActionOutcome> {
    const node = this.watch.tree?.node(id);
    if (!node) return 'gone';
    try {
      switch (act) {
        case 'scroll':
          await scrollToElement(node);
          return 'done';
        case 'focus':
          return await this.#focus(actor, node);
        case 'click':
          return await this.#click(actor, node);
        case 'set':
          return await this.#set(actor, node, value.slice(0, MAX_ACCESSIBLE_VALUE));
      }
    } catch (error) {
      if (error instanceof CdpError) return 'gone';
      throw error;
    }
  }

  /**
   * Focuses an element. A masked element also gets the focus, so that the user can read its name and leave it
   * with the Tab key. But the user's typing is blocked there.
   */
  async #focus(actor: Actor, node: TreeNode): Promise<ActionOutcome> {
    return this.#inTurn(actor, undefined, async () => {
      const masked = await this.#isForOthers(actor, node);
      if (masked) actor.input.withholdTyping();
      await focusElement(node);
      if (!masked) actor.input.resumeTyping();
      return 'done';
    });
  }

  async #click(actor: Actor, node: TreeNode): Promise<ActionOutcome> {
    const at = await this.#placeOf(node);
    if (at?.reachable) return this.#press(actor, at);
    if (await this.#refuses(actor, node)) return 'refused';
    return this.#inTurn(actor, at, async () => {
      actor.onScript?.('click');
      await clickElement(node);
      return 'done';
    });
  }

  async #set(actor: Actor, node: TreeNode, value: string): Promise<ActionOutcome> {
    if (await this.#refuses(actor, node)) return 'refused';
    const at = await this.#placeOf(node);
    const page = this.watch.tree?.root?.session;
    if (!page) return 'gone';
    // If the browser's own interface has the keyboard focus, a press on the element moves the focus to the
    // page.
    if (at?.reachable && !(await this.pages.hasFocus(page).catch(() => false))) await this.#press(actor, at);
    const outcome = await this.#inTurn(actor, at ?? { x: 0, y: 0 }, async () => {
      this.onSet(value);
      actor.onScript?.('set');
      const given = await giveValue(node, value);
      if (given !== 'none') actor.input.resumeTyping();
      if (given === 'type') await page.sendUrgent('Input.insertText', { text: value });
      return given === 'none' ? 'refused' : 'done';
    });
    // Chromium does not report a value of a slider that a script has set.
    if (outcome === 'done') await this.watch.readAgain(node);
    return outcome;
  }

  /** Resolves to true if the node is masked for the user. In that case also blocks the user's typing. */
  async #refuses(actor: Actor, node: TreeNode): Promise<boolean> {
    if (!this.masks || actor.mayWrite) return false;
    const outcome = await this.#inTurn(actor, undefined, async () => {
      if (!(await this.#isForOthers(actor, node))) return 'done';
      actor.input.withholdTyping();
      return 'refused';
    });
    return outcome === 'refused';
  }

  /**
   * Resolves to true if the node is masked for the user. A page that does not answer in time counts as
   * masked.
   */
  async #isForOthers({ mayWrite }: Actor, { session, frame, key }: TreeNode): Promise<boolean> {
    if (!this.masks || mayWrite) return false;
    if (frame === undefined) return true;
    return withTimeout(this.masks.isMaskedField(session, frame, key), MASKED_WITHIN_MS, () => true);
  }

  /**
   * Scrolls a node into view and returns the position of its middle on the screen. Resolves to undefined if
   * this position is not on the screen.
   */
  async #placeOf(
    node: TreeNode,
    scrolls = true,
  ): Promise<{ x: number; y: number; reachable: boolean } | undefined> {
    // A click may succeed even if the page could not scroll to the element.
    if (scrolls) await scrollToElement(node).catch(() => undefined);
    const place = await placeOfElement(node);
    const page = this.watch.tree?.root?.session;
    if (!place || !page) return undefined;
    const { left, top, scale } = await this.pages.geometry(page);
    const [x, y] = [Math.round(left + place.x * scale), Math.round(top + place.y * scale)];
    const onScreen = x >= 0 && y >= top && x <= 65_535 && y <= 65_535;
    return onScreen ? { x, y, reachable: place.reachable } : undefined;
  }

  async #press({ input, onPress }: Actor, { x, y }: { x: number; y: number }): Promise<ActionOutcome> {
    const at = { seq: 0, modifiers: 0, x, y };
    const press = { type: 'button', ...at, button: 0, pressed: true } as const;
    onPress(press);
    const lifted = new Promise<ActionOutcome>((resolve) => {
      const late = setTimeout(() => resolve('gone'), PRESSED_WITHIN_MS);
      late.unref();
      const done = () => {
        clearTimeout(late);
        resolve('done');
      };
      const taken =
        input.handle({ type: 'move', ...at }, () => undefined) &&
        input.handle(press, () => undefined) &&
        input.handle({ ...press, pressed: false }, done);
      if (!taken) resolve('refused');
    });
    return lifted;
  }

  async #inTurn(
    { input }: Actor,
    at: { x: number; y: number } | undefined,
    act: () => Promise<ActionOutcome>,
  ): Promise<ActionOutcome> {
    let outcome: ActionOutcome = 'refused';
    await input.inTurn(at, async () => {
      outcome = await act();
      return true;
    });
    return outcome;
  }
}
