import { EventEmitter, once } from 'node:events';
import { EgressRules, PUBLIC_ONLY } from '../../server/src/platform/network/egress-rules.js';
import { DurableEventQueue } from '../../server/src/webhooks/event-queue.js';
import type { EventStore, StoredEvent } from '../../server/src/webhooks/event-store.js';
import { GuardedClient } from '../../server/src/webhooks/guarded-client.js';
import { ManualClock } from './manual-clock.js';
import { createTestService, quiet, type TestService } from './test-service.js';

/**
 * A service on fakes that customers reach over the network, and that posts to their endpoints on this
 * machine.
 */
export interface OpenService {
  /** Its address, without a trailing slash; embed URLs point to it. */
  url: string;
  clock: ManualClock;
  pool: TestService['pool'];
  /**
   * Lets seconds pass. Resolves to the result of the next attempt to deliver an event, when the service has
   * handled it.
   */
  attemptAfter(seconds: number): Promise<string>;
  close(): Promise<void>;
}

/** Starts an {@link OpenService} on a free port. Its hosts show their page at once. */
export async function openService(): Promise<OpenService> {
  const clock = new ManualClock();
  const webhooks = new GuardedClient(EgressRules.parse(['127.0.0.1']) ?? PUBLIC_ONLY);
  const attempts = new EventEmitter();
  const onAttempt = (result: string): void => void attempts.emit('attempt', result);
  const parts = { client: webhooks, clock, log: quiet, onAttempt };
  const events = await DurableEventQueue.open({ ...parts, store: storeInMemory() });
  let url = '';
  const service = await createTestService({ publicUrl: () => url, instead: { clock, webhooks, events } });
  service.pool.showsAtOnce = true;
  url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    clock,
    pool: service.pool,
    async attemptAfter(seconds) {
      const attempt = once(attempts, 'attempt');
      clock.advance(seconds * 1_000);
      const [result] = (await attempt) as [string];
      // The queue sets the time of the next attempt in this turn.
      await new Promise((resolve) => setImmediate(resolve));
      return result;
    },
    async close() {
      events.close();
      await service.close();
    },
  };
}

function storeInMemory(): EventStore {
  const events = new Map<string, StoredEvent>();
  return {
    all: () => Promise.resolve([...events.values()]),
    add: (event) => Promise.resolve(void events.set(event.id, event)),
    remove: (id) => Promise.resolve(void events.delete(id)),
  };
}
