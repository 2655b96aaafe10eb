import {
  COMPUTER_METHODS,
  type AccessibilityText,
  type ComputerActionResult,
  type ComputerDone,
  type ComputerStep,
  type Screenshot,
} from 'cloud-browser/protocol';
import type { Navigation } from '../../browser/pages/watch/pending-navigations.js';
import type { Size } from '../../../platform/screen-size.js';
import { pause, type Clock } from '../../../platform/time/clock.js';
import { withFirstAbort } from '../../../platform/time/first-abort.js';
import { wrong } from '../../room/calls/arguments.js';
import { browserUnavailable, CallError, failureOf } from '../../room/calls/call-error.js';
import type { TextChoice } from './page/accessibility-text.js';
import {
  buttonOf,
  countOf,
  distanceOf,
  fieldsOf,
  flag,
  modifiersOf,
  nodeOf,
  onScreen,
  optionalTargetOf,
  pathOf,
  screenshotOf,
  strokeOfFields,
  targetOf,
  textOf,
  valueOf,
  waitOf,
  type CheckedScreenshot,
  type Fields,
  type Point,
  type Target,
} from './computer-arguments.js';
import {
  choiceOf,
  dialogAnswerOf,
  filesOf,
  openingOf,
  tabsActionOf,
  unchangedBy,
  type BrowserCalls,
} from './browser-calls.js';
import type { Hands } from './hands.js';
import { strokeOf } from './key-names.js';

/** Maximum number of steps of a batch. */
const MAX_STEPS = 50;
/** Maximum number of clicks and of presses of a key in one action. */
const MAX_CLICKS = 3;
const MAX_PRESSES = 100;
/** Pause between two steps of a batch, so that the page can react. Milliseconds. */
const STEP_PAUSE_MS = 30;
/** Longest wait for the document of an opened address. Milliseconds. */
const LOAD_MS = 10_000;

/** The nodes of the accessibility tree, as targets of actions. */
export interface TargetNodes {
  /**
   * Scrolls a node into view and returns the position of its middle on the screen. Returns undefined if the
   * pointer cannot reach the node.
   *
   * @param scrolls false: leaves the page as it is
   */
  placeOf(node: number, scrolls?: boolean): Promise<{ x: number; y: number } | undefined>;
  /** Clicks a node that the pointer cannot reach. */
  click(node: number): Promise<void>;
  /**
   * Resolves to true if a node takes no text from the keyboard, such as a date, a slider or a check box. Keys
   * change one part of a date, so they would enter another date. A click would change the check box.
   */
  holdsValue(node: number): Promise<boolean>;
  /** Sets the value of a field, a list or a slider. */
  set(node: number, value: string): Promise<void>;
}

/** Parts of the session that actions use. */
export interface ActionParts {
  hands: Hands;
  nodes: TargetNodes;
  screenshot: (options: CheckedScreenshot) => Promise<Screenshot>;
  accessibility: (choice: TextChoice) => Promise<AccessibilityText>;
  browser: BrowserCalls;
  /**
   * Waits until the active page shows the document to which it navigates. Resolves to true if it still shows
   * another document after this time.
   */
  isLoading: (milliseconds: number) => Promise<boolean>;
  /** Returns the navigation of the active page that began last. Each navigation is another object. */
  newestNavigation: () => Promise<Navigation | undefined>;
  /** Called when the browser has received the input of an action. */
  acted: () => void;
  /** Returns the current size of the screen. */
  screen: () => Size | undefined;
  clock: Pick<Clock, 'setTimeout' | 'now'>;
  /** One of them is aborted with an error when the client of the call has gone or the agent has left. */
  leaving: readonly AbortSignal[];
}

/** An action whose fields were checked. Calling the function performs the action. */
export type Action = (parts: ActionParts) => Promise<ComputerActionResult>;

const DONE: ComputerDone = { done: true };

