import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { AccessibilityActions, type Actor } from '../../../../server/src/host/input/accessibility-actions.js';
import { AccessibilityWatch } from '../../../../server/src/host/browser/accessibility/accessibility-watch.js';
import { FakeAccessiblePage } from '../../../fakes/fake-accessible-page.js';
import { PassingTime } from '../../../fakes/passing-time.js';

/** The longest time that one user's input may delay other users, in milliseconds. */
const INPUT_LIMIT_MS = 1_000;

let time: PassingTime;
let page: FakeAccessiblePage;
let watch: AccessibilityWatch;
let turns: number[];
let masked: boolean;
let answers: () => Promise<boolean>;
let actor: Actor;
let hands: AccessibilityActions;
let button: number;
let typing: string[];
beforeEach(async () => {
  time = new PassingTime();
  page = new FakeAccessiblePage();
  page.add({ 1: { role: 'RootWebArea', inside: [2] }, 2: { role: 'button', name: 'Buy' } });
  turns = [];
  typing = [];
  masked = false;
  watch = new AccessibilityWatch(
    {
      ...{ front: () => Promise.resolve(page.session), frame: () => undefined, onFrame: () => undefined },
      answersAgain: () => undefined,
    },
    undefined,
  );
  watch.want(true);
  await time.pass(1_000);
  button = [...(watch.tree?.shown() ?? [])].find(({ facts }) => facts.role === 'button')?.id ?? 0;
  const input = {
    withholdTyping: () => typing.push('withheld'),
    resumeTyping: () => typing.push('resumed'),
    inTurn: async (_: unknown, act: () => Promise<boolean>) => {
      const began = performance.now();
      return act().finally(() => turns.push(performance.now() - began));
    },
  };
  actor = { input: input as unknown as Actor['input'], mayWrite: false, onPress: () => undefined };
  const geometry = { left: 0, top: 0, scale: 1 };
  const pages = { geometry: () => Promise.resolve(geometry), hasFocus: () => Promise.resolve(true) };
  answers = () => Promise.resolve(masked);
  hands = new AccessibilityActions(watch, pages, { isMaskedField: () => answers() });
});
afterEach(() => {
  watch.close();
  time.restore();
});

const ACTS = ['click', 'focus', 'scroll', 'set'] as const;

describe('an action on a node', () => {
  it('fails at its deadline if the page never answers, without blocking others', async () => {
    page.silent = () => true;
    for (const act of ACTS) {
      const outcome = hands.perform(actor, button, act, 'x');
      await time.pass(5_000);
      assert.equal(await outcome, 'gone', act);
    }
    for (const turn of turns) assert.ok(turn <= INPUT_LIMIT_MS, `${turn} ms`);
  });

  it('fails if the node no longer exists, whatever its number', async () => {
    for (const id of [0, -1, 99, 2 ** 52])
      for (const act of ACTS) assert.equal(await hands.perform(actor, id, act), 'gone');
    page.session.end('detached');
    for (const act of ACTS) assert.equal(await hands.perform(actor, button, act), 'gone', act);
  });

  it('puts no input into a masked field for users without the role', async () => {
    masked = true;
    page.asked.length = 0;
    assert.equal(await hands.perform(actor, button, 'set', 'smuggled'), 'refused');
    assert.deepEqual(typing, ['withheld']);
    assert.ok(!page.asked.includes('Input.insertText'));
  });

  it('reports a value that it sets, but not one that a masked field refuses', async () => {
    const values: string[] = [];
    hands.onSet = (value) => values.push(value);
    await hands.perform(actor, button, 'set', 'Ada');
    masked = true;
    await hands.perform(actor, button, 'set', 'smuggled');
    assert.deepEqual(values, ['Ada']);
  });

  it('makes the tree have the value that it sets, also if the browser does not report the change', async () => {
    page.add({ 2: { role: 'slider', name: 'Volume', value: '20' } });
    page.count = () => {
      page.add({ 2: { role: 'slider', name: 'Volume', value: '80' } });
      return 'done';
    };
    assert.equal(await hands.perform(actor, button, 'set', '80'), 'done');
    assert.equal(watch.tree?.node(button)?.facts.value, '80');
  });

  it('keeps the tree if the page is too busy to be read again after the value was set', async () => {
    page.count = () => 'done';
    page.silent = (method) => method === 'Accessibility.getPartialAXTree';
    const outcome = hands.perform(actor, button, 'set', '80');
    await time.pass(5_000);
    assert.equal(await outcome, 'done');
    assert.ok(watch.tree?.node(button));
  });

  it("on a masked element blocks its user's typing from the same turn on, also for a focus action", async () => {
    masked = true;
    for (const act of ['focus', 'set'] as const) await hands.perform(actor, button, act, 'x');
    assert.deepEqual(typing, ['withheld', 'withheld']);
    actor.mayWrite = true;
    await hands.perform(actor, button, 'focus');
    masked = false;
    actor.mayWrite = false;
    await hands.perform(actor, button, 'focus');
    assert.deepEqual(typing, ['withheld', 'withheld', 'resumed', 'resumed']);
  });

  it('counts as on a masked element if the page does not answer in time', async () => {
    answers = () => new Promise(() => undefined);
    const outcome = hands.perform(actor, button, 'set', 'x');
    await time.pass(1_000);
    assert.equal(await outcome, 'refused');
    assert.deepEqual(typing, ['withheld']);
  });
});
