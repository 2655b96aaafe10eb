import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeCodeOf, reasonOfCloseCode, SERVER_REASONS } from '../../../src/protocol/index.js';

describe('close codes', () => {
  it('exist for every reason of a server, and map back to it', () => {
    for (const reason of SERVER_REASONS) {
      const code = closeCodeOf(reason);
      assert.ok(code >= 4000 && code <= 4999);
      assert.equal(reasonOfCloseCode(code), reason);
    }
  });

  it('map to no reason for a lost connection', () => {
    for (const code of [1000, 1001, 1005, 1006, 1011, 4999]) assert.equal(reasonOfCloseCode(code), undefined);
  });
});
