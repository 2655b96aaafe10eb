import type { AddressInfo } from 'node:net';
import {
  SingleMachinePlacement,
  type SingleMachineLimits,
} from '../../server/src/sessions/placement/single-machine-placement.js';
import type { NodeAddress } from '../../server/src/sessions/placement/placement.js';
import type { SessionServiceParts } from '../../server/src/sessions/session-service.js';
import { testPeers } from './test-peers.js';
import type { TestService } from './test-service.js';

const FRONT = 'aaaaaa';
const BACK = 'bbbbbb';
/**
 * Timeouts in milliseconds. They are short because `inject` keeps the timer of a response without a body, so
 * that the tests would end later.
 */
const TIMEOUTS = { connect: 2_000, answer: 5_000, call: 5_000 };

/** Options of the service that the front node needs. */
interface Options extends Partial<SingleMachineLimits> {
  instead?: Partial<SessionServiceParts>;
}

/**
 * Puts another node in front of a service. The front node runs no session: it receives all requests, and the
 * node behind it answers them. Tests inspect the parts of the node behind, such as its hosts.
 */
export async function behindFrontNode<Chosen extends Options>(
  create: (options: Chosen) => Promise<TestService>,
  options: Chosen,
): Promise<TestService> {
  let address: NodeAddress = { code: BACK, url: '', publicUrl: '' };
  const peersOf = (code: string) => {
    const find = () => Promise.resolve(code === FRONT ? { address, state: 'alive' as const } : undefined);
    return testPeers(code, find, { timeouts: TIMEOUTS });
  };
  const behind = peersOf(BACK);
  const before = peersOf(FRONT);
  const back = await create({ ...options, instead: { ...options.instead, otherNodes: behind } });
  await back.app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(back.app.server.address() as AddressInfo).port}`;
  address = { code: BACK, url, publicUrl: url };
  const { maxSessions = 3, createsPerMinute = 1_000 } = options;
  const places = new SingleMachinePlacement({ maxSessions, createsPerMinute }, back.clock);
  const front = await create({
    ...options,
    instead: {
      ...{ clock: back.clock, registry: back.registry, webhooks: back.webhooks },
      ...{ ...options.instead, otherNodes: before },
      placement: {
        place: async (wanted) => ({ ...(await places.place(wanted)), node: address }),
        release: (id) => places.release(id),
        missing: () => Promise.resolve(),
      },
    },
  });
  back.onReleased((id) => places.release(id));
  return {
    ...back,
    app: front.app,
    async close() {
      before.close();
      behind.close();
      await front.close();
      await back.close();
    },
  };
}
