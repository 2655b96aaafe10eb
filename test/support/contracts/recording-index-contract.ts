import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RecordingIndex } from '../../../server/src/sessions/recordings/recording-ports.js';
import type { RecordingRecord } from '../../../server/src/sessions/recordings/recording-record.js';

/** Opens an index, and later another one on the same data, as the next process does. */
export interface IndexUnderTest {
  index: RecordingIndex;
  reopen: () => Promise<RecordingIndex>;
}

/** The `nth` recording, which started in the `nth` second. */
export function recordingRecord(nth: number, changes: Partial<RecordingRecord> = {}): RecordingRecord {
  return {
    id: `4f1d1c1a-0000-4000-8000-${String(nth).padStart(12, '0')}`,
    ...{ sessionId: 'session', tenantId: null, tag: null, users: [] },
    webhook: null,
    settings: { audio: true, fps: 5, events: true, maxSeconds: null, maxMb: null },
    ...{ state: 'ready', startedAt: new Date(Date.UTC(2030, 0, 1, 0, 0, nth)).toISOString() },
    ...{ endedAt: new Date(Date.UTC(2030, 0, 2, 0, 0, nth)).toISOString(), seconds: 10, bytes: 100 },
    end: 'stopped',
    ...changes,
  };
}

/** Contract of every index of recordings. */
export function recordingIndexContract(name: string, open: () => Promise<IndexUnderTest>): void {
  describe(`an index of recordings (${name})`, () => {
    it('keeps entries over a restart', async () => {
      const { index, reopen } = await open();
      const record = recordingRecord(1, { tag: 'a \0 "tag"', tenantId: 'ü' });
      await index.save(record);
      const next = await reopen();
      assert.deepEqual(await next.get(record.id), record);
      assert.equal(await next.get('nothing'), undefined);
      assert.equal(await next.get(recordingRecord(2).id), undefined);
    });

    it('replaces and removes an entry', async () => {
      const { index } = await open();
      const record = recordingRecord(1, { state: 'recording', endedAt: null, bytes: 0, end: null });
      await index.save(record);
      assert.deepEqual(await index.unfinished(), [record]);
      const done = recordingRecord(1, { bytes: 250 });
      await index.save(done);
      assert.deepEqual(await index.unfinished(), []);
      assert.deepEqual(await index.get(done.id), done);
      assert.equal(await index.bytes(), 250);
      assert.equal(await index.bytes([done.id]), 0);
      await index.remove(done.id);
      await index.remove(done.id);
      assert.equal(await index.get(done.id), undefined);
      assert.equal(await index.bytes(), 0);
    });

    it('lists pages, newest first, with filters', async () => {
      const { index } = await open();
      const records = [1, 2, 3, 4].map((nth) =>
        recordingRecord(nth, {
          ...{ sessionId: `session ${nth}`, tag: `tag ${nth % 2}`, tenantId: nth > 2 ? 'one' : 'two' },
          users: nth < 3 ? ['ann', `user ${nth}`] : [],
          // Two have the same start.
          startedAt: recordingRecord(nth === 4 ? 3 : nth).startedAt,
        }),
      );
      for (const record of records) await index.save(record);
      const page = async (
        query: Parameters<RecordingIndex['page']>[0],
        after?: RecordingRecord,
        limit = 10,
      ) => (await index.page(query, after, limit)).map(({ id }) => Number(id.slice(-1)));
      assert.deepEqual(await page({}), [4, 3, 2, 1]);
      assert.deepEqual(await page({}, undefined, 2), [4, 3]);
      assert.deepEqual(await page({}, records[2]), [2, 1]);
      assert.deepEqual(await page({}, records[3], 1), [3]);
      assert.deepEqual(await page({ sessionId: 'session 2' }), [2]);
      assert.deepEqual(await page({ tag: 'tag 1' }), [3, 1]);
      assert.deepEqual(await page({ tenantId: 'two' }), [2, 1]);
      assert.deepEqual(await page({ user: 'ann' }), [2, 1]);
      assert.deepEqual(await page({ user: 'user 2' }), [2]);
      assert.deepEqual(await page({ user: 'us' }), []);
      assert.deepEqual(
        await page({ from: recordingRecord(2).startedAt, to: recordingRecord(2).startedAt }),
        [2],
      );
      assert.deepEqual(await page({ tenantId: 'another' }), []);
    });

    it('lists an entry at its new start', async () => {
      const { index } = await open();
      for (const nth of [1, 2, 3]) await index.save(recordingRecord(nth));
      // A recording of the last seconds gets an earlier start at its end.
      const moved = recordingRecord(3, { startedAt: new Date(Date.UTC(2029, 0, 1)).toISOString() });
      await index.save(moved);
      const idsOf = (records: readonly RecordingRecord[]) => records.map(({ id }) => Number(id.slice(-1)));
      assert.deepEqual(idsOf(await index.page({}, undefined, 10)), [2, 1, 3]);
      assert.deepEqual(idsOf(await index.page({}, recordingRecord(1), 10)), [3]);
      assert.deepEqual(idsOf(await index.page({ to: moved.startedAt }, undefined, 10)), [3]);
    });

    it('pages through, searches and removes a hundred recordings of an hour', async () => {
      const { index } = await open();
      const HOUR_MS = 3_600_000;
      const records = Array.from({ length: 100 }, (_, nth) =>
        recordingRecord(nth, {
          ...{ sessionId: `session ${nth}`, tag: `tag ${nth % 10}`, users: [`user ${nth % 4}`] },
          startedAt: new Date(Date.UTC(2030, 0, 1) + nth * HOUR_MS).toISOString(),
          ...{ seconds: 3_600, bytes: 200 * 2 ** 20 },
        }),
      );
      for (const record of records) await index.save(record);
      const all = async (query: Parameters<RecordingIndex['page']>[0]) => {
        const found: RecordingRecord[] = [];
        for (;;) {
          const page = await index.page(query, found.at(-1), 30);
          found.push(...page);
          if (page.length < 30) return found;
        }
      };
      assert.deepEqual(await all({}), [...records].reverse());
      assert.equal((await all({ tag: 'tag 3' })).length, 10);
      assert.equal((await all({ tag: 'tag 3', user: 'user 1' })).length, 5);
      const [from, to] = [records[20]?.startedAt, records[59]?.startedAt];
      assert.equal((await all({ from, to })).length, 40);
      assert.equal(await index.bytes(), 100 * 200 * 2 ** 20);
      for (const { id } of records) await index.remove(id);
      assert.deepEqual([await all({}), await index.bytes()], [[], 0]);
    });

    it('returns old recordings that are complete, oldest first', async () => {
      const { index } = await open();
      for (const nth of [3, 1]) await index.save(recordingRecord(nth));
      await index.save(recordingRecord(2, { state: 'failed' }));
      await index.save(recordingRecord(0, { state: 'finalizing' }));
      await index.save(recordingRecord(4, { state: 'recording', endedAt: null, end: null }));
      const before = new Date(recordingRecord(3).endedAt ?? '');
      const ids = (await index.endedBefore(before, 10)).map(({ id }) => Number(id.slice(-1)));
      assert.deepEqual(ids, [1, 2]);
      assert.equal((await index.endedBefore(before, 1)).length, 1);
    });
  });
}
