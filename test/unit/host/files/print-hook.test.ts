import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { PrintHook } from '../../../../server/src/host/browser/files/print-hook.js';
import type { Timer } from '../../../../server/src/platform/time/clock.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

/** Runs the script of the isolated world, and returns how to print and how many prints were reported. */
async function world(context: TestContext) {
  const browser = new FakeBrowser();
  context.after(() => browser.cdp.close());
  new PrintHook().follow(browser.cdp.session('front'), () => undefined);
  await turn();
  const script = browser.commands.find(({ params }) => 'worldName' in params);
  const binding = browser.commands.find(({ method }) => method === 'Runtime.addBinding');
  const reports = { count: 0 };
  const clock = new ManualClock();
  const listeners: (() => void)[] = [];
  let timer: Timer | undefined;
  const clear = () => timer?.cancel();
  runInNewContext(String(script?.params['source']), {
    [String(binding?.params['name'])]: () => (reports.count += 1),
    addEventListener: (type: string, listener: () => void) => type !== 'keydown' && listeners.push(listener),
    setTimeout: (run: () => void, ms: number) => (timer = clock.setTimeout(run, ms)),
    clearTimeout: clear,
    performance: { now: () => clock.now() },
  });
  return { clock, clear, reports, print: listeners[0] ?? assert.fail() };
}

test('a page that prints in a loop is reported at a limited rate', async (context) => {
  const { clock, print, reports } = await world(context);
  for (let count = 0; count < 1_000; count++) print();
  assert.equal(reports.count, 1);
  // The last print may be of a page that has changed.
  clock.advance(100);
  assert.deepEqual([reports.count, clock.pending], [2, 0]);
  clock.advance(100);
  print();
  assert.equal(reports.count, 3);
});

test('a page that clears all timers can print again', async (context) => {
  const { clear, clock, print, reports } = await world(context);
  print();
  print();
  clear();
  clock.advance(100);
  assert.equal(reports.count, 1);
  print();
  assert.equal(reports.count, 2);
});
