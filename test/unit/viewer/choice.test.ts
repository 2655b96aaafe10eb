import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock, type Mock } from 'node:test';
import { choice, loudness } from '../../../src/viewer/choice.js';

const FITS = ['contain', 'cover'] as const;

describe('an invalid value', () => {
  let warn: Mock<typeof console.warn>;
  const warnings = () => warn.mock.calls.map(({ arguments: [text] }) => String(text));
  // Set up for each test, because other files in the process restore mocks.
  beforeEach(() => {
    warn = mock.method(console, 'warn', () => undefined);
  });
  afterEach(() => warn.mock.restore());

  it('is replaced by the default, with one warning that lists the choices', () => {
    for (const value of ['wrong', 7, {}, NaN]) assert.equal(choice('fit', value, FITS, 'contain'), 'contain');
    assert.equal(warnings().length, 4);
    assert.equal(
      warnings()[0],
      'cloud-browser: fit is "wrong". Use "contain", "cover". It counts as contain.',
    );
  });

  it('causes no warning if it is null or undefined', () => {
    for (const value of [null, undefined]) {
      assert.equal(choice('fit', value, FITS, 'cover'), 'cover');
      assert.equal(loudness('volume', value), 1);
    }
    assert.equal(choice('fit', 'cover', FITS, 'contain'), 'cover');
    assert.deepEqual(warnings(), []);
  });

  it('becomes full volume for a volume, where numeric strings are valid', () => {
    for (const value of [NaN, 'loud', '', ' ', 7, -0.1, Infinity, true, [0.5]])
      assert.equal(loudness('volume', value), 1);
    assert.equal(warnings().length, 9);
    for (const value of [0, 0.5, 1, '0.25', '0']) assert.equal(loudness('volume', value), Number(value));
    assert.equal(warnings().length, 9);
  });
});
