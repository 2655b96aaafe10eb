import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DropCounter } from '../../../../server/src/host/browser/cdp/drop-counter.js';
import type { XConnection } from '../../../../server/src/host/display/x-client.js';
import { BrowserSync } from '../../../../server/src/host/input/keyboard/browser-sync.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

const PING = 7;
const WINDOW = 12;

/** A display with one browser window, which answers pings on command. */
class FakeDisplay extends EventEmitter {
  /** Numbers of the pings that were not answered. */
  readonly pings: number[] = [];
  /** The display itself sends no answers. */
  silent = false;

  InternAtom(_only: boolean, _name: string, reply: (error: null, atom: number) => void): void {
    reply(null, PING);
  }

  GetProperty(...args: unknown[]): void {
    const reply = args.at(-1) as (error: null, answer: { data: Buffer }) => void;
    const data = Buffer.alloc(4);
    data.writeUInt32LE(WINDOW);
    if (!this.silent) reply(null, { data });
  }

  ChangeWindowAttributes(): void {
    // These tests never read the attributes.
  }

  SendClientMessage(...args: unknown[]): void {
    const [, token = 0] = args[4] as number[];
    this.pings.push(token);
  }

  answer(): void {
    for (const token of this.pings.splice(0))
      this.emit('event', { name: 'ClientMessage', data: [PING, token, WINDOW] });
  }
}

let time: PassingTime;
let display: FakeDisplay;
let drops: DropCounter;
let sync: BrowserSync;
beforeEach(async () => {
  time = new PassingTime();
  display = new FakeDisplay();
  drops = new DropCounter();
  sync = await BrowserSync.open({ x: display, root: 1 } as unknown as XConnection, drops);
});
afterEach(() => time.restore());

/** Resolves to true if it settles without any delay. */
async function isSettled(settled: Promise<void>): Promise<boolean> {
  let done = false;
  void settled.then(() => (done = true));
  await settle();
  return done;
}

describe('waiting for the browser to handle its input', () => {
  it('ends with its answer', async () => {
    const settled = sync.settled();
    assert.equal(await isSettled(settled), false);
    display.answer();
    assert.equal(await isSettled(settled), true);
  });

  it('ends without an answer too, and does not wait again before an answer arrives', async () => {
    const settled = sync.settled();
    await time.pass(250);
    assert.equal(await isSettled(settled), true);
    assert.equal(await isSettled(sync.settled()), true);
    assert.deepEqual([...drops.counts], [['_NET_WM_PING', 1]]);
    display.answer();
    const next = sync.settled();
    assert.equal(await isSettled(next), false);
    display.answer();
    await next;
  });

  it('ends on a display that does not answer', async () => {
    display.silent = true;
    const settled = sync.settled();
    await time.pass(250);
    assert.equal(await isSettled(settled), true);
  });
});
