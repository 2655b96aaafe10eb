import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RecordWriter } from '../../../../server/src/sessions/records/record-writer.js';
import type { SessionRecord } from '../../../../server/src/sessions/records/session-record.js';
import { MemoryRegistry } from '../../../fakes/memory-registry.js';
import { quiet } from '../../../fakes/service-parts.js';
import { endAfter, recordOf } from '../../../support/contracts/registry-contract.js';

/** A registry that performs writes only after {@link release}, in the order of the calls. */
class HeldRegistry extends MemoryRegistry {
  release: () => void = () => undefined;
  #held = Promise.resolve();

  hold(): void {
    this.#held = new Promise((resolve) => (this.release = resolve));
  }

  override async save(record: SessionRecord, after?: Promise<void>): Promise<void> {
    if (!this.failure) await this.#held;
    await super.save(record, after);
  }
}

/** Returns a writer whose registry has refused the given number of records of running sessions. */
async function refused(count: number) {
  const registry = new HeldRegistry();
  const writer = new RecordWriter(registry, quiet);
  registry.failure = new Error('The database is away.');
  for (let nth = 0; nth < count; nth++) writer.write(recordOf(nth));
  await writer.settled();
  registry.failure = undefined;
  registry.hold();
  return { registry, writer };
}

describe('a failed write of a record', () => {
  it('is not repeated over the end of the session while that end is written', async () => {
    const { registry, writer } = await refused(1);
    const ended = recordOf(0, { ended: endAfter(5) });
    writer.write(ended);
    const retry = writer.retry();
    registry.release();
    await Promise.all([retry, writer.settled()]);
    assert.deepEqual(await registry.get(ended.id), ended);
    assert.equal(writer.hasUnsaved, false);
  });

  it('is not repeated over the end of the session that was written during other retries', async () => {
    const count = 60;
    const { registry, writer } = await refused(count);
    const retry = writer.retry();
    const ended = recordOf(count - 1, { ended: endAfter(5) });
    writer.write(ended);
    registry.release();
    await Promise.all([retry, writer.settled()]);
    assert.deepEqual(await registry.get(ended.id), ended);
    assert.equal(registry.records.size, count);
    assert.equal(writer.hasUnsaved, false);
  });

  it('is not repeated if the next write of the session succeeds', async () => {
    const registry = new HeldRegistry();
    const writer = new RecordWriter(registry, quiet);
    registry.failure = new Error('The database is away.');
    writer.write(recordOf(0));
    registry.failure = undefined;
    const ended = recordOf(0, { ended: endAfter(5) });
    writer.write(ended);
    await writer.settled();
    assert.equal(writer.hasUnsaved, false);
    await writer.retry();
    assert.deepEqual(await registry.get(ended.id), ended);
  });

  it('is repeated with the newest record of the session', async () => {
    const { registry, writer } = await refused(1);
    const ended = recordOf(0, { ended: endAfter(5) });
    registry.failure = new Error('The database is away again.');
    writer.write(ended);
    await writer.settled();
    registry.failure = undefined;
    registry.release();
    await writer.retry();
    assert.deepEqual(await registry.get(ended.id), ended);
    assert.equal(writer.hasUnsaved, false);
  });
});
