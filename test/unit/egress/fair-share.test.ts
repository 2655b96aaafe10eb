import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FairShare, type Portion } from '../../../server/src/egress/fair-share.js';

/** Takes all that a new session may have. Returns its number of resources. */
function takeAll(share: FairShare): number {
  const session: Portion = { open: 0 };
  while (share.take(session));
  return session.open;
}

describe('the share of a new session', () => {
  it('is enough for a few connections while a dozen sessions keep all that they could take', () => {
    // Descriptors of a process with the usual limit.
    const share = new FairShare(768);
    const taken = Array.from({ length: 12 }, () => takeAll(share));
    for (const [index, count] of taken.entries()) assert.ok(count >= 12, `session ${index} has ${count}`);
  });

  it('is at least one while nine sessions keep all that they could take of few resources', () => {
    const share = new FairShare(64);
    const taken = Array.from({ length: 10 }, () => takeAll(share));
    assert.ok(
      taken.every((count) => count > 0),
      taken.join(),
    );
  });

  it('is almost half of the resources if no other session has any', () => {
    assert.equal(takeAll(new FairShare(768)), 336);
  });

  it('is one resource if there is only one', () => {
    const share = new FairShare(1);
    assert.equal(takeAll(share), 1);
    assert.equal(takeAll(share), 0);
  });
});
