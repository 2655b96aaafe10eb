import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Registry } from '../../../server/src/sessions/ports.js';
import type { SessionRecord } from '../../../server/src/sessions/records/session-record.js';
import { DEFAULT_SETTINGS } from '../../../server/src/sessions/settings/default-settings.js';
import { usageByMonth } from '../../../server/src/sessions/records/usage.js';

/** The code of the node that {@link recordOf} uses. */
export const NODE = '4f1d1c';

/** Opens a registry, and later another one on the same data, as the next process does. */
export interface RegistryUnderTest {
  registry: Registry;
  reopen: () => Promise<Registry>;
}

/** The record of a session, the `nth` of its node. */
export function recordOf(nth: number, changes: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: `${NODE}1a-0000-4000-8000-${String(nth).padStart(12, '0')}`,
    generation: 1,
    settings: DEFAULT_SETTINGS,
    createdAt: '2030-01-01T00:00:00.000Z',
    ...changes,
  };
}

/** The end of a session that lasted so many seconds. */
export function endAfter(seconds: number, { createdAt } = recordOf(0)): NonNullable<SessionRecord['ended']> {
  const at = new Date(Date.parse(createdAt) + seconds * 1000).toISOString();
  return { at, seconds, reason: 'request', message: 'Done.' };
}

const ofTenant = (tenantId: string | null) => ({ ...DEFAULT_SETTINGS, tenantId });

/** Contract of every registry. */
export function registryContract(name: string, open: () => Promise<RegistryUnderTest>): void {
  describe(`a session registry (${name})`, () => {
    it('keeps records over a restart', async () => {
      const { registry, reopen } = await open();
      const record = recordOf(1, { begun: { run: 'run', at: 12.5 } });
      await registry.save(record);
      const after = await reopen();
      assert.deepEqual(await after.get(record.id), record);
      assert.deepEqual(await after.unfinished(), [record]);
      assert.equal(await after.get('other'), undefined);
      assert.equal(await after.get(recordOf(2).id), undefined);
    });

    it('stores any text', async () => {
      const { registry, reopen } = await open();
      const settings = { ...DEFAULT_SETTINGS, tag: '\0 \ud800 \u2028 "\\', tenantId: 'a\0b' };
      const record = recordOf(1, { settings, ended: endAfter(60) });
      await registry.save(record);
      const after = await reopen();
      assert.deepEqual(await after.get(record.id), record);
      assert.deepEqual(usageByMonth(await after.usage('a\0b')), [
        { date: '2030-01-01T00:00:00Z', seconds: 60 },
      ]);
    });

    it('saves in the order of the calls', async () => {
      const { registry, reopen } = await open();
      const saves: Promise<void>[] = [];
      for (let generation = 1; generation <= 20; generation++)
        saves.push(registry.save(recordOf(1, { generation })));
      await Promise.all(saves);
      assert.equal((await (await reopen()).get(recordOf(1).id))?.generation, 20);
    });

    it('lists running sessions in pages, oldest first', async () => {
      const { registry } = await open();
      const later = '2030-01-01T00:00:00.001Z';
      const all = [recordOf(1), recordOf(3), recordOf(7), recordOf(2, { createdAt: later })];
      for (const record of [all[3]!, all[0]!, all[2]!, all[1]!]) await registry.save(record);
      await registry.save(recordOf(4, { ended: endAfter(1) }));
      const ids = async (after: SessionRecord | undefined, limit: number) =>
        (await registry.running(after, limit)).map(({ id }) => id);
      assert.deepEqual(
        await ids(undefined, 10),
        all.map(({ id }) => id),
      );
      assert.deepEqual(await ids(undefined, 2), [all[0]!.id, all[1]!.id]);
      assert.deepEqual(await ids(all[1], 10), [all[2]!.id, all[3]!.id]);
      // A session that has ended meanwhile is still a valid cursor.
      assert.deepEqual(await ids(recordOf(4), 10), [all[2]!.id, all[3]!.id]);
      assert.deepEqual(await ids(all[3], 10), []);
    });

    it('sums the usage of ended sessions by month and tenant', async () => {
      const { registry, reopen } = await open();
      const createdAt = '2030-01-31T23:00:00.000Z';
      const turn = { createdAt, ended: endAfter(7_200.5, recordOf(0, { createdAt })) };
      await registry.save(recordOf(1, { settings: ofTenant('a'), ended: endAfter(0.25) }));
      await registry.save(recordOf(2, { settings: ofTenant('a'), ...turn }));
      await registry.save(recordOf(3, { settings: ofTenant(null), ended: endAfter(10) }));
      await registry.save(recordOf(4, { settings: ofTenant('b') }));
      for (const use of [registry, await reopen()]) {
        assert.deepEqual(
          new Map(await use.usage('a')),
          new Map([
            ['2030-01', 3_600.25],
            ['2030-02', 3_600.5],
          ]),
        );
        assert.deepEqual(new Map(await use.usage('')), new Map([['2030-01', 10]]));
        assert.deepEqual(new Map(await use.usage('b')), new Map());
        assert.deepEqual((await use.usage(undefined)).get('2030-01'), 3_610.25);
      }
    });

    it('counts a session once, however often it is saved', async () => {
      const { registry, reopen } = await open();
      await registry.save(recordOf(1));
      for (let time = 0; time < 3; time++) await registry.save(recordOf(1, { ended: endAfter(60) }));
      assert.equal((await registry.usage(undefined)).get('2030-01'), 60);
      await registry.save(recordOf(1, { ended: endAfter(50) }));
      assert.equal((await (await reopen()).usage(undefined)).get('2030-01'), 50);
    });

    it('deletes old records in batches, and keeps their usage', async () => {
      const { registry, reopen } = await open();
      for (let nth = 1; nth <= 5; nth++) await registry.save(recordOf(nth, { ended: endAfter(nth) }));
      await registry.save(recordOf(6));
      const limit = new Date('2030-01-01T00:00:04.500Z');
      assert.equal(await registry.retire(limit, 3), 3);
      assert.equal(await registry.retire(limit, 3), 1);
      assert.equal(await registry.retire(limit, 3), 0);
      for (const use of [registry, await reopen()]) {
        assert.equal(await use.get(recordOf(1).id), undefined);
        assert.equal((await use.get(recordOf(5).id))?.id, recordOf(5).id);
        assert.equal((await use.usage(undefined)).get('2030-01'), 15);
        assert.equal((await use.unfinished()).length, 1);
      }
    });

    it('returns a record at once, and stores it only after the given promise', async () => {
      const { registry, reopen } = await open();
      const running = recordOf(1);
      await registry.save(running);
      const ended = recordOf(1, { ended: endAfter(60) });
      let release = (): void => undefined;
      const saved = registry.save(ended, new Promise((resolve) => (release = resolve)));
      assert.deepEqual(await registry.get(ended.id), ended);
      assert.deepEqual(await registry.running(undefined, 10), []);
      const next = await reopen();
      // A registry in memory has no storage of its own.
      if (next !== registry) assert.deepEqual(await next.get(ended.id), running);
      release();
      await saved;
      assert.deepEqual(await (await reopen()).get(ended.id), ended);
    });

    it('stores heartbeats', async () => {
      const { registry } = await open();
      await registry.markAlive({ date: new Date(0), moment: { run: 'run', at: 1 } });
    });
  });
}
