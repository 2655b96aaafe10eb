import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PeerSeal, SEAL_WINDOW_MS } from '../../../server/src/cluster/peers/peer-seal.js';

const SECRET = Buffer.alloc(32, 1);
const REQUEST = { method: 'GET', url: '/v0/vm?x=1', to: 'bbbbbb', clientAddress: '192.0.2.7' };
let now = 1_000_000;
const seal = (own: string, secret = SECRET) =>
  new PeerSeal(
    secret,
    () => own,
    () => now,
  );

describe('the seal of a request between nodes', () => {
  it('contains the sending node and the client', () => {
    const header = seal('aaaaaa').seal(REQUEST);
    assert.deepEqual(seal('bbbbbb').open(header, 'GET', '/v0/vm?x=1'), {
      from: 'aaaaaa',
      clientAddress: '192.0.2.7',
    });
  });

  it('is valid once', () => {
    const header = seal('aaaaaa').seal(REQUEST);
    const receiver = seal('bbbbbb');
    assert.ok(receiver.open(header, 'GET', '/v0/vm?x=1'));
    assert.equal(receiver.open(header, 'GET', '/v0/vm?x=1'), undefined);
  });

  it('is invalid for another method, address, node, secret or client', () => {
    const header = seal('aaaaaa').seal(REQUEST);
    assert.equal(seal('bbbbbb').open(header, 'POST', '/v0/vm?x=1'), undefined);
    assert.equal(seal('bbbbbb').open(header, 'GET', '/v0/vm?x=2'), undefined);
    assert.equal(seal('cccccc').open(header, 'GET', '/v0/vm?x=1'), undefined);
    assert.equal(seal('bbbbbb', Buffer.alloc(32, 2)).open(header, 'GET', '/v0/vm?x=1'), undefined);
    const forged = header.replace('192.0.2.7', '192.0.2.8');
    assert.equal(seal('bbbbbb').open(forged, 'GET', '/v0/vm?x=1'), undefined);
    for (const broken of ['', 'x', `${header} x`, header.slice(1)])
      assert.equal(seal('bbbbbb').open(broken, 'GET', '/v0/vm?x=1'), undefined, broken);
  });

  it('is valid for half a minute before and after its time', () => {
    const header = seal('aaaaaa').seal(REQUEST);
    const sent = now;
    for (const [drift, good] of [
      [SEAL_WINDOW_MS + 1, false],
      [-SEAL_WINDOW_MS - 1, false],
      [SEAL_WINDOW_MS, true],
    ] as const) {
      now = sent + drift;
      assert.equal(seal('bbbbbb').open(header, 'GET', '/v0/vm?x=1') !== undefined, good, String(drift));
    }
    now = sent;
  });

  it('is remembered only for that window', () => {
    const receiver = seal('bbbbbb');
    const first = seal('aaaaaa').seal(REQUEST);
    assert.ok(receiver.open(first, 'GET', '/v0/vm?x=1'));
    now += 3 * SEAL_WINDOW_MS;
    assert.ok(receiver.open(seal('aaaaaa').seal(REQUEST), 'GET', '/v0/vm?x=1'));
    assert.equal(receiver.open(first, 'GET', '/v0/vm?x=1'), undefined, 'too old');
  });
});
