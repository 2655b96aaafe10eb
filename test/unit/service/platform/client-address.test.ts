import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { clientAddress } from '../../../../server/src/platform/network/client-address.js';

/** Returns the client's address behind this many proxies, from the header of the last one. */
function behind(proxies: number, forwarded: string): string {
  const request = new IncomingMessage(new Socket());
  request.headers['x-forwarded-for'] = forwarded;
  return clientAddress(request, proxies);
}

describe('the client address behind a proxy', () => {
  it('is the one that the proxy appended, in any format', () => {
    for (const own of ['203.0.113.9', '203.0.113.9:50123', '::ffff:203.0.113.9', '"203.0.113.9"'])
      assert.equal(behind(1, `198.51.100.7, ${own}`), '203.0.113.9', own);
    for (const own of ['2001:db8::9', '[2001:db8::9]', '[2001:db8::9]:50123'])
      assert.equal(behind(1, `198.51.100.7, ${own}`), '2001:db8::9', own);
  });

  it('is never one that the client claims if the proxy appended none', () => {
    for (const own of ['unknown', '_hidden', 'a.example'])
      assert.equal(behind(1, `198.51.100.7, ${own}`), '', own);
  });
});
