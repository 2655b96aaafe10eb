import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { portOf } from '../../server/src/platform/network/port.js';
import { FileRegistry } from '../../server/src/registry/file-registry.js';
import { DurableEventQueue } from '../../server/src/webhooks/event-queue.js';
import { FileEventStore } from '../../server/src/webhooks/event-store.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { createTestService, quiet } from '../fakes/test-service.js';
import { ChurnPool } from './churn-pool.js';
import type { Order, Told } from './fake-service-protocol.js';

/**
 * The service process of a soak, on hosts that run nothing: real HTTP, gateway, records and events on disk,
 * and a clock that its parent turns. Its one argument is its directory. It says where it listens, and takes
 * {@link Order}s.
 */
const SETTLE_LIMIT_MS = 10_000;
const SETTLE_INTERVAL_MS = 20;

const [, , directory = ''] = process.argv;
const clock = new ManualClock();
const pool = new ChurnPool();
const events = await DurableEventQueue.open({
  store: await FileEventStore.open(directory, quiet),
  client: { post: () => Promise.resolve({ status: 200, text: '{}' }) },
  clock,
  log: quiet,
  onAttempt: () => undefined,
});
const profiles = { load: () => Promise.resolve(), save: () => Promise.resolve() };
const registry = await FileRegistry.open(directory, quiet);
const service = await createTestService({
  maxSessions: 500,
  createsPerMinute: 100_000,
  instead: { clock, pool, registry, events, profiles, recordDays: 1 },
});
await service.sessions.recover();
await service.app.listen({ host: '127.0.0.1', port: 0 });

process.on('message', (order: Order) => {
  switch (order.type) {
    case 'advance':
      clock.advance(order.milliseconds);
      tell({ type: 'done' });
      break;
    case 'crash':
      pool.crash(order.sessionId);
      tell({ type: 'done' });
      break;
    case 'measure':
      void measure().then(tell);
      break;
    case 'close':
      events.close();
      void service.sessions
        .close()
        .then(() => service.close())
        .then(() => process.exit());
  }
});
// It must not outlive its parent, however that ends.
process.on('disconnect', () => process.exit());
tell({ type: 'listening', port: portOf(service.app.server.address()) });

function tell(told: Told): void {
  process.send?.(told);
}

/**
 * Waits until the records whose time is over are removed, no file is being written, and no connection is
 * there that a client keeps for later.
 */
async function settle(): Promise<void> {
  const end = performance.now() + SETTLE_LIMIT_MS;
  const { server } = service.app;
  const connections = promisify(server.getConnections.bind(server));
  while (performance.now() < end) {
    server.closeIdleConnections();
    const busy = process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
    if (!busy && (await endedRecords()) === 0 && (await connections()) === 0) return;
    await delay(SETTLE_INTERVAL_MS);
  }
}

/** Files of records, less those of sessions that run. */
async function endedRecords(): Promise<number> {
  const files = await readdir(join(directory, 'sessions'));
  return files.length - (await registry.unfinished()).length;
}

async function measure(): Promise<Told> {
  await settle();
  // Objects held by a promise or a finalizer are freed only some turns later.
  for (let round = 0; round < 3; round++) {
    await turn();
    globalThis.gc?.();
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const counts = {
    'hosts of sessions': pool.size,
    'timers of the service': clock.pending,
    'timers of the process': process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    descriptors: readdirSync('/proc/self/fd').length,
    'records of running sessions': (await registry.unfinished()).length,
    'records of ended sessions': await endedRecords(),
    'files of records': (await readdir(join(directory, 'sessions'))).length,
    'files of events': (await readdir(join(directory, 'events'))).length,
  };
  return { type: 'measured', rss, heapUsed, external, counts };
}
