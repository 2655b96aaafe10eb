import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemCallFilter, UnknownProcessorError } from '../../../../server/src/host/sandbox/system-calls.js';

const ALLOWED = 0x7fff0000;
const REFUSED = 0x00050001;
const X64 = 0xc000003e;
const I386 = 0x40000003;

/** Emulates the kernel's interpreter with the four instructions of the filters, see linux/bpf_common.h. */
function judge(filter: Buffer, processor: number, call: number, argument = 0): number {
  const data = new Map([
    [0, call],
    [4, processor],
    [16, argument],
  ]);
  let word = 0;
  for (let at = 0; at < filter.length / 8; at++) {
    const [code, jumpTrue, jumpFalse] = [
      filter.readUInt16LE(at * 8),
      filter[at * 8 + 2] ?? 0,
      filter[at * 8 + 3] ?? 0,
    ];
    const value = filter.readUInt32LE(at * 8 + 4);
    if (code === 0x20) word = data.get(value) ?? -1;
    else if (code === 0x15) at += word === value ? jumpTrue : jumpFalse;
    else if (code === 0x35) at += word >= value ? jumpTrue : jumpFalse;
    else if (code === 0x06) return value;
    else throw new Error(`Unknown instruction ${code}.`);
  }
  throw new Error('The filter has no end.');
}

describe('the system call filter', () => {
  const filter = systemCallFilter('x64');

  it('refuses calls that no browser needs: the first, the last and others', () => {
    for (const call of [248, 249, 250, 101, 165, 321, 425, 246, 303, 438])
      assert.equal(judge(filter, X64, call), REFUSED, `${call}`);
  });

  it('allows the other calls', () => {
    for (const call of [0, 1, 2, 59, 247, 251, 272, 302, 305, 450])
      assert.equal(judge(filter, X64, call), ALLOWED, `${call}`);
  });

  it('refuses every call through another architecture', () => {
    for (const call of [0, 1, 102]) assert.equal(judge(filter, I386, call), REFUSED);
    assert.equal(judge(filter, X64, 0x40000000), REFUSED);
  });

  // Chromium reads the network interfaces over netlink. It would find none, and report to pages that the
  // browser is offline.
  it('refuses sockets of the family netlink, and no other sockets', () => {
    const arm = systemCallFilter('arm64');
    for (const family of [1, 2, 10]) {
      assert.equal(judge(filter, X64, 41, family), ALLOWED);
      assert.equal(judge(arm, 0xc00000b7, 198, family), ALLOWED);
    }
    assert.equal(judge(filter, X64, 41, 16), REFUSED);
    assert.equal(judge(arm, 0xc00000b7, 198, 16), REFUSED);
    assert.equal(judge(filter, X64, 42, 16), ALLOWED);
  });

  it('exists exactly for the supported processors', () => {
    assert.equal(judge(systemCallFilter('arm64'), 0xc00000b7, 219), REFUSED);
    assert.equal(judge(systemCallFilter('arm64'), 0xc00000b7, 250), ALLOWED);
    assert.throws(() => systemCallFilter('mips'), UnknownProcessorError);
  });
});