/** Functions that read and check the fields of an action, by the name of the action. */
const ACTIONS: Readonly<Record<string, (fields: Fields) => Action>> = {
  screenshot: (fields) => {
    const options = screenshotOf(fields);
    return ({ screenshot }) => screenshot(options);
  },
  accessibility: (fields) => {
    const { after = '' } = fields;
    // Models send an empty reference for one that they do not use.
    const node = after === '' ? undefined : nodeOf(after, 'after');
    const choice = { after: node, links: flag(fields, 'links') };
    return ({ accessibility }) => accessibility(choice);
  },
  click: (fields) => {
    const [target, button, count] = [targetOf(fields), buttonOf(fields), countOf(fields, MAX_CLICKS)];
    const modifiers = modifiersOf(fields);
    return done((parts) => click(parts, target, { button, count, modifiers }));
  },
  move: (fields) => {
    const target = targetOf(fields);
    return done((parts) => parts.hands.move(() => reachable(parts, target)));
  },
  drag: (fields) => {
    const [path, button] = [pathOf(fields), buttonOf(fields)];
    return done((parts) => parts.hands.drag(() => placesOf(parts, path), button));
  },
  scroll: (fields) => {
    const [target, distance] = [optionalTargetOf(fields), distanceOf(fields)];
    const place = (parts: ActionParts) => (target ? reachable(parts, target) : middleOf(parts.screen()));
    return done((parts) => parts.hands.scroll(() => place(parts), distance));
  },
  type: (fields) => {
    const [text, target] = [textOf(fields), optionalTargetOf(fields)];
    const [replace, submit] = [flag(fields, 'replace'), flag(fields, 'submit')];
    return done(async (parts) => {
      const { hands, nodes } = parts;
      if (target && 'node' in target && (await nodes.holdsValue(target.node))) {
        await nodes.set(target.node, text);
      } else {
        if (target) await click(parts, target, { button: 0, count: 1, modifiers: 0 });
        if (replace) await press(hands, 'Control+a');
        if (replace && text === '') await press(hands, 'Delete');
        await hands.type(text);
      }
      if (submit) await press(hands, 'Enter');
    });
  },
  key: (fields) => {
    const [stroke, count] = [strokeOfFields(fields), countOf(fields, MAX_PRESSES)];
    return done(({ hands }) => hands.key(stroke, count));
  },
  set: (fields) => {
    const [node, value] = [nodeOf(fields['ref']), valueOf(fields)];
    return done(({ nodes }) => nodes.set(node, value));
  },
  open: (fields) => {
    const opening = openingOf(fields);
    return async ({ browser, clock, isLoading, newestNavigation }) => {
      const before = await newestNavigation();
      const tab = await opening(browser);
      if (await isLoading(LOAD_MS)) return { ...DONE, loading: true };
      const newest = await newestNavigation();
      // An address that differs only after the `#` causes no navigation to another document.
      const navigation = newest === before ? undefined : newest;
      const unchanged = await unchangedBy(navigation, tab, browser, clock);
      return unchanged ? { ...DONE, unchanged } : DONE;
    };
  },
  tabs: (fields) => {
    const action = tabsActionOf(fields);
    return ({ browser, isLoading }) => action(browser, () => isLoading(LOAD_MS));
  },
  files:
    () =>
    ({ browser }) =>
      filesOf(browser),
  choose: (fields) => {
    const choice = choiceOf(fields);
    return done(({ browser }) => choice(browser));
  },
  dialog: (fields) => {
    const answer = dialogAnswerOf(fields);
    return done(({ browser }) => answer(browser));
  },
  wait: (fields) => {
    const milliseconds = waitOf(fields);
    return async ({ clock, leaving }) => {
      await waitFor(clock, milliseconds, leaving);
      return DONE;
    };
  },
};

/** Returns the action with this name. Throws `CallError` if the name or a field is wrong. */
export function actionOf(type: string, fields: Fields): Action {
  const read = Object.hasOwn(ACTIONS, type) ? ACTIONS[type] : undefined;
  const names = COMPUTER_METHODS.filter((name) => name !== 'batch');
  if (!read) throw wrong('type', `one of ${names.join(', ')}`);
  return read(fields);
}

/** A checked batch. */
export interface Batch {
  steps: { type: string; action: Action }[];
  /** True if the steps after a failed step are performed too. */
  goOn: boolean;
}

