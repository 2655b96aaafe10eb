import type { AccessibilityAct, InputEvent } from 'cloud-browser/protocol';
import { systemClock, type Clock } from '../../platform/clock.js';
import { PacedTask } from '../../platform/paced-task.js';
import type { AccessibilityWatch } from '../browser/accessibility/accessibility-watch.js';
import { forAll, viewerOf } from '../room/calls/access.js';
import { browserUnavailable, CallError } from '../room/calls/call-error.js';
import type { Calls } from '../room/calls/calls.js';
import { hasRole } from '../room/users/rights.js';
import type { Viewer } from '../room/viewer.js';
import type { AccessibleHands } from './accessible-hands.js';
import { TreeTelling } from './tree-telling.js';

/** However often pages change: so often viewers are told. */
const PACE = { perSecond: 5, burst: 2 };
/** Who has more than this unread is told later, of what is then. Bytes. */
const MAX_BACKLOG_BYTES = 64 * 1024;

/** What this needs of a browser. */
export interface AccessibleBrowser {
  accessibility: Pick<AccessibilityWatch, 'listener' | 'want' | 'tree' | 'state' | 'masking'>;
  hands: Pick<AccessibleHands, 'act'>;
}

/** What this needs of a session's users. */
export interface AccessibilityPeople {
  /** Notes that a user gives input. True when it counts. */
  acts(viewer: Viewer): boolean;
}

/**
 * Tells viewers the accessibility tree of the page in front, and does what they want done to it. Whoever may see the picture may know the
 * tree; to act on it is input.
 */
export class AccessibilityDesk {
  readonly #tellings = new Map<Viewer, TreeTelling & { mayWrite?: boolean; hidden?: boolean }>();
  readonly #pace: PacedTask;
  #browser: AccessibleBrowser | undefined;
  #people: AccessibilityPeople | undefined;

  /** @param onPress told of a press that an act is */
  constructor(
    private readonly calls: Calls,
    private readonly onPress: (viewer: Viewer, event?: InputEvent) => void,
    clock: Clock = systemClock,
  ) {
    this.#pace = new PacedTask(() => this.#tell(), PACE, clock);
    calls.addEvent(
      'accessibility.onUpdate',
      (caller) => this.#join(viewerOf(caller)),
      (viewer) => this.#leave(viewer),
    );
    calls.add('accessibility.act', forAll, ([node, act, value], caller) =>
      this.#act(viewerOf(caller), node, act, value),
    );
  }

  /** Uses a browser that was started. */
  use(browser: AccessibleBrowser, people: AccessibilityPeople): void {
    this.#browser = browser;
    this.#people = people;
    browser.accessibility.listener = {
      onReset: () => this.#all((telling) => telling.reset()),
      onChanged: (node) => this.#all((telling) => telling.changed(node)),
      onRemoved: (id) => this.#all((telling) => telling.removed(id)),
      onState: () => this.#pace.ask(),
    };
    this.#all((telling) => telling.reset());
    this.#want();
  }

  /** The browser has ended; another one may come. */
  browserIsGone(): void {
    this.#browser = undefined;
    this.#all((telling) => telling.reset());
  }

  /** Rights have changed, or who may see the picture. */
  refresh(): void {
    if (this.#tellings.size > 0) this.#pace.ask();
  }

  close(): void {
    this.#pace.close();
    this.#tellings.clear();
    this.#browser = undefined;
  }

  #join(viewer: Viewer): void {
    this.#tellings.set(viewer, new TreeTelling());
    this.#want();
    // Nothing is published to the viewer before the subscription is made.
    queueMicrotask(() => this.#pace.ask());
  }

  #leave(viewer: Viewer): void {
    if (this.#tellings.delete(viewer)) this.#want();
  }

  #want(): void {
    this.#browser?.accessibility.want(this.#tellings.size > 0);
  }

  #all(then: (telling: TreeTelling) => void): void {
    for (const telling of this.#tellings.values()) then(telling);
    if (this.#tellings.size > 0) this.#pace.ask();
  }

  #tell(): void {
    let more = false;
    for (const [viewer, telling] of this.#tellings) {
      if (viewer.backlog > MAX_BACKLOG_BYTES) {
        more = true;
        continue;
      }
      const { shutOut: hidden } = viewer;
      const mayWrite = hasRole(viewer.rights, 'field_masking');
      const shown = hidden ? undefined : this.#browser?.accessibility;
      // What is masked is known when all is read; before, its content may be taken for a part of something else.
      if (shown?.masking && !mayWrite && shown.state === 'reading') continue;
      if (telling.mayWrite !== mayWrite || telling.hidden !== hidden) telling.reset();
      Object.assign(telling, { mayWrite, hidden });
      const { tree, state } = shown ?? {};
      const update = telling.next(tree, state ?? 'none', mayWrite);
      if (update) this.calls.publish('accessibility.onUpdate', [update], (other) => other === viewer);
      more ||= telling.waits;
    }
    if (more) this.#pace.ask();
  }

  async #act(viewer: Viewer, node: number, act: AccessibilityAct, value: string | undefined): Promise<void> {
    if (!this.#people || !this.#browser) throw browserUnavailable();
    if (!this.#people.acts(viewer))
      throw new CallError(
        'err_forbidden',
        'Only who controls the browser may act on the page. Ask for control first.',
      );
    const actor = {
      input: viewer.input,
      mayWrite: hasRole(viewer.rights, 'field_masking'),
      onPress: (event: InputEvent) => this.onPress(viewer, event),
    };
    this.onPress(viewer);
    const outcome = await this.#browser.hands.act(actor, node, act, value);
    if (outcome === 'gone')
      throw new CallError(
        'err_node_gone',
        'The node is gone, or its page does not answer. Take the newest tree.',
      );
    if (outcome === 'refused')
      throw new CallError('err_forbidden', 'This cannot be done to the node, or not by you.');
  }
}
