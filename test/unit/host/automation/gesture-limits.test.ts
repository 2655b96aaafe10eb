import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { PassingTime } from '../../../fakes/passing-time.js';
import { RelayedProgram } from '../../../fakes/relayed-program.js';

let time: PassingTime;
beforeEach(() => (time = new PassingTime()));
afterEach(() => time.restore());

const at = { x: 1, y: 1 };
const SCROLL = 'Input.synthesizeScrollGesture';
const TAP = 'Input.synthesizeTapGesture';
const PINCH = 'Input.synthesizePinchGesture';

describe('a gesture of a program', () => {
  for (const [method, params] of [
    [SCROLL, { yDistance: -5_000_000 }],
    [SCROLL, { yDistance: -300, repeatCount: 100_000 }],
    [SCROLL, { yDistance: -300, speed: 1 }],
    [SCROLL, { yDistance: -300, speed: 0 }],
    [SCROLL, { repeatCount: 1, repeatDelayMs: 60_000 }],
    [TAP, { duration: 60_000 }],
    [TAP, { tapCount: 1_000_000 }],
    [TAP, { duration: 0, tapCount: 1_000_000 }],
    [PINCH, { scaleFactor: 2, relativeSpeed: 1 }],
    [PINCH, { scaleFactor: 1e9 }],
    [PINCH, { scaleFactor: 1e-9 }],
  ] as const)
    it(`is refused if it takes too long: ${method} with ${JSON.stringify(params)}`, async () => {
      const program = await RelayedProgram.withPage();
      assert.match(await program.refusal(method, { ...at, ...params }, 'A'), /the gesture takes too long/);
      assert.ok(!program.browser.methods.includes(method));
    });

  for (const [method, params] of [
    [SCROLL, { yDistance: -3_000 }],
    [SCROLL, { yDistance: -300, repeatCount: 3, speed: 8_000 }],
    [TAP, { tapCount: 2 }],
    [TAP, { duration: 1_000 }],
    [PINCH, { scaleFactor: 0.5 }],
  ] as const)
    it(`is performed if it is short: ${method} with ${JSON.stringify(params)}`, async () => {
      const program = await RelayedProgram.withPage();
      assert.equal(await program.refusal(method, { ...at, ...params }, 'A'), 'nothing');
    });
});
