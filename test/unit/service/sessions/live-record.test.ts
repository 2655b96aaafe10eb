import assert from 'node:assert/strict';
import { it } from 'node:test';
import { LiveRecord } from '../../../../server/src/sessions/records/live-record.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { recordOf } from '../../../support/contracts/registry-contract.js';

it('the record of a session has its duration in whole milliseconds', () => {
  const clock = new ManualClock();
  const record = new LiveRecord(recordOf(1), clock);
  clock.advance(44_886.008_291);
  record.end('ended', 'Over.');
  assert.equal(record.current.ended?.seconds, 44.886);
});
