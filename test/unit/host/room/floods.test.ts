import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  encodeControl,
  encodeInput,
  reasonOfCloseCode,
  type InputWithoutSeq,
  type SessionMethod,
} from 'cloud-browser/protocol';
import { WebSocket } from 'ws';
import { forAll } from '../../../../server/src/host/room/calls/access.js';
import { FloodGuard } from '../../../../server/src/host/room/viewers/flood-guard.js';
import { AGENT_DEFAULTS } from '../../../../server/src/host/room/agents/agents.js';
import { systemClock } from '../../../../server/src/platform/time/clock.js';
import { ADMIN_TOKEN, FakeRoom, until, type RawClient } from '../../../fakes/fake-room.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

let room: FakeRoom;
// On a busy machine, a flood could be too slow for the limits by the real clock.
beforeEach(async () => (room = await FakeRoom.open({}, systemClock, AGENT_DEFAULTS, new ManualClock())));
afterEach(() => room.close());

const move = (x: number) => ({ type: 'move', modifiers: 0, x, y: 1 }) as const;
const key = (pressed: boolean) =>
  ({ type: 'key', modifiers: 0, pressed, repeat: false, code: 'KeyA', key: 'a' }) as const;

/**
 * Bytes that a flooder keeps in its own memory. Without this limit it fills the memory of the test's process,
 * and the process is busy with that for many seconds.
 */
const MAX_UNSENT = 2 ** 20;

/** Sends the same message repeatedly until the connection is closed. Resolves to the reason. */
function flood(client: RawClient, message: (count: number) => Uint8Array | string) {
  return floodWith(client, (count) => client.socket.send(message(count)));
}

