import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { usageByMonth } from '../../../../server/src/sessions/records/usage.js';
import { UsageLedger } from '../../../../server/src/registry/usage-ledger.js';
import { FileRegistry } from '../../../../server/src/registry/file-registry.js';
import type { SessionRecord } from '../../../../server/src/sessions/records/session-record.js';
import { SessionService } from '../../../../server/src/sessions/session-service.js';
import { DEFAULT_SETTINGS } from '../../../../server/src/sessions/settings/default-settings.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { fakeServiceParts, nobody, quiet } from '../../../fakes/service-parts.js';

let directory: string;
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'cloud-browser-registry-'))));
afterEach(() => rm(directory, { recursive: true }));

const record: SessionRecord = {
  id: '4f1d1c1a-0000-4000-8000-000000000000',
  generation: 1,
  settings: DEFAULT_SETTINGS,
  createdAt: '2030-01-01T00:00:00.000Z',
};
const open = () => FileRegistry.open(directory, quiet);
/** A service that has started with the files. */
async function recovered(parts = {}): Promise<SessionService> {
  const sessions = new SessionService(fakeServiceParts({ registry: await open(), ...parts }));
  await sessions.recover();
  return sessions;
}

const ended = { at: '2030-01-01T01:00:00.000Z', reason: 'request', message: 'Done.' } as const;

describe('session records', () => {
  // Proves: records survive restarts and kills
  it('survive a restart in files that only their owner can read', async () => {
    const before = await open();
    await before.save(record);
    const after = await open();
    assert.deepEqual(await after.get(record.id), record);
    assert.deepEqual(await after.unfinished(), [record]);
    assert.equal(await after.get('other'), undefined);
    const { mode } = await stat(join(directory, 'sessions', `${record.id}.json`));
    assert.equal(mode & 0o777, 0o600);
  });

  it('are saved in the order of the calls', async () => {
    const registry = await open();
    const generations = Array.from({ length: 20 }, (_, index) => index + 1);
    await Promise.all(generations.map((generation) => registry.save({ ...record, generation })));
    const after = await open();
    assert.equal((await after.get(record.id))?.generation, 20);
    assert.equal((await readdir(join(directory, 'sessions'))).length, 1);
  });

  it('can be read next to unfinished and foreign files', async () => {
    const before = await open();
    await before.save(record);
    await writeFile(join(directory, 'sessions', 'x.json.abc.tmp'), '{"id":');
    await writeFile(join(directory, 'sessions', 'foreign.json'), 'null');
    const after = await open();
    assert.deepEqual(await after.get(record.id), record);
    const names = await readdir(join(directory, 'sessions'));
    assert.deepEqual(names.sort(), [`${record.id}.json`, 'foreign.json'].sort());
  });

  it('of sessions that a killed service left active are ended at the next start', async () => {
    const before = await open();
    await before.save(record);
    await before.save({ ...record, id: '4f1d1c1a-0000-4000-8000-000000000001', ended });
    const sessions = await recovered();
    const status = await sessions.find(record.id);
    assert.equal(status?.state, 'ended');
    assert.equal(status.record.ended?.reason, 'crashed');
    const other = await sessions.find('4f1d1c1a-0000-4000-8000-000000000001');
    assert.deepEqual(other?.record.ended, ended);
    assert.deepEqual(await (await open()).unfinished(), []);
    await sessions.close();
  });

  it('of sessions that a killed service left active are counted and audited as ended', async () => {
    const before = await open();
    await before.save(record);
    await before.markAlive({ date: new Date('2030-01-01T00:10:00.000Z') });
    const lines: unknown[] = [];
    const log = { ...quiet, info: (...line: unknown[]) => void lines.push(line) };
    const parts = fakeServiceParts({ registry: await open(), log });
    const sessions = new SessionService(parts);
    await sessions.recover();
    const metrics = await parts.exposition.metrics();
    assert.match(metrics, /^cloud_browser_sessions_ended_total{reason="crashed"} 1$/m);
    const detail = 'The service stopped while the session was running.';
    const line = { audit: 'ended', session: record.id, reason: 'crashed', detail, seconds: 600 };
    assert.deepEqual(lines, [['session ended', line]]);
    await sessions.close();
  });

  it('that cannot be ended at the next start do not prevent the start, and are ended later', async () => {
    const before = await open();
    const other = { ...record, id: '4f1d1c1a-0000-4000-8000-000000000001' };
    for (const one of [record, other]) await before.save(one);
    const registry = await open();
    const save = registry.save.bind(registry);
    let isBroken = true;
    registry.save = (one) =>
      isBroken && one.id === record.id
        ? Promise.reject(Object.assign(new Error('i/o error'), { code: 'EIO' }))
        : save(one);
    const clock = new ManualClock();
    const sessions = await recovered({ registry, clock });
    assert.deepEqual(await (await open()).unfinished(), [record]);
    assert.throws(() => sessions.requireReady());
    isBroken = false;
    clock.advance(60_000);
    await sessions.close();
    assert.deepEqual(await (await open()).unfinished(), []);
  });

  it('are on the disk before the response to the end of a session', async () => {
    const registry = await open();
    const sessions = new SessionService(fakeServiceParts({ registry }));
    const { record: begun } = await sessions.create({}, nobody);
    assert.equal((await (await open()).unfinished()).length, 1);
    await sessions.end(begun.id, 'request');
    assert.equal((await (await open()).unfinished()).length, 0);
  });
});

