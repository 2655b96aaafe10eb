import type { AccessibilityAct, InputEvent } from 'cloud-browser/protocol';
import { systemClock, type Clock } from '../../../platform/time/clock.js';
import { PacedTask } from '../../../platform/time/paced-task.js';
import type { AccessibilityWatch } from '../../browser/accessibility/accessibility-watch.js';
import type { AccessibilityActions } from '../../input/accessibility-actions.js';
import { forAll, viewerOf } from '../../room/calls/access.js';
import { WORK } from '../../room/calls/call-lane.js';
import { browserUnavailable, CallError } from '../../room/calls/call-error.js';
import type { Calls } from '../../room/calls/calls.js';
import { canSee, canUse } from '../../room/users/can-use.js';
import type { Viewer } from '../../room/viewers/viewer.js';
import { actOf } from './accessibility-arguments.js';
import { TreeReporter } from './tree-reporter.js';

/** Maximum rate of updates to viewers. Pages may change more often. */
const PACE = { perSecond: 5, burst: 2 };
/**
 * A viewer with more unsent bytes than this receives its update later. The later update describes the newest
 * state.
 */
const MAX_BACKLOG_BYTES = 64 * 1024;

/** Functions of a browser that this class needs. */
export interface AccessibleBrowser {
  accessibility: Pick<AccessibilityWatch, 'listener' | 'want' | 'tree' | 'state' | 'masking'>;
  accessibilityActions: Pick<AccessibilityActions, 'perform'>;
}

/** Function of the session's users that this class needs. */
export interface InputRecorder {
  /** Records input of a user. Returns true if the session accepts the input. */
  acts(viewer: Viewer): boolean;
}

/**
 * Sends viewers the accessibility tree of the active page, and carries out their actions on it. Every user
 * with access to the picture may read the tree. An action on it counts as input.
 */
export class AccessibilityService {
  readonly #reporters = new Map<Viewer, TreeReporter & { mayWrite?: boolean; hidden?: boolean }>();
  readonly #pace: PacedTask;
  #browser: AccessibleBrowser | undefined;
  #recorder: InputRecorder | undefined;

  /**
   * @param onPress called without an event when a viewer acts, and again with each press that the action
   *   causes
   */
  constructor(
    private readonly calls: Calls,
    private readonly onPress: (viewer: Viewer, event?: InputEvent) => void,
    clock: Clock = systemClock,
  ) {
    this.#pace = new PacedTask(() => this.#notify(), PACE, clock);
    calls.addEvent(
      'accessibility.onUpdate',
      (caller) => this.#join(viewerOf(caller)),
      (viewer) => this.#leave(viewer),
    );
    calls.add(
      'accessibility.act',
      { access: forAll, check: actOf, cost: WORK },
      ([node, act, value], caller) => this.#act(viewerOf(caller), node, act, value),
    );
  }

  /** Uses a browser that has started. */
  use(browser: AccessibleBrowser, recorder: InputRecorder): void {
    this.#browser = browser;
    this.#recorder = recorder;
    browser.accessibility.listener = {
      onReset: () => this.#all((reporter) => reporter.reset()),
      onChanged: (node) => this.#all((reporter) => reporter.changed(node)),
      onRemoved: (id) => this.#all((reporter) => reporter.removed(id)),
      onState: () => this.#pace.ask(),
    };
    this.#all((reporter) => reporter.reset());
    this.#want();
  }

  /** Forgets the browser after it has ended. Another browser may start later. */
  browserIsGone(): void {
    this.#browser = undefined;
    this.#all((reporter) => reporter.reset());
  }

  /** Sends updates after a change of rights, or of the users who may see the picture. */
  refresh(): void {
    if (this.#reporters.size > 0) this.#pace.ask();
  }

  close(): void {
    this.#pace.close();
    this.#reporters.clear();
    this.#browser = undefined;
  }

  #join(viewer: Viewer): void {
    this.#reporters.set(viewer, new TreeReporter());
    this.#want();
    // The subscription starts after this call has returned, so an update before that would not reach the
    // viewer.
    queueMicrotask(() => this.#pace.ask());
  }

  #leave(viewer: Viewer): void {
    if (this.#reporters.delete(viewer)) this.#want();
  }

  #want(): void {
    this.#browser?.accessibility.want(this.#reporters.size > 0);
  }

  #all(then: (reporter: TreeReporter) => void): void {
    for (const reporter of this.#reporters.values()) then(reporter);
    if (this.#reporters.size > 0) this.#pace.ask();
  }

  #notify(): void {
    let more = false;
    for (const [viewer, reporter] of this.#reporters) {
      if (viewer.backlog > MAX_BACKLOG_BYTES) {
        more = true;
        continue;
      }
      const hidden = !canSee(viewer);
      const mayWrite = canUse(viewer, 'field_masking');
      const shown = hidden ? undefined : this.#browser?.accessibility;
      // Masked content can be removed only after the whole tree was read. Before that, it could appear as
      // part of another node.
      if (shown?.masking && !mayWrite && shown.state === 'reading') continue;
      if (reporter.mayWrite !== mayWrite || reporter.hidden !== hidden) reporter.reset();
      Object.assign(reporter, { mayWrite, hidden });
      const { tree, state } = shown ?? {};
      const update = reporter.next(tree, state ?? 'none', mayWrite);
      if (update) this.calls.publish('accessibility.onUpdate', [update], (other) => other === viewer);
      more ||= reporter.waits;
    }
    if (more) this.#pace.ask();
  }

  async #act(viewer: Viewer, node: number, act: AccessibilityAct, value: string | undefined): Promise<void> {
    if (!this.#recorder || !this.#browser) throw browserUnavailable();
    if (!this.#recorder.acts(viewer))
      throw new CallError(
        'err_forbidden',
        'Only a user who controls the browser may act on the page. Ask for control first.',
      );
    const actor = {
      input: viewer.input,
      mayWrite: canUse(viewer, 'field_masking'),
      onPress: (event: InputEvent) => this.onPress(viewer, event),
    };
    this.onPress(viewer);
    const outcome = await this.#browser.accessibilityActions.perform(actor, node, act, value);
    if (outcome === 'gone')
      throw new CallError(
        'err_node_gone',
        'The node is gone, or its page does not answer. Use the newest tree.',
      );
    if (outcome === 'refused')
      throw new CallError('err_forbidden', 'This action is not available on the node, or you lack the role.');
  }
}
