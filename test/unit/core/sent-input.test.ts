import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CloudBrowserClient } from '../../../src/core/client.js';
import type { InputEvent, InputWithoutSeq, Welcome } from '../../../src/protocol/index.js';
import { connectedClient } from '../../fakes/connected-client.js';
import type { FakeHost } from '../../fakes/fake-host.js';
import type { ManualTimers } from '../../fakes/manual-timers.js';

/** Time after which a client notices a connection that has died silently. Milliseconds. */
const SILENCE_MS = 8_000;
const at = { x: 1, y: 2, modifiers: 0 };
const key = (name: string, pressed = true, repeat = false): InputWithoutSeq => ({
  type: 'key',
  ...{ code: '', key: name, modifiers: 0, pressed, repeat },
});
const text = (value: string): InputWithoutSeq => ({ type: 'text', text: value, modifiers: 0 });
const touch = (phase: 'start' | 'move' | 'end', x?: number): InputWithoutSeq => ({
  type: 'touch',
  ...{ phase, points: x === undefined ? [] : [{ id: 0, x, y: 1 }], modifiers: 0 },
});

const nameOf = (event: InputEvent): string => {
  if (event.type === 'key') return `${event.pressed ? '+' : '-'}${event.key}`;
  if (event.type === 'text') return event.text;
  if (event.type === 'button') return event.pressed ? 'press' : 'lift';
  if (event.type === 'touch') return `${event.phase} ${event.points.map(({ x }) => x).join()}`.trim();
  return event.type;
};
const sentTo = ({ last }: FakeHost): string[] => last.inputs.map(nameOf);

/** Sends events into a dead connection. The client reconnects, and the host reports what has arrived. */
async function lose(
  events: InputWithoutSeq[],
  welcome: Partial<Welcome>,
): Promise<{ client: CloudBrowserClient; host: FakeHost; timers: ManualTimers }> {
  const connected = await connectedClient();
  const { client, host, timers } = connected;
  for (const event of events) client.sendInput(event);
  timers.advance(SILENCE_MS);
  assert.equal(client.state, 'reconnecting');
  host.last.welcome(welcome);
  assert.equal(client.state, 'playing');
  return connected;
}

describe('input that was sent into a dead connection', () => {
  it('is sent again after the reconnect, in its order, with its numbers', async () => {
    const events = [
      key('a'),
      key('a', false),
      text('é'),
      { type: 'button', button: 0, pressed: true, ...at },
    ];
    const lift = { type: 'button', button: 0, pressed: false, ...at } as const;
    const { client, host } = await lose([...(events as InputWithoutSeq[]), lift], { inputSeq: 1 });
    client.sendInput(key('b'));
    assert.deepEqual(sentTo(host), ['-a', 'é', 'press', 'lift', 'release', '+b']);
    const numbers = host.last.inputs.map((event) => (event.type === 'ack' ? 0 : event.seq));
    assert.deepEqual(numbers, [2, 3, 4, 5, 6, 7]);
  });

  it('is not sent again if it has arrived, and nothing is released then', async () => {
    const { host } = await lose([key('a'), key('a', false)], { inputSeq: 2 });
    assert.deepEqual(sentTo(host), []);
  });

  it('is not sent again to an older host, or if the host does not want it', async () => {
    for (const welcome of [{}, { inputSeq: null }]) {
      const { client, host } = await lose([key('a')], welcome);
      client.sendInput(key('b'));
      assert.deepEqual(sentTo(host), ['+b']);
    }
  });

  it('is sent again a second time if the next connection dies too, without what has arrived', async () => {
    const { client, host, timers } = await lose([key('a'), text('b')], { inputSeq: 0 });
    assert.deepEqual(sentTo(host), ['+a', 'b', 'release']);
    host.last.close();
    timers.advance(0);
    host.last.welcome({ inputSeq: 1 });
    assert.deepEqual(sentTo(host), ['b', 'release']);
    host.last.close();
    timers.advance(0);
    host.last.welcome({ inputSeq: 4 });
    assert.deepEqual(sentTo(host), []);
    assert.equal(client.state, 'playing');
  });

  it('contains no moves, repeats and unfinished text, and one position of moving fingers', async () => {
    const events: InputWithoutSeq[] = [
      { type: 'move', ...at },
      { type: 'wheel', deltaX: 0, deltaY: 1, notched: true, ...at },
      key('a'),
      key('a', true, true),
      { type: 'composition', text: 'e', modifiers: 0 },
      ...[touch('start', 1), touch('move', 2), touch('move', 3), touch('end')],
    ];
    const { host } = await lose(events, { inputSeq: 0 });
    assert.deepEqual(sentTo(host), ['+a', 'start 1', 'move 3', 'end', 'release']);
  });

  it('is lost as a whole if it is too old or too much', async () => {
    const { client, host, timers } = await connectedClient();
    client.sendInput(key('a'));
    timers.advance(SILENCE_MS);
    timers.advance(2_001);
    host.last.welcome({ inputSeq: 0 });
    for (let count = 0; count < 201; count++) client.sendInput(text(String(count)));
    host.last.close();
    timers.advance(0);
    host.last.welcome({ inputSeq: 1 });
    assert.deepEqual(sentTo(host), []);
  });

  it('is lost up to a paste, whose content is lost', async () => {
    const paste = { type: 'paste', transfer: 1, code: 'KeyV', key: 'v', modifiers: 2 } as const;
    assert.deepEqual(sentTo((await lose([key('a'), paste, key('b')], { inputSeq: 1 })).host), []);
    assert.deepEqual(sentTo((await lose([key('a'), paste, key('b')], { inputSeq: 2 })).host), [
      '+b',
      'release',
    ]);
  });

  it('is lost if the application disconnects', async () => {
    const { client, host } = await connectedClient();
    client.sendInput(key('a'));
    client.disconnect();
    void client.connect();
    host.last.welcome({ inputSeq: 0 });
    assert.deepEqual(sentTo(host), []);
  });
});