describe('the usage of sessions', () => {
  const usageOf = (seconds: number) => [{ date: '2030-01-01T00:00:00Z', seconds }];
  /** A registry with the record of one session, which has ended. */
  const withEnded = async () => {
    const registry = await open();
    await registry.save({ ...record, ended });
    return registry;
  };
  const later = (days: number) => new Date(Date.parse(record.createdAt) + days * 86_400_000);

  it('remains when their records are deleted, and is counted once', async () => {
    const registry = await withEnded();
    assert.equal(await registry.retire(later(1), 10), 1);
    assert.equal(await registry.retire(later(1), 10), 0);
    assert.equal(await registry.get(record.id), undefined);
    const after = await open();
    assert.deepEqual(usageByMonth(await after.usage(undefined)), usageOf(3600));
  });

  it('is counted once if the service is killed between counting and deletion', async () => {
    await withEnded();
    const ledger = await UsageLedger.open(join(directory, 'usage.json'));
    await ledger.count([{ ...record, ended }]);
    const after = await open();
    assert.equal(await after.get(record.id), undefined);
    assert.deepEqual(usageByMonth(await after.usage(undefined)), usageOf(3600));
  });

  it('is explained to the operator if its file is damaged', async () => {
    for (const damaged of ['', '{"usage":{}', '{}', 'null', '{"usage":{},"retiring":1}']) {
      await writeFile(join(directory, 'usage.json'), damaged);
      const told = { code: 'err_usage_ledger', message: /usage\.json is damaged\. Restore the file/ };
      await assert.rejects(open(), told);
    }
  });

  it('is counted once if it could not be written at first', async () => {
    const registry = await withEnded();
    const before = await registry.usage(undefined);
    await mkdir(join(directory, 'usage.json'));
    await assert.rejects(registry.retire(later(1), 10));
    await rmdir(join(directory, 'usage.json'));
    assert.deepEqual(await registry.usage(undefined), before);
    await registry.retire(later(1), 10);
    assert.deepEqual(await registry.usage(undefined), before);
  });

  it('is counted once in a copy of the files that was read before records were deleted', async () => {
    const registry = await withEnded();
    const copy = await mkdtemp(join(tmpdir(), 'cloud-browser-registry-'));
    await cp(join(directory, 'sessions'), join(copy, 'sessions'), { recursive: true });
    await registry.retire(later(1), 10);
    await cp(join(directory, 'usage.json'), join(copy, 'usage.json'));
    const restored = await FileRegistry.open(copy, quiet);
    assert.deepEqual(await restored.usage(undefined), await registry.usage(undefined));
    await rm(copy, { recursive: true });
  });

  it('ends with the last heartbeat of a service that was killed', async () => {
    const before = await open();
    await before.save(record);
    await before.markAlive({ date: new Date('2030-01-01T00:10:00.000Z') });
    const sessions = await recovered();
    assert.deepEqual(await sessions.usage(undefined), usageOf(600));
    await sessions.close();
  });

  for (const hours of [1, -1]) {
    const HOUR_MS = 3_600_000;
    /** Runs a session for seconds in which the clock is moved. */
    const moved = async (seconds: number) => {
      const registry = await open();
      const parts = fakeServiceParts({ registry });
      parts.clock.advance(2 * HOUR_MS);
      const sessions = new SessionService(parts);
      await sessions.recover();
      const { record: begun } = await sessions.create({}, nobody);
      parts.clock.advance(7_000);
      parts.clock.set(hours * HOUR_MS);
      parts.clock.advance((seconds - 7) * 1_000);
      return { registry, clock: parts.clock, sessions, begun };
    };

    // Proves: usage, when the machine's clock is set
    it(`is the elapsed time when the machine's clock is moved by ${hours} h`, async () => {
      const { registry, clock, sessions, begun } = await moved(14);
      const usage = usageOf(14);
      assert.deepEqual(await sessions.usage(undefined), usage);
      await sessions.end(begun.id, 'request');
      clock.advance(HOUR_MS);
      assert.deepEqual(await sessions.usage(undefined), usage);
      assert.equal(await registry.retire(later(10), 10), 1);
      assert.equal(await registry.get(begun.id), undefined);
      assert.deepEqual(await sessions.usage(undefined), usage);
      await sessions.close();
    });

    it(`does not exceed the time between the dates of the record, moved by ${hours} h`, async () => {
      const { registry, sessions, begun } = await moved(14);
      await sessions.end(begun.id, 'request');
      const { createdAt, ended } = (await registry.get(begun.id)) ?? begun;
      const between = Date.parse(ended?.at ?? '') - Date.parse(createdAt);
      assert.equal(between, 14_000 + Math.max(0, hours * HOUR_MS));
      await sessions.close();
    });

    it(`of a killed service is also correct when its clock is moved by ${hours} h`, async () => {
      const { registry, sessions: killed, begun } = await moved(30);
      await killed.close();
      // Its heartbeat is written, the end of the session is not.
      await registry.save(begun);
      const sessions = await recovered();
      assert.deepEqual(await sessions.usage(undefined), usageOf(30));
      await sessions.close();
    });
  }

  it('outlasts the records, which are deleted after their time', async () => {
    const registry = await withEnded();
    const parts = fakeServiceParts({ registry, recordDays: 30 });
    const sessions = new SessionService(parts);
    await sessions.recover();
    assert.ok(await registry.get(record.id));
    parts.clock.advance(later(31).getTime() - parts.clock.date().getTime());
    while (await registry.get(record.id)) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await sessions.usage(undefined), usageOf(3600));
    await sessions.close();
  });
});

describe('records of ended sessions', () => {
  it('stay while the clock of the machine is far ahead for less than a day', async () => {
    const HOUR_MS = 3_600_000;
    const registry = await FileRegistry.open(directory, quiet);
    await registry.save({ ...record, ended });
    const parts = fakeServiceParts({ registry, recordDays: 30 });
    const sessions = new SessionService(parts);
    await sessions.recover();
    const looks: Date[] = [];
    const retire = registry.retire.bind(registry);
    registry.retire = (endedBefore, limit) => {
      looks.push(endedBefore);
      return retire(endedBefore, limit);
    };
    parts.clock.set(1_000 * 24 * HOUR_MS);
    for (let hour = 1; hour <= 20; hour++) {
      parts.clock.advance(HOUR_MS);
      while (looks.length < hour) await new Promise((resolve) => setImmediate(resolve));
    }
    parts.clock.set(-1_000 * 24 * HOUR_MS);
    for (let hour = 21; hour <= 40; hour++) {
      parts.clock.advance(HOUR_MS);
      while (looks.length < hour) await new Promise((resolve) => setImmediate(resolve));
    }
    // A removal that has begun ends before the service is closed.
    await sessions.close();
    assert.ok(await registry.get(record.id));
  });
});
