import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actOf } from '../../../../server/src/host/features/automation/commands/input-acts.js';

test('a press of a button that does not exist is not recorded', () => {
  for (const button of ['constructor', 'toString', '__proto__', 'other', undefined])
    assert.equal(actOf('Input.dispatchMouseEvent', { type: 'mousePressed', button, x: 1, y: 2 }), undefined);
});
