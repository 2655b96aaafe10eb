import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeReasonOf } from '../../../../server/src/platform/close-reason.js';

describe('the reason of a close frame', () => {
  it('is the whole sentence if the frame has room for it', () => {
    assert.equal(
      closeReasonOf('The session has ended. Start a new one.'),
      'The session has ended. Start a new one.',
    );
  });

  it('is cut between whole characters', () => {
    const reason = closeReasonOf('😀'.repeat(40));
    assert.equal(reason, '😀'.repeat(30));
    assert.equal(closeReasonOf(`a${'😀'.repeat(40)}`), `a${'😀'.repeat(29)}`);
  });
});
