import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Modifier } from 'cloud-browser/protocol';
import { batchOf, actionOf } from '../../../../server/src/host/features/computer/computer-actions.js';
import {
  fieldsOf,
  screenshotOf,
  targetOf,
  pathOf,
  distanceOf,
} from '../../../../server/src/host/features/computer/computer-arguments.js';
import { strokeOf, strokeOfCharacter } from '../../../../server/src/host/features/computer/key-names.js';

const refuses = (call: () => unknown, about: RegExp) =>
  assert.throws(call, (error: Error & { code?: string }) => {
    assert.equal(error.code, 'err_invalid_parameter');
    assert.match(error.message, about);
    return true;
  });

describe('names of keys', () => {
  it('are those of KeyboardEvent.key, in any case, with usual other names', () => {
    assert.deepEqual(strokeOf('Enter'), { code: 'Enter', key: 'Enter', modifiers: 0 });
    assert.deepEqual(strokeOf('esc'), { code: 'Escape', key: 'Escape', modifiers: 0 });
    assert.deepEqual(strokeOf('f5'), { code: 'F5', key: 'F5', modifiers: 0 });
    assert.deepEqual(strokeOf('a'), { code: 'KeyA', key: 'a', modifiers: 0 });
    assert.deepEqual(strokeOf('space'), { code: 'Space', key: ' ', modifiers: 0 });
    assert.deepEqual(strokeOf('ctrl+minus'), { code: 'Minus', key: '-', modifiers: Modifier.control });
  });

  it('include those that models know from xdotool', () => {
    for (const [name, key] of [
      ['KP_Enter', 'Enter'],
      ['Prior', 'PageUp'],
      ['Next', 'PageDown'],
      ['Super_L', 'Meta'],
      ['Control_L', 'Control'],
      ['plus', '+'],
      ['period', '.'],
      ['slash', '/'],
    ] as const)
      assert.equal(strokeOf(name)?.key, key, name);
    assert.deepEqual(strokeOf('super+a'), { code: 'KeyA', key: 'a', modifiers: Modifier.meta });
  });

  it('form shortcuts, in which a capital letter means the key without Shift', () => {
    const control = { code: 'KeyA', key: 'a', modifiers: Modifier.control };
    assert.deepEqual(strokeOf('Control+A'), control);
    assert.deepEqual(strokeOf('ctrl+a'), control);
    assert.deepEqual(strokeOf('Control+Shift+t'), {
      ...{ code: 'KeyT', key: 't' },
      modifiers: Modifier.control | Modifier.shift,
    });
    assert.deepEqual(strokeOf('Control++'), {
      ...{ code: 'Equal', key: '+' },
      modifiers: Modifier.control | Modifier.shift,
    });
    assert.deepEqual(strokeOf('+'), { code: 'Equal', key: '+', modifiers: Modifier.shift });
  });

  it('are refused if they are unknown', () => {
    const inherited = ['constructor', 'toString', '__proto__', 'constructor+a', 'Control+__proto__'];
    for (const name of ['', 'Nothing', 'Hyper+a', 'Control+', ...inherited])
      assert.equal(strokeOf(name), undefined, name);
  });

  it('follow from characters, and a character without a key has no code', () => {
    assert.deepEqual(strokeOfCharacter('A'), { code: 'KeyA', key: 'A', modifiers: Modifier.shift });
    assert.deepEqual(strokeOfCharacter('!'), { code: 'Digit1', key: '!', modifiers: Modifier.shift });
    assert.deepEqual(strokeOfCharacter('\n'), { code: 'Enter', key: 'Enter', modifiers: 0 });
    assert.deepEqual(strokeOfCharacter('é'), { code: '', key: 'é', modifiers: 0 });
  });
});

