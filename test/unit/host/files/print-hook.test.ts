import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { PrintHook } from '../../../../server/src/host/browser/files/print-hook.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

test('a page that prints in a loop is reported at a limited rate', async (context) => {
  const browser = new FakeBrowser();
  context.after(() => browser.cdp.close());
  new PrintHook().follow(browser.cdp.session('front'), () => undefined);
  await turn();
  const script = browser.commands.find(({ params }) => 'worldName' in params);
  const binding = browser.commands.find(({ method }) => method === 'Runtime.addBinding');
  let reports = 0;
  const clock = new ManualClock();
  const listeners: (() => void)[] = [];
  runInNewContext(String(script?.params['source']), {
    [String(binding?.params['name'])]: () => (reports += 1),
    addEventListener: (type: string, listener: () => void) => type !== 'keydown' && listeners.push(listener),
    setTimeout: (run: () => void, ms: number) => clock.setTimeout(run, ms),
  });
  const [print] = listeners;
  for (let count = 0; count < 1_000; count++) print?.();
  assert.equal(reports, 1);
  // The last print may be of a page that has changed.
  clock.advance(100);
  assert.equal(reports, 2);
  clock.advance(100);
  assert.deepEqual([reports, clock.pending], [2, 0]);
  print?.();
  assert.equal(reports, 3);
});