async function floodWith({ socket }: RawClient, send: (count: number) => void, atOnce = 100) {
  let closed: number | undefined;
  socket.on('close', (code) => (closed = code));
  for (let count = 0; closed === undefined; count++) {
    const sends = count < 50_000 && socket.readyState === socket.OPEN && socket.bufferedAmount < MAX_UNSENT;
    if (sends) send(count);
    if (count % atOnce === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return reasonOfCloseCode(closed);
}

const inputs = (event: (count: number) => InputWithoutSeq) => (count: number) =>
  encodeInput({ ...event(count), seq: count + 1 });
const call = (method: SessionMethod) => (id: number) => encodeControl({ type: 'call', id, method, args: [] });

describe('a user who floods', () => {
  const FLOODS: Record<string, (count: number) => Uint8Array | string> = {
    moves: inputs((count) => move(count % 1000)),
    keys: inputs((count) => key(count % 2 === 0)),
    releases: inputs((count) => (count % 2 === 0 ? move(count % 1000) : { type: 'release', modifiers: 0 })),
    text: inputs(() => ({ type: 'text', modifiers: 0, text: 'x'.repeat(16_000) })),
    acknowledgements: () => encodeInput({ type: 'ack', stream: 1, frame: 1 }),
    calls: call('tabs.query'),
    pings: (id) => encodeControl({ type: 'ping', id }),
    'unknown messages': () => '{"type":"news"}',
    'key frames': () => encodeControl({ type: 'key-frame', stream: 1 }),
  };
  for (const [name, message] of Object.entries(FLOODS)) {
    it(`is disconnected with the reason flooding: ${name}`, async () => {
      const [flooder, other] = [await room.enter(), await room.enter()];
      room.calls.add('tabs.query', { access: forAll, check: (args) => args }, () => Promise.resolve([]));
      assert.equal(await flood(flooder, message), 'flooding');
      other.move(7, 7);
      await other.settled();
      assert.ok(room.display.includes('move 7 7'), 'others are heard');
      assert.equal(other.closed, undefined);
    });
  }

  for (const kind of ['ping', 'pong'] as const)
    it(`is disconnected with the reason flooding: a ${kind} of WebSockets`, async () => {
      const flooder = await room.enter();
      // The WebSocket library itself ends a connection with many unanswered pings, without a reason.
      assert.equal(await floodWith(flooder, () => flooder.socket[kind]('x'), 10), 'flooding');
    });

  it('is disconnected for an unreadable message with another reason', async () => {
    assert.equal(await flood(await room.enter(), () => '{'), 'rejected');
    assert.equal(await flood(await room.enter(), () => new Uint8Array([99])), 'rejected');
  });

  it('leaves no key down and no work queued', async () => {
    const flooder = await room.enter();
    await flood(
      flooder,
      inputs((count) => key(count % 2 === 0)),
    );
    const other = await room.enter();
    await other.settled();
    const [downs, ups] = ['down', 'up'].map((way) => room.display.filter((line) => line.endsWith(way)));
    assert.equal(downs?.length, ups?.length);
    // The limit of events allows 2,000 presses. Those that wait at the end are dropped.
    assert.ok((downs?.length ?? 0) < 1_000, `${downs?.length} keys`);
  });

  it('gains nothing by returning as the same user', async () => {
    const flooder = await room.enter();
    await flood(flooder, (id) => encodeControl({ type: 'ping', id }));
    const again = await room.enter({ resume: { userId: flooder.id, secret: flooder.welcome?.secret } });
    let sent = 0;
    await flood(again, (id) => {
      sent += 1;
      return encodeControl({ type: 'ping', id });
    });
    assert.ok(sent < 5_000, `${sent} messages`);
    assert.equal(again.id, flooder.id);
  });

  it('cannot restart the shared stream as often as requested', async () => {
    const user = await room.enter();
    for (let count = 0; count < 100; count++)
      user.socket.send(encodeControl({ type: 'key-frame', stream: 1 }));
    await user.settled();
    assert.equal(room.restarted.length, 3);
  });
});

describe('a user who is fast, but does not flood', () => {
  it('can paste a megabyte', async () => {
    const user = await room.enter();
    for (let count = 0; count < 64; count++)
      user.input({ type: 'text', modifiers: 0, text: 'x'.repeat(16_384) });
    await until(() => room.display.length === 64);
    assert.equal(user.closed, undefined);
  });

  it('ends at the last of many moves, with all keys in between', async () => {
    const user = await room.enter();
    for (let count = 0; count < 1_000; count++) user.move(count, 1);
    user.input(key(true));
    user.input(key(false));
    await until(() => room.display.at(-1) === 'key 38 up');
    assert.ok(room.display.includes('move 999 1'));
    assert.ok(room.display.length < 300, `${room.display.length} of the display’s events`);
  });

  it('stays within the input limits', () => {
    const clock = new ManualClock();
    const guard = new FloodGuard(clock);
    const perSecond = { mouse: 1_000, acknowledgements: 120, keys: 200, messages: 61 };
    for (let second = 0; second < 60; second++) {
      for (let count = 0; count < perSecond.mouse + perSecond.acknowledgements + perSecond.keys; count++)
        assert.ok(guard.takes(12, true));
      for (let count = 0; count < perSecond.messages; count++) assert.ok(guard.takes(100, false));
      clock.advance(1_000);
    }
  });
});

describe('silent connections', () => {
  it('are replaced by new ones that send a hello', async () => {
    const closed: number[] = [];
    for (let count = 0; count < 80; count++) {
      const socket = new WebSocket(room.url);
      socket.on('close', (code) => closed.push(code));
      await new Promise((resolve) => socket.on('open', resolve));
    }
    const user = await room.enter();
    await user.settled();
    await until(() => closed.length >= 16);
    assert.ok(closed.every((code) => reasonOfCloseCode(code) === 'rejected'));
  });
});

describe('the log', () => {
  it('names users who joined, users who were disconnected with the reason, and users who left', async () => {
    const flooder = await room.enter();
    await flood(flooder, (id) => encodeControl({ type: 'ping', id }));
    const guest = await room.enter();
    // Users who remove themselves receive no answer.
    const kick = { type: 'call', id: 1, method: 'kick', args: [guest.id], adminToken: ADMIN_TOKEN } as const;
    guest.socket.send(encodeControl(kick));
    await until(() => room.told.length === 6);
    assert.deepEqual(room.told, [
      'joined user-1',
      'sent away user-1 flooding',
      'left user-1',
      'joined user-2',
      'sent away user-2 kicked',
      'left user-2',
    ]);
  });
});
