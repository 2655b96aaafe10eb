import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  decodeInput,
  encodeInput,
  MAX_TEXT_BYTES,
  MAX_TOUCH_POINTS,
  ProtocolError,
} from '../../../src/protocol/index.js';
import { fromHex, inputFixtures, toHex } from './fixtures.js';

describe('input events on the wire', () => {
  for (const { name, hex, event } of inputFixtures) {
    it(`${name} is exactly these bytes in both directions`, () => {
      assert.equal(toHex(encodeInput(event)), hex);
      assert.deepEqual(decodeInput(fromHex(hex)), event);
    });

    it(`${name} is refused or read as a shorter event when it is cut, without a crash`, () => {
      const bytes = fromHex(hex);
      for (let length = 0; length < bytes.length; length++) {
        try {
          decodeInput(bytes.subarray(0, length));
        } catch (error) {
          assert.ok(error instanceof ProtocolError, `${length} bytes: ${String(error)}`);
        }
      }
    });
  }

  it('reads an event in the middle of a larger buffer', () => {
    const bytes = fromHex(`ffff${inputFixtures[0]?.hex ?? ''}ff`);
    assert.deepEqual(decodeInput(bytes.subarray(2, -1)), inputFixtures[0]?.event);
  });

  it('clamps positions to the range of the format', () => {
    const decoded = decodeInput(encodeInput({ type: 'move', seq: 1, modifiers: 0, x: -5, y: 1e9 }));
    assert.deepEqual(decoded, { type: 'move', seq: 1, modifiers: 0, x: 0, y: 65535 });
  });

  it('refuses to send events that a host would refuse', () => {
    const text = 'x'.repeat(MAX_TEXT_BYTES + 1);
    const points = Array.from({ length: MAX_TOUCH_POINTS + 1 }, (_, id) => ({ id, x: 0, y: 0 }));
    const base = { seq: 1, modifiers: 0 };
    assert.throws(() => encodeInput({ type: 'text', ...base, text }), RangeError);
    assert.throws(() => encodeInput({ type: 'touch', ...base, phase: 'start', points }), RangeError);
  });

  it('refuses unknown kinds, buttons, phases, counts and texts', () => {
    const header = (kind: string, detail: string, count = '00') => `${kind}${detail}00${count}00000001`;
    for (const hex of [
      header('00', '00'),
      header('0a', '00'),
      `${header('02', '05')}00000000`,
      header('07', '04'),
      header('07', '00', '11') + '00'.repeat(17 * 5),
      `${header('05', '00')}c328`,
      `${header('04', '00')}41${'61'.repeat(65)}00`,
    ]) {
      assert.throws(() => decodeInput(fromHex(hex)), ProtocolError, hex);
    }
  });
});
