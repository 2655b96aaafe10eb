import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ConnectionState } from '../../../src/core/connection/connection-states.js';
import { Modifier, type InputWithoutSeq, type Welcome } from '../../../src/protocol/index.js';
import { KeptTyping } from '../../../src/viewer/controls/kept-typing.js';

let now: number;
let sent: string[];
let state: ConnectionState;
let welcome: Welcome | undefined;
let typing: KeptTyping;
const become = (next: ConnectionState): void => {
  state = next;
  typing.stateChanged();
};

beforeEach(() => {
  now = 0;
  sent = [];
  state = 'playing';
  welcome = undefined;
  const client = {
    get welcome() {
      return welcome;
    },
    get state() {
      return state;
    },
    sendInput: (event: InputWithoutSeq) => {
      if (state !== 'playing') return false;
      sent.push(nameOf(event));
      return true;
    },
    watchFocus: () => undefined,
  };
  typing = new KeptTyping(client, () => now);
});

const nameOf = (event: InputWithoutSeq): string => {
  if (event.type === 'key') return `${event.pressed ? '+' : '-'}${event.key}`;
  return event.type === 'text' ? event.text : event.type;
};
const key = (name: string, pressed = true, modifiers = 0, repeat = false): boolean =>
  typing.sendInput({ type: 'key', code: '', key: name, pressed, repeat, modifiers });
const at = { x: 1, y: 1, modifiers: 0 };

describe('what the user types while the client reconnects', () => {
  it('is sent in its order when the client is connected again, once', () => {
    become('reconnecting');
    assert.equal(key('a'), true);
    key('a', true, 0, true);
    key('a', false);
    typing.sendInput({ type: 'move', ...at });
    typing.sendInput({ type: 'composition', text: 'e', modifiers: 0 });
    typing.sendInput({ type: 'text', text: 'é', modifiers: 0 });
    key('Enter');
    typing.sendInput({ type: 'release', modifiers: 0 });
    assert.deepEqual(sent, []);
    now = 10_000;
    become('playing');
    assert.deepEqual(sent, ['+a', '-a', 'é', '+Enter', 'release']);
    become('reconnecting');
    become('playing');
    assert.equal(sent.length, 5);
  });

  it('is lost if the interruption is long, or if the client gives up', () => {
    become('reconnecting');
    key('a');
    now = 10_001;
    become('playing');
    become('reconnecting');
    key('b');
    become('failed');
    become('connecting');
    assert.equal(key('c'), false);
    become('playing');
    assert.deepEqual(sent, []);
  });

  it('is kept until a press or a shortcut, because the rest is meant for another place', () => {
    const elsewhere: (() => boolean)[] = [
      () => typing.sendInput({ type: 'button', button: 0, pressed: true, ...at }),
      () => typing.sendInput({ type: 'touch', phase: 'start', points: [], modifiers: 0 }),
      () => key('a', true, Modifier.control),
    ];
    for (const [index, act] of elsewhere.entries()) {
      become('reconnecting');
      key(String(index));
      assert.equal(act(), false);
      assert.equal(key('x'), false);
      become('playing');
    }
    assert.deepEqual(sent, ['+0', '+1', '+2']);
  });

  it('is lost if the host reports that the browser has changed', () => {
    const screen = { width: 1, height: 1, fps: 1, maxArea: 1 };
    const fields = { type: 'welcome', version: 1, userId: 'u', secret: 's', ...screen } as const;
    for (const inputSeq of [null, 7]) {
      become('reconnecting');
      key(String(inputSeq));
      welcome = { ...fields, inputSeq };
      become('playing');
    }
    assert.deepEqual(sent, ['+7']);
  });

  it('is lost if the user may not send input any more', () => {
    become('reconnecting');
    key('a');
    typing.forget();
    key('b');
    become('playing');
    assert.deepEqual(sent, []);
  });
});
