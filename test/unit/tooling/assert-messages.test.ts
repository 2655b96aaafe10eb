import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import '../../../scripts/lib/assert-messages.mjs';

describe('a failed assert.ok', () => {
  it('names the value, and does not search for its expression', () => {
    const failed = { message: 'The value is not truthy: 0', generatedMessage: false };
    assert.throws(() => assert.ok(0), failed);
  });

  it('keeps its own message', () => {
    assert.throws(() => assert.ok(false, 'It is late.'), { message: 'It is late.' });
  });
});
