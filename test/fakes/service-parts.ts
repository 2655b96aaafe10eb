import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { DerivedTokens } from '../../server/src/auth/tokens.js';
import { createLog } from '../../server/src/platform/log.js';
import {
  SingleMachinePlacement,
  type SingleMachineLimits,
} from '../../server/src/sessions/placement/single-machine-placement.js';
import { NO_OTHER_NODES } from '../../server/src/sessions/placement/other-nodes.js';
import { NodeHistory } from '../../server/src/operator/node-history.js';
import { REGIONS, type Region } from '../../server/src/create-fields/values/region.js';
import { ServiceError } from '../../server/src/service-error.js';
import { SessionMetrics } from '../../server/src/sessions/records/session-metrics.js';
import type { ProfileStore } from '../../server/src/sessions/ports.js';
import type { CreateContext } from '../../server/src/sessions/creation/create.js';
import type { SessionServiceParts } from '../../server/src/sessions/session-service.js';
import { FakeHostPool } from './fake-host-pool.js';
import { FakeEventQueue, FakeWebhookClient } from './fake-webhooks.js';
import { ManualClock } from './manual-clock.js';
import { MemoryRegistry } from './memory-registry.js';

/** A log that discards every line. */
export const quiet = createLog('silent', () => undefined);

/** A profile store that knows the profiles a test names, and records the calls about them. */
export class FakeProfileStore implements ProfileStore {
  readonly known = new Set<string>();
  readonly loads: string[] = [];
  readonly saves: string[] = [];
  /** Error of every save. */
  failure: Error | undefined;

  async load(id: string): Promise<void> {
    if (!this.known.has(id)) throw new ServiceError('err_profile_not_found', id);
    this.loads.push(id);
  }

  async save(id: string): Promise<void> {
    if (this.failure) throw this.failure;
    this.known.add(id);
    this.saves.push(id);
  }
}

/** A caller without credentials. */
export const nobody: CreateContext = { apiKey: 'test-key', extension: null };

/** All parts of a session service, made of fakes. */
export type FakeServiceParts = ReturnType<typeof fakeServiceParts>;

/** Parts of a service that a test chooses. */
type ChosenParts = Partial<SessionServiceParts & SingleMachineLimits>;

/** Parts for a `SessionService`. The given parts replace fakes. */
export function fakeServiceParts<Chosen extends ChosenParts>(chosen: Chosen = {} as Chosen) {
  const metrics = new Registry();
  const { maxSessions = 3, createsPerMinute = 1_000 } = chosen;
  const clock = new ManualClock();
  const run = randomUUID();
  const history = new NodeHistory({
    version: '1.2.3',
    run,
    clock: chosen.clock ?? clock,
    database: () => null,
  });
  const fakes = {
    pool: new FakeHostPool(),
    registry: new MemoryRegistry(),
    tokens: new DerivedTokens(Buffer.alloc(32, 7)),
    profiles: new FakeProfileStore(),
    webhooks: new FakeWebhookClient(),
    events: new FakeEventQueue(),
    metrics: new SessionMetrics(metrics, history),
    clock,
    log: quiet,
    run,
    placement: new SingleMachinePlacement({ maxSessions, createsPerMinute }, chosen.clock ?? clock),
    otherNodes: NO_OTHER_NODES,
    regions: (): readonly Region[] => REGIONS,
    recordDays: 90,
    drainSeconds: 60,
  };
  return { ...fakes, ...chosen, exposition: metrics, history };
}
