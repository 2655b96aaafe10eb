import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { HttpProxy } from '../../../../server/src/host-protocol.js';
import type { NetworkInterruption } from '../../../../server/src/pool/egress-process.js';
import { HostNetwork, type Egress } from '../../../../server/src/pool/host/host-network.js';

const PROXY = { pac: 'PROXY proxy.example:80', username: 'user', password: 'secret' };

let opened: (HttpProxy | null)[];
let closed: string[];
let network: HostNetwork;
let interrupt: (what: NetworkInterruption) => void;
let interruptions: NetworkInterruption[];
const listener = { close: () => closed.push('listener') };
beforeEach(() => {
  opened = [];
  closed = [];
  interruptions = [];
  const egress: Egress = {
    open: (_, proxy, onInterrupted) => {
      opened.push(proxy);
      if (onInterrupted) interrupt = onInterrupted;
      return () => closed.push('session');
    },
  };
  network = new HostNetwork(egress, (what) => interruptions.push(what));
});

describe("a host's network access", () => {
  it('does not exist before a session, however long its browser waits', () => {
    network.takeListener(listener);
    assert.deepEqual(opened, []);
    network.close();
    assert.deepEqual(closed, ['listener'], 'nobody was given it');
  });

  it('is that of its session, through its proxy', () => {
    network.takeListener(listener);
    network.setProxy(PROXY);
    assert.deepEqual(opened, [PROXY]);
    network.close();
    assert.deepEqual(closed, ['session']);
  });

  it('reports an interruption to its host', () => {
    network.takeListener(listener);
    network.setProxy(null);
    interrupt('restarted');
    interrupt('resumed');
    assert.deepEqual(interruptions, ['restarted', 'resumed']);
  });

  it('is opened once, by the first of the two events', () => {
    network.setProxy(null);
    assert.deepEqual(opened, []);
    network.takeListener(listener);
    network.takeListener({ close: () => closed.push('second') });
    assert.deepEqual([opened, closed], [[null], ['second']]);
  });

  it('uses the first socket if the host sends two before it has a session', () => {
    network.takeListener(listener);
    network.takeListener({ close: () => closed.push('second') });
    network.takeListener(undefined);
    network.setProxy(null);
    assert.deepEqual([opened, closed], [[null], ['second']]);
  });

  it('is not opened after the end of the host, and a late socket is closed', () => {
    network.setProxy(PROXY);
    network.close();
    network.takeListener(listener);
    assert.deepEqual([opened, closed], [[], ['listener']]);
  });

  it('is not opened for a session that takes a host after its end', () => {
    network.takeListener(listener);
    network.close();
    network.setProxy(PROXY);
    assert.deepEqual([opened, closed], [[], ['listener']]);
  });
});
