import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { RecordingRecord } from '../../../server/src/sessions/recordings/recording-record.js';
import { RecordingRetirement } from '../../../server/src/sessions/recordings/recording-retirement.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { quiet } from '../../fakes/service-parts.js';

const NOTHING_LEFT = {
  removedElsewhere: () => Promise.resolve<string[]>([]),
  forgetRemoved: () => Promise.resolve(),
};
const old = ['one', 'two'].map((id) => ({ id }) as RecordingRecord);
const PARTS = {
  ...{ clock: new ManualClock(), days: 1, log: quiet },
  ...{ files: { remove: () => Promise.resolve() }, isOwn: () => false },
};

it('an old recording is removed even if an older one cannot be removed', async () => {
  const tried: string[] = [];
  const retirement = new RecordingRetirement({
    ...PARTS,
    index: { ...NOTHING_LEFT, endedBefore: () => Promise.resolve(old) },
    remove: ({ id }) => {
      tried.push(id);
      return id === 'one' ? Promise.reject(new Error('read-only disk')) : Promise.resolve();
    },
  });
  await retirement.run();
  assert.deepEqual(tried, ['one', 'two']);
});

it('all old recordings are removed in one run, also behind many that cannot be removed', async () => {
  let left = Array.from({ length: 350 }, (_, nth) => ({ id: `${nth}` }) as RecordingRecord);
  const retirement = new RecordingRetirement({
    ...PARTS,
    index: { ...NOTHING_LEFT, endedBefore: (_, limit) => Promise.resolve(left.slice(0, limit)) },
    remove: ({ id }) => {
      if (Number(id) < 120) return Promise.reject(new Error('read-only disk'));
      left = left.filter((record) => record.id !== id);
      return Promise.resolve();
    },
  });
  await retirement.run();
  assert.equal(left.length, 120);
});

it('a run ends before the next recording when the service ends', async () => {
  const removed: string[] = [];
  const retirement = new RecordingRetirement({
    ...PARTS,
    index: { ...NOTHING_LEFT, endedBefore: () => Promise.resolve(old) },
    remove: ({ id }) => {
      removed.push(id);
      retirement.stop();
      return Promise.resolve();
    },
  });
  await retirement.run();
  assert.deepEqual(removed, ['one']);
});

it('files of recordings that another node removed are removed when this process no longer writes them', async () => {
  const left = new Set(['one', 'broken', 'own']);
  const own = new Set(['own']);
  const removed: string[] = [];
  const retirement = new RecordingRetirement({
    ...PARTS,
    index: {
      endedBefore: () => Promise.resolve([]),
      removedElsewhere: () => Promise.resolve([...left]),
      forgetRemoved: (id) => {
        left.delete(id);
        return Promise.resolve();
      },
    },
    files: {
      remove: (id) => {
        removed.push(id);
        return id === 'broken' ? Promise.reject(new Error('read-only disk')) : Promise.resolve();
      },
    },
    remove: () => Promise.resolve(),
    isOwn: (id) => own.has(id),
  });
  await retirement.run();
  assert.deepEqual(
    [removed, [...left]],
    [
      ['one', 'broken'],
      ['broken', 'own'],
    ],
  );
  own.clear();
  await retirement.run();
  assert.deepEqual([removed, [...left]], [['one', 'broken', 'broken', 'own'], ['broken']]);
});

it('recordings stay while the clock of the machine is far ahead for less than a day', async () => {
  const clock = new ManualClock();
  const oldest: string[] = [];
  const retirement = new RecordingRetirement({
    ...PARTS,
    clock,
    index: {
      ...NOTHING_LEFT,
      endedBefore: (date) => {
        oldest.push(date.toISOString());
        return Promise.resolve([]);
      },
    },
    remove: () => Promise.resolve(),
  });
  clock.set(1_000 * 86_400_000);
  await retirement.run();
  clock.set(-1_000 * 86_400_000);
  await retirement.run();
  assert.deepEqual(oldest, ['2029-12-31T00:00:00.000Z', '2029-12-31T00:00:00.000Z']);
});
