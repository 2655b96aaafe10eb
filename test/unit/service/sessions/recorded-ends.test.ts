import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { SessionService } from '../../../../server/src/sessions/session-service.js';
import type { WebhookEvent } from '../../../../server/src/sessions/ports.js';
import type { SessionRecord } from '../../../../server/src/sessions/records/session-record.js';
import { FakeEventQueue } from '../../../fakes/fake-webhooks.js';
import { MemoryRegistry } from '../../../fakes/memory-registry.js';
import { fakeServiceParts, nobody, type FakeServiceParts } from '../../../fakes/service-parts.js';

const webhook = { url: 'https://example.com/events', bearer: 'b' };

/** A queue that stores events only after {@link release}. */
class HeldEvents extends FakeEventQueue {
  release: () => void = () => undefined;
  readonly #held = new Promise<void>((resolve) => (this.release = resolve));

  override async add(event: WebhookEvent): Promise<void> {
    await this.#held;
    await super.add(event);
  }
}

/** A registry that knows which ends are stored. */
class WatchedRegistry extends MemoryRegistry {
  readonly ends: string[] = [];

  override async save(record: SessionRecord, after?: Promise<void>): Promise<void> {
    await super.save(record, after);
    if (record.ended) this.ends.push(record.ended.reason);
  }
}

let events: HeldEvents;
let registry: WatchedRegistry;
let parts: FakeServiceParts;
let sessions: SessionService;
beforeEach(() => {
  events = new HeldEvents();
  registry = new WatchedRegistry();
  parts = fakeServiceParts({ events, registry, drainSeconds: 0 });
  sessions = new SessionService(parts);
});

/** A session that shows its page. */
async function shown(timeout: { absolute?: number } = {}) {
  await sessions.create({ timeout: { webhook, ...timeout } }, nobody);
  const host = parts.pool.last;
  host.listener.onStarted({});
  return host;
}

/** Returns the types of the stored events. */
const types = () => events.events.map(({ body }) => (body as { type: string }).type);

describe('the end of a session', () => {
  it('is stored after its event, so a kill in between does not lose the event', async () => {
    const host = await shown();
    host.listener.onEnded('resource_limit', 'It used too much.');
    await turn();
    assert.deepEqual([types(), registry.ends], [[], []]);
    events.release();
    await turn();
    assert.deepEqual([types(), registry.ends], [['resource_limit'], ['resource_limit']]);
  });

  it('is stored after the event of its time limit', async () => {
    await shown({ absolute: 60 });
    parts.clock.advance(60_000);
    await turn();
    assert.deepEqual([types(), registry.ends], [[], []]);
    events.release();
    await turn();
    assert.deepEqual([types(), registry.ends], [['absolute'], ['absolute']]);
  });

  it('is stored after the event of the shutdown, and the shutdown waits for both', async () => {
    await shown();
    let closed = false;
    const closing = sessions.close().then(() => (closed = true));
    await turn();
    assert.deepEqual([types(), registry.ends, closed], [[], [], false]);
    events.release();
    await closing;
    assert.deepEqual([types(), registry.ends], [['shutdown'], ['ended']]);
  });

  it('is readable at once, also while its event is not stored yet', async () => {
    const { record } = await sessions.create({ timeout: { webhook } }, nobody);
    parts.pool.last.listener.onEnded('resource_limit', 'It used too much.');
    const status = await sessions.find(record.id);
    assert.equal(status?.record.ended?.reason, 'resource_limit');
    assert.deepEqual((await sessions.list(undefined)).results, []);
    events.release();
  });
});