/** Checks all steps of a batch before any step is performed. Throws `CallError` if a step is wrong. */
export function batchOf(fields: Fields): Batch {
  const { actions } = fields;
  if (!Array.isArray(actions) || actions.length === 0 || actions.length > MAX_STEPS)
    throw wrong('actions', `a list of 1 to ${MAX_STEPS} actions`);
  const steps = actions.map((value: unknown, index) => {
    const step = fieldsOf([value]);
    const type = typeof step['type'] === 'string' ? step['type'] : '';
    try {
      // In a step, the field `type` names the action. The action `type` has its text in the field `text`.
      return { type, action: actionOf(type, step) };
    } catch (error) {
      if (error instanceof CallError) throw new CallError(error.code, `actions[${index}]: ${error.message}`);
      throw error;
    }
  });
  return { steps, goOn: flag(fields, 'continue_on_error') };
}

/**
 * Performs the steps of a batch in order.
 *
 * @param expired returns true if no further step may begin
 */
export async function performBatch(
  { steps, goOn }: Batch,
  parts: ActionParts,
  expired: () => boolean,
): Promise<ComputerStep[]> {
  const results: ComputerStep[] = [];
  let failed = false;
  for (const [index, { type, action }] of steps.entries()) {
    if ((failed && !goOn) || expired()) {
      results.push({ type, skipped: true });
      continue;
    }
    if (index > 0) await pause(parts.clock, STEP_PAUSE_MS);
    try {
      results.push({ type, result: await action(parts) });
    } catch (error) {
      failed = true;
      results.push({ type, error: failureOf(error) });
    }
  }
  return results;
}

function done(act: (parts: ActionParts) => Promise<void>): Action {
  return async (parts) => {
    try {
      await act(parts);
    } finally {
      parts.acted();
    }
    return DONE;
  };
}

async function click(
  parts: ActionParts,
  target: Target,
  { button, count, modifiers }: { button: number; count: number; modifiers: number },
): Promise<void> {
  const isClicked = await parts.hands.click(() => placeOf(parts, target), button, count, modifiers);
  if (isClicked || !('node' in target)) return;
  // A script clicks once, with the left button and without modifiers.
  if (button !== 0 || count !== 1 || modifiers !== 0) throw unreachable();
  await parts.nodes.click(target.node);
}

/**
 * Returns the position of a target. Undefined if the pointer cannot reach a node. Rejects with `CallError` if
 * the position is not on the screen.
 */
async function placeOf({ nodes, screen }: ActionParts, target: Target): Promise<Point | undefined> {
  return 'node' in target ? nodes.placeOf(target.node) : onScreen(target, screen());
}

/** Like {@link placeOf}, but also rejects with `CallError` if the pointer cannot reach a node. */
async function reachable(parts: ActionParts, target: Target): Promise<Point> {
  const at = await placeOf(parts, target);
  if (!at) throw unreachable();
  return at;
}

/**
 * Returns the positions of all targets of a drag. Rejects with `CallError` if the pointer cannot reach all of
 * them without scrolling in between.
 */
async function placesOf(parts: ActionParts, path: readonly Target[]): Promise<Point[]> {
  for (const target of path) await reachable(parts, target);
  const places: Point[] = [];
  for (const target of path) {
    // A later target may have scrolled an earlier one away.
    const at = 'node' in target ? await parts.nodes.placeOf(target.node, false) : target;
    if (!at)
      throw new CallError(
        'err_call_failed',
        'The nodes of the path are not on the screen at the same time. Scroll, or use x and y of a screenshot.',
      );
    places.push(at);
  }
  return places;
}

function unreachable(): CallError {
  return new CallError(
    'err_call_failed',
    'The pointer cannot reach this node, because something covers it or it has no size. Close what covers it, or use x and y of a screenshot.',
  );
}

/** Returns the middle of the screen, which is in the page. Rejects with `CallError` if there is no screen. */
async function middleOf(screen: Size | undefined): Promise<Point> {
  if (!screen) throw browserUnavailable();
  return { x: Math.round(screen.width / 2), y: Math.round(screen.height / 2) };
}

/** Resolves after this time. Rejects with the reason of a signal as soon as the signal is aborted. */
async function waitFor(
  clock: Pick<Clock, 'setTimeout'>,
  ms: number,
  leaving: readonly AbortSignal[],
): Promise<void> {
  await withFirstAbort(leaving, async (first) => {
    first.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const timer = clock.setTimeout(resolve, ms);
      first.addEventListener('abort', () => {
        timer.cancel();
        reject(first.reason as Error);
      });
    });
  });
}

async function press(hands: Hands, name: string): Promise<void> {
  const stroke = strokeOf(name);
  if (stroke) await hands.key(stroke, 1);
}
