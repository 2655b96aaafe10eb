import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { exitWhenClosed } from '../../../../server/src/startup/exit-when-closed.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { quiet } from '../../../fakes/service-parts.js';
import { settle } from '../../../support/passing.js';

const LIMIT_MS = 120_000;

let clock: ManualClock;
let exited: number[];
beforeEach(() => {
  clock = new ManualClock();
  exited = [];
});

function close(closing: Promise<void>): void {
  const exit = (code: number) => void exited.push(code);
  exitWhenClosed(closing, { limit: LIMIT_MS, closed: 3, failed: 4, exit, clock, log: quiet });
}

describe('the process of a service that is being closed', () => {
  it('exits when the service is closed', async () => {
    close(Promise.resolve());
    await settle();
    assert.deepEqual(exited, [3]);
  });

  it('exits with another code if the service cannot be closed', async () => {
    close(Promise.reject(new Error('no')));
    await settle();
    assert.deepEqual(exited, [4]);
  });

  it('exits at its limit if the service never closes', () => {
    close(new Promise(() => undefined));
    clock.advance(LIMIT_MS - 1);
    assert.deepEqual(exited, []);
    clock.advance(1);
    assert.deepEqual(exited, [4]);
  });
});
