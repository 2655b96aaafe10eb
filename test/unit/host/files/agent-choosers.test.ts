import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { PageChooser } from '../../../../server/src/host/browser/files/choosers.js';
import { AgentChoosers } from '../../../../server/src/host/features/files/uploads/agent-choosers.js';
import { CHOOSER_TIMEOUT_MS } from '../../../../server/src/host/features/files/uploads/open-choosers.js';
import { clientGone } from '../../../../server/src/host/room/calls/call-error.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

let clock: ManualClock;
let choosers: AgentChoosers;
let cancelled: string[];
beforeEach(() => {
  clock = new ManualClock();
  choosers = new AgentChoosers(clock);
  cancelled = [];
});

/** A page's file field that waits for files. */
function field(name: string): PageChooser {
  let end: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (end = resolve));
  const cancel = () => Promise.resolve(void cancelled.push(name));
  return { gone, close: end, cancel } as unknown as PageChooser;
}
const always = () => true;

test('a program that waits gets the chooser of its click, and no other', async () => {
  const waiting = choosers.wait('a', 1_000);
  choosers.open('b', field('other'));
  const page = field('own');
  choosers.open('a', page);
  assert.equal(await waiting, page);
  assert.equal(await choosers.wait('a', 0), page);
  assert.equal(clock.pending, 0);
});

test('a program that waits gets an error if no page asks for files', async () => {
  const waiting = choosers.wait('a', 1_000);
  clock.advance(999);
  assert.equal(clock.pending, 1);
  clock.advance(1);
  await assert.rejects(waiting, { code: 'err_chooser_gone' });
  choosers.open('a', field('late'));
  assert.equal(choosers.any, true);
});

test('a program that waits gets the reason at once if its client leaves', async () => {
  const client = new AbortController();
  const waiting = choosers.wait('a', 1_000, client.signal);
  client.abort(clientGone());
  await assert.rejects(waiting, { code: 'err_call_failed' });
  assert.equal(clock.pending, 0);
  await assert.rejects(choosers.wait('a', 1_000, client.signal), { code: 'err_call_failed' });
  choosers.open('a', field('late'));
  assert.equal(choosers.any, true);
});

test('a page gets an empty choice when nobody answers, or when the agent has left', () => {
  choosers.open('a', field('slow'));
  clock.advance(CHOOSER_TIMEOUT_MS - 1);
  choosers.look(always);
  assert.deepEqual(cancelled, []);
  clock.advance(1);
  choosers.look(always);
  choosers.open('a', field('left'));
  choosers.look(() => false);
  choosers.open('a', field('closed'));
  choosers.close();
  assert.deepEqual([cancelled, choosers.any], [['slow', 'left', 'closed'], false]);
});

test('an earlier chooser gets an empty choice, and one whose page is gone is forgotten', async () => {
  choosers.open('a', field('first'));
  const page = field('second');
  choosers.open('a', page);
  assert.deepEqual(cancelled, ['first']);
  page.close();
  await page.gone;
  assert.equal(choosers.any, false);
});
