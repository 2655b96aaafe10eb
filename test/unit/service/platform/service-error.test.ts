import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../server/src/service-error.js';

test('a temporary error says when to try again, and does not take another number for seconds', () => {
  assert.equal(new ServiceError('err_busy', 7).retryAfter, 7);
  const full = new ServiceError('err_recording_store', 2_000);
  assert.match(full.message, /2000 MB/);
  assert.equal(full.retryAfter, 60);
  assert.equal(new ServiceError('err_recordings_full', 2_000).retryAfter, undefined);
});
