import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { Modifier } from 'cloud-browser/protocol';
import type { BrowserSync } from '../../../../server/src/host/input/keyboard/browser-sync.js';
import { KEYCODE_OF } from '../../../../server/src/host/input/keyboard/key-codes.js';
import { KeyGuard } from '../../../../server/src/host/input/keyboard/key-guard.js';
import { Keyboard } from '../../../../server/src/host/input/keyboard/keyboard.js';
import type { Keymap } from '../../../../server/src/host/input/keyboard/keymap.js';
import type { PageKeys } from '../../../../server/src/host/input/keyboard/page-keys.js';
import { KIOSK_KEYS, withheldKeys } from '../../../../server/src/host/input/keyboard/kiosk-keys.js';
import { SharedModifiers } from '../../../../server/src/host/input/keyboard/shared-modifiers.js';

const UNKNOWN = 200;
const codeOf = (name: string): number => KEYCODE_OF.get(name) ?? UNKNOWN;
let display: string[];
let withheld: string[];
let guard: KeyGuard;
beforeEach(() => {
  display = [];
  withheld = [];
  const names = new Map([...KEYCODE_OF].map(([name, keycode]) => [keycode, name]));
  const sink = {
    key: (keycode: number, pressed: boolean) =>
      void display.push(`${pressed ? '+' : '-'}${names.get(keycode) ?? 'unknown'}`),
  };
  guard = new KeyGuard(sink, { shortcuts: KIOSK_KEYS, unknown: true }, (shortcut) => withheld.push(shortcut));
});

const down = (name: string) => guard.key(codeOf(name), true);
const up = (name: string) => guard.key(codeOf(name), false);

describe("the kiosk's key guard", () => {
  it('names existing keys', () => {
    for (const shortcut of KIOSK_KEYS) {
      const [code = '', ...modifiers] = shortcut.split('+').reverse();
      assert.ok(KEYCODE_OF.has(code), shortcut);
      for (const modifier of modifiers) assert.ok(KEYCODE_OF.has(`${modifier}Left`), shortcut);
    }
  });

  // Proves: a kiosk shows its page, whatever key or click
  it('keeps each shortcut from the display, with the modifiers of either side', () => {
    for (const shortcut of KIOSK_KEYS) {
      for (const side of ['Left', 'Right']) {
        display = [];
        const [code = '', ...modifiers] = shortcut.split('+').reverse();
        for (const modifier of modifiers) down(`${modifier}${side}`);
        down(code);
        assert.ok(!display.includes(`+${code}`), shortcut);
        for (const modifier of modifiers) up(`${modifier}${side}`);
      }
    }
    assert.deepEqual(new Set(withheld), new Set(KIOSK_KEYS));
  });

  // A user without the role could guess the content of a masked field with the browser's search.
  it('withholds the shortcuts of the search and of the menu in sessions that mask fields', () => {
    const [plain, masked] = [false, true].map((masks) => new Set(withheldKeys(false, masks)));
    const shortcuts = ['Control+KeyF', 'Control+KeyG', 'Control+Shift+KeyG', 'F3', 'Shift+F3'];
    for (const shortcut of [...shortcuts, 'F10', 'Alt+KeyE', 'Alt+KeyF'])
      assert.deepEqual([plain?.has(shortcut), masked?.has(shortcut)], [false, true], shortcut);
    for (const shortcut of masked ?? [])
      assert.ok(KEYCODE_OF.has(shortcut.split('+').at(-1) ?? ''), shortcut);
  });

  it('passes letters, editing keys and combinations that only resemble a shortcut', () => {
    for (const name of ['KeyN', 'Tab', 'Delete', 'Escape', 'F5']) {
      down(name);
      up(name);
    }
    down('ControlLeft');
    for (const name of ['KeyA', 'KeyC', 'KeyV', 'KeyX', 'KeyZ', 'KeyF', 'ArrowLeft']) down(name);
    assert.deepEqual(withheld, []);
    assert.equal(display.length, 18);
  });

  it('releases a repeating key before a modifier makes it a shortcut', () => {
    down('KeyN');
    down('ControlLeft');
    assert.deepEqual(display, ['+KeyN', '-KeyN', '+ControlLeft']);
  });

  it('blocks keys of unknown meaning while Control is down', () => {
    guard.key(UNKNOWN, true);
    guard.key(UNKNOWN, false);
    down('ControlLeft');
    guard.key(UNKNOWN, true);
    assert.deepEqual(display, ['+unknown', '-unknown', '+ControlLeft']);
  });
});

