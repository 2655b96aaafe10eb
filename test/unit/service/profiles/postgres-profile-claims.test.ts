import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../../../../server/src/database/database.js';
import { DatabaseError, type DatabaseProblem } from '../../../../server/src/database/database-error.js';
import { PostgresProfileClaims } from '../../../../server/src/profiles/postgres-profile-claims.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { quiet } from '../../../fakes/service-parts.js';

/** Claims on a database that fails for the profile `a`. `asked`: the profiles of the statements, in order. */
function setUp(problem: DatabaseProblem) {
  const asked: unknown[] = [];
  const database: Pick<Database, 'rows' | 'watch'> = {
    rows: (_statement, values) => {
      asked.push(values?.[0]);
      if (values?.[0] === 'a') return Promise.reject(new DatabaseError(problem, 'The statement failed.'));
      return Promise.resolve([]);
    },
    watch: () => () => undefined,
  };
  const clock = new ManualClock();
  const claims = new PostgresProfileClaims({ database, node: 'aaaaaa', epoch: () => 1, clock, log: quiet });
  return { claims, asked, clock };
}

describe('the releases of profiles', () => {
  it('are all sent if the database refuses one of them, which is sent again later', async () => {
    const { claims, asked, clock } = setUp('refused');
    claims.release('a', 's1');
    claims.release('b', 's2');
    await turn();
    assert.ok(asked.includes('b'));
    asked.length = 0;
    clock.advance(5_000);
    await turn();
    assert.deepEqual(asked, ['a']);
  });

  it('stop at the first failure if the database cannot be reached', async () => {
    const { claims, asked } = setUp('unreachable');
    claims.release('a', 's1');
    claims.release('b', 's2');
    await turn();
    assert.ok(!asked.includes('b'));
  });
});
