import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { Calls } from '../../../../server/src/host/room/calls/calls.js';
import type { Viewer } from '../../../../server/src/host/room/viewers/viewer.js';

const EVENT = 'control.onRequested';

let calls: Calls;
let viewer: Viewer;
/** The checks of the requests that wait, in their order. */
let checks: { accept: () => void; refuse: () => void }[];
let ended: number;
beforeEach(() => {
  calls = new Calls(() => false);
  viewer = { id: 1 } as unknown as Viewer;
  [checks, ended] = [[], 0];
  const check = () =>
    new Promise<void>((resolve, reject) => {
      checks.push({ accept: resolve, refuse: () => reject(new Error('no')) });
    });
  calls.addEvent(EVENT, check, () => void (ended += 1));
});

const subscribe = () => calls.perform('subscribe', [EVENT], { viewer, admin: false });
const unsubscribe = () => calls.perform('unsubscribe', [EVENT], { viewer, admin: false });
const refused = (subscribing: Promise<unknown>) => assert.rejects(subscribing, { message: 'no' });

describe('a viewer that requests a subscription twice', () => {
  for (const first of [0, 1])
    it(`has it if request ${2 - first} is accepted after the other was refused`, async () => {
      const requests = [subscribe(), subscribe()];
      checks[first]?.refuse();
      await refused(requests[first] ?? Promise.resolve());
      checks[1 - first]?.accept();
      await requests[1 - first];
      assert.equal(calls.hasSubscribers(EVENT), true);
    });

  it('does not have it if both requests are refused', async () => {
    const requests = [subscribe(), subscribe()];
    for (const { refuse } of checks) refuse();
    await Promise.all(requests.map(refused));
    assert.equal(calls.hasSubscribers(EVENT), false);
  });

  it('does not have it if it has unsubscribed meanwhile', async () => {
    const requests = [subscribe(), subscribe()];
    await unsubscribe();
    for (const { accept } of checks) accept();
    await Promise.all(requests);
    assert.deepEqual([calls.hasSubscribers(EVENT), ended], [false, 1]);
  });

  it('keeps the second one if it unsubscribed between both, and the first is refused', async () => {
    const first = subscribe();
    await unsubscribe();
    const second = subscribe();
    checks[0]?.refuse();
    await refused(first);
    checks[1]?.accept();
    await second;
    assert.equal(calls.hasSubscribers(EVENT), true);
  });
});
