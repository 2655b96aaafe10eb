import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClipboardTransfers } from '../../../src/core/clipboard/clipboard-transfers.js';
import { ManualClock } from '../../fakes/manual-clock.js';

test('content of an earlier connection does not end a transfer with the same number', async () => {
  const clock = new ManualClock();
  const timers = {
    now: () => clock.now(),
    setTimeout: (run: () => void, wait: number) => clock.setTimeout(run, wait),
    clearTimeout: (timer: unknown) => (timer as ReturnType<ManualClock['setTimeout']> | undefined)?.cancel(),
  };
  const transfers = new ClipboardTransfers(timers);
  const outlet = { send: () => undefined, sendRaw: () => undefined };
  const offer = (size: number) =>
    transfers.received({ type: 'clipboard-offer', transfer: 1, parts: [{ type: 'text/plain', size }] });
  transfers.open(outlet);
  offer(0);
  clock.advance(9_000);
  transfers.close();
  transfers.open(outlet);
  offer(3);
  clock.advance(2_000);
  const download = transfers.download(1);
  transfers.chunk({ transfer: 1, payload: new TextEncoder().encode('new') });
  assert.equal((await download).get('text/plain')?.byteLength, 3);
});