describe('arguments of computer use', () => {
  it('of a screenshot have defaults', () => {
    assert.deepEqual(screenshotOf({}), {
      ...{ format: 'png', quality: 85, scale: 1, cursor: false, wait_for_stable: 0, timeout: 5_000 },
    });
  });

  it('of a screenshot are refused with the name of the wrong field', () => {
    refuses(() => screenshotOf({ format: 'gif' }), /^format must be one of png, jpeg, webp/);
    refuses(() => screenshotOf({ quality: 0 }), /^quality must be a number from 1 to 100/);
    refuses(() => screenshotOf({ quality: 50.5 }), /^quality must be a whole number/);
    refuses(() => screenshotOf({ scale: 2 }), /^scale must be/);
    refuses(() => screenshotOf({ scale: Number.NaN }), /^scale must be/);
    refuses(() => screenshotOf({ cursor: 'yes' }), /^cursor must be true or false/);
    refuses(() => screenshotOf({ region: { x: 0, y: 0, width: 0, height: 1 } }), /^region must be/);
    refuses(() => screenshotOf({ region: [1, 2, 3, 4] }), /must be an object/);
    refuses(() => screenshotOf({ wait_for_stable: 60_000 }), /^wait_for_stable must be/);
  });

  it('name a place or a node', () => {
    assert.deepEqual(targetOf({ x: 10.4, y: 20 }), { x: 10, y: 20 });
    assert.deepEqual(targetOf({ x: 10, y: 20, scale: 0.5 }), { x: 20, y: 40 });
    assert.deepEqual(targetOf({ ref: 'e12' }), { node: 12 });
    assert.deepEqual(targetOf({ ref: '', x: 10, y: 20 }), { x: 10, y: 20 });
    for (const none of [{}, { ref: '' }])
      refuses(() => targetOf(none), /^The target must be ref, or x and y/);
    refuses(() => targetOf({ x: 1 }), /^x and y must be/);
    refuses(() => targetOf({ x: -1, y: 0 }), /^x and y must be/);
    refuses(() => targetOf({ ref: '12' }), /^ref must be/);
    refuses(() => targetOf({ ref: 12 }), /^ref must be/);
  });

  for (const [type, fields] of [
    ['click', { ref: null, x: 1, y: 1, button: null, modifiers: null }],
    ['type', { text: 'a', ref: null, x: null, y: null }],
    ['screenshot', { format: null, region: null }],
    ['tabs', { action: null, id: null }],
    ['open', { url: 'https://example.com', new_tab: null, force: null }],
  ] as const)
    it(`count as not given if they are null: ${type}`, () => {
      assert.doesNotThrow(() => actionOf(type, fieldsOf([fields])));
      assert.doesNotThrow(() => batchOf({ actions: [{ ...fields, type }] }));
    });

  it('of a drag and a scroll are bounded', () => {
    assert.equal(
      pathOf({
        path: [
          { x: 0, y: 0 },
          { x: 5, y: 5 },
        ],
      }).length,
      2,
    );
    refuses(() => pathOf({ path: [{ x: 0, y: 0 }] }), /^path must be/);
    refuses(() => pathOf({ path: Array.from({ length: 101 }, () => ({ x: 0, y: 0 })) }), /^path must be/);
    refuses(() => distanceOf({}), /^delta_y must be/);
    refuses(() => distanceOf({ delta_y: 1e9 }), /^delta_y must be/);
  });

  it('of a batch are all checked before the first step, with the number of the wrong step', () => {
    const good = { type: 'click', x: 1, y: 1 };
    assert.equal(batchOf({ actions: [good, { type: 'type', text: 'a' }] }).steps.length, 2);
    refuses(
      () => batchOf({ actions: [good, { type: 'key', key: 'Nothing' }] }),
      /^actions\[1\]: key must be/,
    );
    refuses(
      () => batchOf({ actions: [good, { type: 'batch', actions: [] }] }),
      /^actions\[1\]: type must be/,
    );
    refuses(() => batchOf({ actions: [{ type: 'constructor' }] }), /^actions\[0\]: type must be/);
    refuses(() => batchOf({ actions: [] }), /^actions must be a list of 1 to 50/);
    refuses(() => batchOf({ actions: 'click' }), /^actions must be/);
    refuses(() => batchOf({ actions: Array.from({ length: 51 }, () => good) }), /^actions must be/);
    refuses(() => actionOf('type', { text: 'x'.repeat(10_001) }), /^text must be/);
    for (const place of [{}, { x: 1, y: 1 }])
      refuses(() => actionOf('set', { ...place, value: 'a' }), /^ref must be a reference/);
  });
});
