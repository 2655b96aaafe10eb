/**
 * The long form has 30 moments: KILLED_SAVES=30 node --import tsx --test test/database/killed-saves.test.ts
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { WebhookReceiver } from '../fakes/webhook-receiver.js';
import { seeded } from '../support/seeded.js';
import { databaseFixture } from './support/fixture.js';
import { KilledSaves, type KilledSave } from './support/killed-saves.js';

const fixture = databaseFixture();
const MOMENTS = Number(process.env['KILLED_SAVES'] ?? 4);
const SEED = Number(process.env['KILLED_SAVES_SEED'] ?? 7);
let endpoint: WebhookReceiver;
let saves: KilledSaves;

const HEAD = 'moment | ms to kill | answered before | disk | refusals | seconds | got | event';
const rowOf = (number: number, { killedAfter, answered, disk, refusals, waited, got, event }: KilledSave) =>
  [number, killedAfter, answered, disk, refusals, waited, got, event].join(' | ');

describe('a node that is killed while it saves a profile', () => {
  before(async () => {
    endpoint = await WebhookReceiver.open();
    saves = await KilledSaves.start(await fixture.postgres.createDatabase(), endpoint);
  });
  after(async () => {
    await saves.stop();
    await endpoint.close();
  });

  it(`reports every loss, at ${MOMENTS} moments`, async (test) => {
    const random = seeded(SEED);
    const profile = await saves.first();
    const results: KilledSave[] = [];
    test.diagnostic(HEAD);
    // A save that finished before the kill is checked too, but does not count as a moment.
    for (let struck = 0; struck < MOMENTS && results.length < 3 * MOMENTS;) {
      const result = await saves.strike(profile, struck, random);
      results.push(result);
      test.diagnostic(rowOf(results.length, result));
      if (!result.answered) struck += 1;
    }
    assert.equal(results.filter(({ answered }) => !answered).length, MOMENTS);
    const silent = results.filter(({ got, event }) => got === 'neither' || (got === 'old' && !event));
    assert.deepEqual(silent, []);
    // A disk that returns still has the data.
    assert.deepEqual(
      results.filter(({ disk, got }) => disk === 'kept' && got !== 'new'),
      [],
    );
  });
});
