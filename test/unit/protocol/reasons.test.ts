import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeCodeOf, reasonOfCloseCode, SERVER_REASONS } from '../../../src/protocol/index.js';

describe('close codes', () => {
  it('carry every reason that a server can give, there and back', () => {
    for (const reason of SERVER_REASONS) {
      const code = closeCodeOf(reason);
      assert.ok(code >= 4000 && code <= 4999);
      assert.equal(reasonOfCloseCode(code), reason);
    }
  });

  it('give no reason for a connection that was merely lost', () => {
    for (const code of [1000, 1001, 1005, 1006, 1011, 4999]) assert.equal(reasonOfCloseCode(code), undefined);
  });
});
