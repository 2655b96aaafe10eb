import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CALL_TIMEOUT_MS } from '../../../src/core/calls/pending-calls.js';
import type { AccessibilityUpdate } from '../../../src/protocol/index.js';
import { connectedClient } from '../../fakes/connected-client.js';

it('an accessibility tree is requested again if the session does not answer', async () => {
  const { client, host, timers } = await connectedClient();
  const tree = await client.accessibility();
  const seen: AccessibilityUpdate[] = [];
  const stop = tree.watch((update) => seen.push(update));
  // In one step, so that the connection does not count as dead.
  timers.sleep(CALL_TIMEOUT_MS);
  await new Promise((resolve) => setImmediate(resolve));
  const [, again, ...more] = host.last.of('call');
  assert.deepEqual([again?.args, more], [['accessibility.onUpdate'], []]);
  const update: AccessibilityUpdate = {
    ...{ reset: true, state: 'complete', root: null, focus: null },
    ...{ nodes: [], removed: [] },
  };
  host.last.send({ type: 'event', name: 'accessibility.onUpdate', args: [update] });
  assert.deepEqual(seen, [update]);
  stop();
  client.disconnect();
});
