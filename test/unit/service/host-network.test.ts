import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { HttpProxy } from '../../../server/src/host-protocol.js';
import { HostNetwork } from '../../../server/src/pool/host-network.js';

const PROXY = { pac: 'PROXY proxy.example:80', username: 'user', password: 'secret' };

let opened: (HttpProxy | null)[];
let closed: string[];
let network: HostNetwork;
const listener = { close: () => closed.push('listener') };
beforeEach(() => {
  opened = [];
  closed = [];
  network = new HostNetwork({
    open: (_, proxy) => {
      opened.push(proxy);
      return () => closed.push('session');
    },
  });
});

describe("a host's way out", () => {
  it('is none before there is a session, however long its browser waits', () => {
    network.takeListener(listener);
    assert.deepEqual(opened, []);
    network.close();
    assert.deepEqual(closed, ['listener'], 'nobody was given it');
  });

  it('is that of its session, by its proxy', () => {
    network.takeListener(listener);
    network.setProxy(PROXY);
    assert.deepEqual(opened, [PROXY]);
    network.close();
    assert.deepEqual(closed, ['session']);
  });

  it('is opened once, whichever comes first', () => {
    network.setProxy(null);
    assert.deepEqual(opened, []);
    network.takeListener(listener);
    network.takeListener(listener);
    assert.deepEqual(opened, [null]);
  });
});
