import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkTable, type LinkResult } from '../../bench/links/link-table.js';
import { parseLink } from '../../bench/links/links.js';
import { countersSince, tcpCounters } from '../../bench/links/tcp-counters.js';
import { parseOptions } from '../../bench/options.js';

test('a link is its round trip, its loss in percent and its rate', () => {
  assert.deepEqual(parseLink('80/1/8'), { roundTripMs: 80, loss: 0.01, megabits: 8 });
  for (const bad of ['80/1', '80/1/8/9', '80/-1/8', '80/1/0', 'a/b/c'])
    assert.throws(() => parseLink(bad), /must be like 80\/1\/8/);
});

test('links are measured only if they are requested, and the congestion control is checked', () => {
  assert.deepEqual(parseOptions(['--only', 'local'])?.links, []);
  assert.equal(parseOptions(['--only', 'links'])?.links.length, 3);
  assert.deepEqual(parseOptions(['--only', 'links-vnc', '--link', '1/0/5'])?.linksVnc, true);
  assert.deepEqual(parseOptions(['--only', 'links', '--with', 'two-viewers,haproxy'])?.ways.length, 2);
  assert.throws(() => parseOptions(['--with', 'nginx']), /two-viewers and haproxy/);
  assert.throws(() => parseOptions(['--congestion', 'vegas']), /cubic and bbr/);
});

test('the table has the percentiles of all clicks and the recoveries for 100 clicks', () => {
  const result: LinkResult = {
    link: { roundTripMs: 80, loss: 0.01, megabits: 8 },
    congestion: 'bbr',
    title: 'x',
    clicks: [100, 110, 120],
    lostClicks: 1,
    kilobytesBefore: [10, 20, 30],
    kilobytesPerClick: [40],
    recoveries: [{ TCPLossProbes: 2, TCPTimeouts: 0, TCPSackRecovery: 1 }],
    framesPerSecond: [],
    longestGap: [],
    megabits: [],
    failures: [],
  };
  const row = linkTable([result]).split('\n')[2];
  assert.equal(row, '| 80 / 1 / 8 | bbr | x | 110 / 119 | 3 (1) | 20 / 29 | 40.0 | 50, 0, 25 | - (-) | - |');
});

test('counters are read from the kernel, and their changes are summed over both sides', () => {
  assert.ok(Number.isInteger(tcpCounters('self').TCPLossProbes));
  const of = (TCPLossProbes: number) => ({ TCPLossProbes, TCPTimeouts: 0, TCPSackRecovery: 1 });
  const since = countersSince([of(1), of(10)], [of(3), of(14)]);
  assert.deepEqual(since, { TCPLossProbes: 6, TCPTimeouts: 0, TCPSackRecovery: 0 });
});
