import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { SentEvents, type SentEvent } from '../../../src/input/sent-events.js';
import { Modifier, type InputWithoutSeq } from '../../../src/protocol/index.js';

let sent: InputWithoutSeq[];
let events: SentEvents;
const make = (platform: 'mac' | 'other'): SentEvents =>
  new SentEvents(
    (event) => sent.push(event),
    () => ({ width: 800, height: 600 }),
    platform,
  );
beforeEach(() => {
  sent = [];
  events = make('other');
});

const keys = (): string[] =>
  sent.map((event) =>
    event.type === 'key'
      ? `${event.repeat ? '*' : event.pressed ? '+' : '-'}${event.key}/${event.modifiers}`
      : event.type,
  );

describe('a sent event', () => {
  it('has a position within the screen', () => {
    events.handle({ type: 'mousemove', x: 0.5, y: 0.25 });
    events.handle({ type: 'mousedown', x: 1, y: 1, button: 2 });
    events.handle({ type: 'mouseup', x: -1, y: 2 });
    assert.deepEqual(sent, [
      { type: 'move', x: 400, y: 150, modifiers: 0 },
      { type: 'button', button: 2, pressed: true, x: 799, y: 599, modifiers: 0 },
      { type: 'button', button: 0, pressed: false, x: 0, y: 599, modifiers: 0 },
    ]);
  });

  it('scrolls at the pointer', () => {
    events.handle({ type: 'mousemove', x: 0.1, y: 0.1 });
    events.handle({ type: 'wheel', deltaY: 90_000 });
    const wheel = { type: 'wheel', deltaX: 0, deltaY: 4095, notched: false, x: 80, y: 60, modifiers: 0 };
    assert.deepEqual(sent[1], wheel);
  });

  it('keeps track of pressed modifier keys', () => {
    events.handle({ type: 'keydown', key: 'Shift' });
    events.handle({ type: 'keydown', key: 'A' });
    events.handle({ type: 'keydown', key: 'A' });
    events.handle({ type: 'keyup', key: 'A' });
    events.handle({ type: 'keyup', key: 'Shift' });
    const { shift } = Modifier;
    assert.deepEqual(keys(), [`+Shift/${shift}`, `+A/${shift}`, `*A/${shift}`, `-A/${shift}`, '-Shift/0']);
  });

  it('includes a modifier that only its flag reports', () => {
    events.handle({ type: 'keydown', key: 'a', ctrlKey: true });
    assert.deepEqual(keys(), [`+a/${Modifier.control}`]);
  });

  it("maps a Mac's Command key to Control", () => {
    const mac = make('mac');
    mac.handle({ type: 'keydown', key: 'Meta', metaKey: true });
    mac.handle({ type: 'keydown', key: 'c', metaKey: true });
    assert.deepEqual(keys(), [`+Control/${Modifier.control}`, `+c/${Modifier.control}`]);
  });

  it('releases exactly the pressed keys on request', () => {
    events.handle({ type: 'keydown', key: 'a' });
    events.releaseKeys();
    events.handle({ type: 'keyup', key: 'a' });
    assert.deepEqual(keys(), ['+a/0', '-a/0']);
  });

  it('is ignored with invalid values or an unknown type', () => {
    const nonsense = [
      { type: 'mousemove', x: NaN, y: 0 },
      { type: 'mousedown', x: 0, y: 0, button: 7 },
      { type: 'keydown' },
      { type: 'keydown', key: '' },
      { type: 'click', x: 0, y: 0 },
      {},
    ];
    for (const event of nonsense) events.handle(event as SentEvent);
    assert.deepEqual(sent, []);
  });
});
