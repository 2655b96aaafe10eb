import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EgressRules, PUBLIC_ONLY } from '../../../../server/src/platform/network/egress-rules.js';
import {
  isPublicAddress,
  plainAddress,
} from '../../../../server/src/platform/network/addresses/public-address.js';

describe('a public address', () => {
  it('is any address of an internet host', () => {
    for (const address of [
      '93.184.216.34',
      '1.1.1.1',
      '::ffff:8.8.8.8',
      '2606:4700::1111',
      '[2a00:1450::1]',
      '168.63.129.17',
    ])
      assert.ok(isPublicAddress(address), address);
  });

  it('is not an address of this machine, this network, several hosts or no host', () => {
    const addresses = [
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.254',
      '168.63.129.16',
      '169.254.169.254',
      '::ffff:168.63.129.16',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.1',
      '192.0.2.1',
      '192.168.1.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '0:0:0:0:0:ffff:10.0.0.1',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      '100::1',
      '2001::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '3fff::1',
      'fc00::1',
      'fd12::1',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
      '',
      'localhost',
    ];
    for (const address of addresses) assert.ok(!isPublicAddress(address), address);
  });

  it('is recognised in every spelling of a URL', () => {
    const spellings = [
      '2130706433',
      '0x7f.1',
      '017700000001',
      '127.1',
      '[::ffff:127.0.0.1]',
      '[::1]',
      '0',
      '0x0',
    ];
    for (const spelling of spellings) {
      assert.ok(!isPublicAddress(plainAddress(new URL(`http://${spelling}/`).hostname)), spelling);
    }
  });
});

describe('the rules for outgoing connections', () => {
  const allows = (entries: string[], host: string, address: string, port = 443) =>
    EgressRules.parse(entries)?.allows(host, address, port);

  it('allow only public hosts by default', () => {
    assert.ok(PUBLIC_ONLY.allows('example.com', '93.184.216.34', 443));
    assert.ok(!PUBLIC_ONLY.allows('example.com', '10.0.0.1', 443));
  });

  // Proves: webhooks follow no redirect and reach public addresses only
  it('allow hosts that the operator lists', () => {
    assert.ok(allows(['intranet.example'], 'Intranet.example.', '10.0.0.1'));
    assert.ok(!allows(['intranet.example'], 'other.example', '10.0.0.1'));
    assert.ok(allows(['10.0.0.1'], 'any.example', '::ffff:10.0.0.1'));
    assert.ok(allows(['10.0.0.0/8'], 'any.example', '10.9.9.9'));
    assert.ok(!allows(['10.0.0.0/8'], 'any.example', '192.168.0.1'));
    assert.ok(allows(['fd00::/8'], '[fd12::1]', 'fd12::1'));
    assert.ok(allows(['fd12::1'], 'x', 'fd12:0::1'));
  });

  it('allow a single port of a listed host', () => {
    for (const entry of ['localhost:3000', '127.0.0.1:3000', '127.0.0.0/8:3000']) {
      assert.ok(allows([entry], 'localhost', '127.0.0.1', 3000), entry);
      assert.ok(!allows([entry], 'localhost', '127.0.0.1', 3001), entry);
    }
    assert.ok(allows(['[::1]:3000'], 'localhost', '::1', 3000));
  });

  it('cannot be created from invalid values', () => {
    for (const entry of [
      '',
      'a b',
      'http://x',
      '10.0.0.0/99',
      'x/8',
      'localhost:0',
      'localhost:99999',
      '1.2.3',
      '*',
    ])
      assert.equal(EgressRules.parse([entry]), undefined, entry);
  });
});