describe('a key that two users hold', () => {
  it('stays down until both have released it, if it is a modifier', () => {
    down('ShiftLeft');
    down('ShiftLeft');
    up('ShiftLeft');
    assert.deepEqual(display, ['+ShiftLeft']);
    up('ShiftLeft');
    assert.deepEqual(display, ['+ShiftLeft', '-ShiftLeft']);
  });

  it('is pressed again for the second user, and stays down until both have released it', () => {
    down('KeyA');
    down('KeyA');
    up('KeyA');
    assert.deepEqual(display, ['+KeyA', '-KeyA', '+KeyA']);
    up('KeyA');
    assert.deepEqual(display, ['+KeyA', '-KeyA', '+KeyA', '-KeyA']);
  });

  it('still makes a shortcut after the first user has released it', () => {
    down('ControlLeft');
    down('ControlLeft');
    up('ControlLeft');
    down('KeyN');
    assert.deepEqual(display, ['+ControlLeft']);
    assert.deepEqual(withheld, ['Control+KeyN']);
  });

  it('is released for both by a modifier that makes it a shortcut', () => {
    down('KeyN');
    down('KeyN');
    down('ControlLeft');
    up('ControlLeft');
    down('KeyN');
    up('KeyN');
    assert.deepEqual(display.slice(3), ['-KeyN', '+ControlLeft', '-ControlLeft', '+KeyN', '-KeyN']);
  });
});

it('a key whose press was withheld from one user is not released for another', async () => {
  const keymap = { exact: (code: string) => KEYCODE_OF.get(code) } as unknown as Keymap;
  const none: unknown = {};
  const shared = new SharedModifiers();
  // These keys need no page.
  const keyboard = () => new Keyboard(keymap, guard, none as PageKeys, none as BrowserSync, shared);
  const [one, other] = [keyboard(), keyboard()];
  const key = (code: string, pressed: boolean) =>
    ({ type: 'key', seq: 1, code, key: 'n', modifiers: 0, repeat: false, pressed }) as const;
  await one.handle(key('ControlLeft', true));
  await one.handle({ ...key('KeyN', true), modifiers: Modifier.control });
  await one.handle(key('ControlLeft', false));
  assert.deepEqual(withheld, ['Control+KeyN']);
  display = [];
  await other.handle(key('KeyN', true));
  await one.handle(key('KeyN', false));
  assert.deepEqual(display, ['+KeyN']);
  await other.handle(key('KeyN', false));
  assert.deepEqual(display, ['+KeyN', '-KeyN']);
});

it('a modifier on the right side is pressed alone', async () => {
  const none: unknown = {};
  const shared = new SharedModifiers();
  const keyboard = new Keyboard(none as Keymap, guard, none as PageKeys, none as BrowserSync, shared);
  const key = (code: string, pressed: boolean, modifiers: number) =>
    ({ type: 'key', seq: 1, code, key: 'n', modifiers, repeat: false, pressed }) as const;
  await keyboard.handle(key('ShiftRight', true, Modifier.shift));
  await keyboard.handle(key('ControlRight', true, Modifier.shift | Modifier.control));
  await keyboard.handle(key('ControlRight', false, Modifier.shift));
  await keyboard.handle(key('ShiftRight', false, 0));
  assert.deepEqual(display, ['+ShiftRight', '+ControlRight', '-ControlRight', '-ShiftRight']);
});

it('a modifier of a wheel that no key has pressed is held only while the wheel turns', async () => {
  const none: unknown = {};
  const shared = new SharedModifiers();
  const keyboard = new Keyboard(none as Keymap, guard, none as PageKeys, none as BrowserSync, shared);
  const turn = { type: 'wheel', seq: 1, x: 0, y: 0, deltaX: 0, deltaY: 120, notched: true } as const;
  const scroll = () => Promise.resolve(void display.push('wheel'));
  await keyboard.scroll({ ...turn, modifiers: Modifier.control }, scroll);
  assert.deepEqual(display, ['+ControlLeft', 'wheel', '-ControlLeft']);
  display = [];
  await keyboard.scroll({ ...turn, notched: false, modifiers: Modifier.control }, scroll);
  assert.deepEqual(display, ['wheel']);
  assert.equal(keyboard.holdsAnything, false);
  keyboard.matchModifiers(Modifier.shift);
  display = [];
  await keyboard.scroll({ ...turn, modifiers: Modifier.shift }, scroll);
  assert.deepEqual(display, ['wheel']);
  assert.equal(keyboard.holdsAnything, true);
});

