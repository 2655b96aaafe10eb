import { MAX_ACCESSIBLE_VALUE, type AccessibilityAct, type InputEvent } from 'cloud-browser/protocol';
import type { AccessibilityWatch } from '../browser/accessibility/accessibility-watch.js';
import type { TreeNode } from '../browser/accessibility/tree-node.js';
import {
  clickElement,
  focusElement,
  giveValue,
  placeOfElement,
  scrollToElement,
} from '../browser/accessibility/node-element.js';
import type { Masks } from '../browser/accessibility/read-field.js';
import { CdpError } from '../browser/cdp/cdp-session.js';
import type { Pages } from '../browser/pages/pages.js';
import type { UserInput } from '../input/user-input.js';

/** Acts that wait longer behind what else is done are not told of. Milliseconds. */
const PRESSED_WITHIN_MS = 3_000;

/** What a user is told of an act: done; the node is gone, or the page does not answer; refused, the field is not for this user. */
export type ActOutcome = 'done' | 'gone' | 'refused';

/** Whose act it is. */
export interface Actor {
  input: UserInput;
  /** Whether this user may write into masked fields. */
  mayWrite: boolean;
  /** Called with the press that an act is, before it is done. */
  onPress: (event: InputEvent) => void;
}

/** Acts on a page through its accessibility tree, in a user's turn: by the pointer where it reaches, else by the element itself. */
export class AccessibleHands {
  /** @param masks in sessions that mask fields */
  constructor(
    private readonly watch: AccessibilityWatch,
    private readonly pages: Pick<Pages, 'geometry' | 'hasFocus'>,
    private readonly masks: Masks | undefined,
  ) {}

  /** Does something to a node of the tree. */
  async act(actor: Actor, id: number, act: AccessibilityAct, value = ''): Promise<ActOutcome> {
    const node = this.watch.tree?.node(id);
    if (!node) return 'gone';
    try {
      switch (act) {
        case 'scroll':
          await scrollToElement(node);
          return 'done';
        case 'focus':
          return await this.#inTurn(actor, undefined, async () => {
            await focusElement(node);
            return 'done';
          });
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

  async #click(actor: Actor, node: TreeNode): Promise<ActOutcome> {
    const at = await this.#placeOf(node);
    if (at?.reachable) return this.#press(actor, at);
    if (await this.#isForOthers(actor, node)) return 'refused';
    return this.#inTurn(actor, at, async () => {
      await clickElement(node);
      return 'done';
    });
  }

  async #set(actor: Actor, node: TreeNode, value: string): Promise<ActOutcome> {
    if (await this.#isForOthers(actor, node)) return 'refused';
    const at = await this.#placeOf(node);
    const page = this.watch.tree?.root?.session;
    if (!page) return 'gone';
    // The browser's own interface has the keyboard: a page that is pressed gets it.
    if (at?.reachable && !(await this.pages.hasFocus(page).catch(() => false))) await this.#press(actor, at);
    return this.#inTurn(actor, at ?? { x: 0, y: 0 }, async () => {
      const given = await giveValue(node, value);
      if (given === 'type') await page.sendUrgent('Input.insertText', { text: value });
      return given === 'none' ? 'refused' : 'done';
    });
  }

  async #isForOthers({ mayWrite }: Actor, { session, frame, key }: TreeNode): Promise<boolean> {
    if (!this.masks || mayWrite) return false;
    return frame === undefined || this.masks.isMaskedField(session, frame, key);
  }

  /** Where the middle of a node is on the screen, once it is in view. */
  async #placeOf(node: TreeNode): Promise<{ x: number; y: number; reachable: boolean } | undefined> {
    // What has no place of its own can still be pressed.
    await scrollToElement(node).catch(() => undefined);
    const place = await placeOfElement(node);
    const page = this.watch.tree?.root?.session;
    if (!place || !page) return undefined;
    const { left, top, scale } = await this.pages.geometry(page);
    const [x, y] = [Math.round(left + place.x * scale), Math.round(top + place.y * scale)];
    const onScreen = x >= 0 && y >= top && x <= 65_535 && y <= 65_535;
    return onScreen ? { x, y, reachable: place.reachable } : undefined;
  }

  async #press({ input, onPress }: Actor, { x, y }: { x: number; y: number }): Promise<ActOutcome> {
    const at = { seq: 0, modifiers: 0, x, y };
    const press = { type: 'button', ...at, button: 0, pressed: true } as const;
    onPress(press);
    const lifted = new Promise<ActOutcome>((resolve) => {
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
    act: () => Promise<ActOutcome>,
  ): Promise<ActOutcome> {
    let outcome: ActOutcome = 'refused';
    await input.inTurn(at, async () => {
      outcome = await act();
      return true;
    });
    return outcome;
  }
}
