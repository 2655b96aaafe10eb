import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  actOf,
  MAX_TEXT_CHARS,
} from '../../../../server/src/host/features/automation/commands/input-acts.js';

test('a press of a button that does not exist is not recorded', () => {
  for (const button of ['constructor', 'toString', '__proto__', 'other', undefined])
    assert.equal(actOf('Input.dispatchMouseEvent', { type: 'mousePressed', button, x: 1, y: 2 }), undefined);
});

test('a very long text is cut before it is recorded', () => {
  const text = 'x'.repeat(1_000_000);
  for (const [method, params] of [
    ['Input.insertText', { text }],
    ['Input.dispatchKeyEvent', { type: 'char', text }],
  ] as const) {
    const act = actOf(method, params);
    assert.ok(act?.type === 'text');
    assert.equal(act.text.length, MAX_TEXT_CHARS);
  }
});