it('a modifier that a user holds does not change the keys and clicks of other users', async () => {
  const keymap = { exact: (code: string) => KEYCODE_OF.get(code) } as unknown as Keymap;
  const none: unknown = {};
  const shared = new SharedModifiers();
  const keyboard = () => new Keyboard(keymap, guard, none as PageKeys, none as BrowserSync, shared);
  const [one, other] = [keyboard(), keyboard()];
  const key = (code: string, pressed: boolean, modifiers: number, repeat = false) =>
    ({ type: 'key', seq: 1, code, key: 'x', modifiers, repeat, pressed }) as const;
  const { shift } = Modifier;
  await one.handle(key('ShiftLeft', true, shift));
  await other.handle(key('KeyX', true, 0));
  assert.deepEqual(display, ['+ShiftLeft', '-ShiftLeft', '+KeyX']);
  display = [];
  await one.handle(key('KeyA', true, shift));
  assert.deepEqual(display, ['+ShiftLeft', '+KeyA']);
  display = [];
  await other.handle(key('KeyX', true, 0, true));
  assert.deepEqual(display, [], 'a repeated key interrupts nobody');
  other.matchModifiers(0);
  assert.deepEqual(display, ['-ShiftLeft'], 'a press of a button');
  display = [];
  await one.handle(key('KeyA', true, shift, true));
  await one.handle(key('ShiftLeft', false, 0));
  assert.deepEqual(display, ['+ShiftLeft', '-ShiftLeft']);
});

describe('the Caps Lock of users', () => {
  const levels: Record<string, [string, string]> = { KeyA: ['a', 'A'], Digit1: ['1', '!'] };
  const keymap = {
    exact: (code: string, keysym: number, shift: boolean) =>
      levels[code]?.[shift ? 1 : 0] === String.fromCodePoint(keysym) ? KEYCODE_OF.get(code) : undefined,
    find: () => KEYCODE_OF.get('KeyA'),
  } as unknown as Keymap;
  const none: unknown = {};
  const shared = new SharedModifiers();
  const keyboard = () => new Keyboard(keymap, guard, none as PageKeys, none as BrowserSync, shared);
  const key = (code: string, value: string, capsLock: boolean, modifiers = 0) =>
    ({ type: 'key', seq: 1, code, key: value, modifiers, repeat: false, capsLock }) as const;

  it('is that of the display while they press keys, and letters stay what they are', async () => {
    const [one, other] = [keyboard(), keyboard()];
    const tap = async (user: Keyboard, event: ReturnType<typeof key>) => {
      for (const pressed of [true, false]) await user.handle({ ...event, pressed });
    };
    await tap(one, key('KeyA', 'A', true));
    await tap(one, key('Digit1', '1', true));
    await tap(one, key('KeyA', 'a', true, Modifier.shift));
    one.matchModifiers(0);
    await tap(other, key('KeyA', 'a', false));
    assert.deepEqual(display, [
      ...['+CapsLock', '-CapsLock', '+KeyA', '-KeyA', '+Digit1', '-Digit1'],
      ...['+ShiftLeft', '+KeyA', '-KeyA', '-ShiftLeft'],
      ...['+CapsLock', '-CapsLock', '+KeyA', '-KeyA'],
    ]);
  });

  it('is off for a key whose letter it would change, also after a program has pressed it', async () => {
    const user = keyboard();
    for (const pressed of [true, false]) guard.key(KEYCODE_OF.get('CapsLock') ?? 0, pressed);
    display = [];
    await user.handle({ ...key('KeyQ', 'A', true, Modifier.control), pressed: true });
    assert.deepEqual(display.slice(0, 4), ['+ControlLeft', '+CapsLock', '-CapsLock', '+KeyA']);
  });
});
