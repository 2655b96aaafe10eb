import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ServiceError } from '../../../../server/src/service-error.js';
import {
  SessionCreation,
  LAST_START_MS,
  MAX_FAILED_STARTS,
  type SessionCreationParts,
} from '../../../../server/src/sessions/creation/session-creation.js';
import {
  NO_OTHER_NODES,
  NotReachedError,
  type BeginRequest,
} from '../../../../server/src/sessions/placement/other-nodes.js';
import type { Placed } from '../../../../server/src/sessions/placement/placement.js';
import { REGIONS } from '../../../../server/src/create-fields/values/region.js';
import { FakeWebhookClient } from '../../../fakes/fake-webhooks.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { nobody } from '../../../fakes/service-parts.js';

const failed = () => new ServiceError('err_session_failed', 'its host failed.');

let clock: ManualClock;
/** Nodes that received a placement, and the skipped nodes each time. */
let asked: (readonly string[])[];
/** Answers of the nodes in turn. */
let answers: (() => Error)[];
/** Nodes that a placement offers. */
let nodes: number;
beforeEach(() => {
  clock = new ManualClock();
  asked = [];
  answers = [];
  nodes = 100;
});

function creation(more: Partial<SessionCreationParts> = {}): SessionCreation {
  return new SessionCreation({
    placement: {
      place: (_wanted, passedOver = []): Promise<Placed> => {
        asked.push([...passedOver]);
        if (asked.length > nodes) return Promise.reject(new NotReachedError());
        const code = `${asked.length}`.padStart(6, '0');
        const node = { code, url: `http://${code}`, publicUrl: `https://${code}` };
        return Promise.resolve({ kind: 'begin', id: code, node });
      },
      missing: () => Promise.resolve(),
      release: () => undefined,
    },
    otherNodes: {
      ...NO_OTHER_NODES,
      begin: (_node, order: BeginRequest) =>
        Promise.reject((answers.shift() ?? failed)()).catch((error: unknown) => {
          orders.push(order.id);
          throw error;
        }),
    },
    regions: () => REGIONS,
    webhooks: new FakeWebhookClient(),
    clock,
    start: () => Promise.reject(failed()),
    ...more,
  });
}

let orders: string[];
beforeEach(() => (orders = []));

describe('a create whose session does not start on its node', () => {
  it('is tried on a few nodes, once on each', async () => {
    await assert.rejects(creation().create({}, nobody), { code: 'err_session_failed', retryAfter: 5 });
    assert.equal(orders.length, MAX_FAILED_STARTS);
    assert.deepEqual(asked, [[], ['000001'], ['000001', '000002']]);
  });

  it('fails with the reason if no other node accepts it', async () => {
    nodes = 1;
    await assert.rejects(creation().create({}, nobody), { code: 'err_session_failed', retryAfter: 5 });
    assert.equal(orders.length, 1);
  });

  it('is not tried again when its time is up', async () => {
    answers = [
      () => {
        clock.advance(LAST_START_MS);
        return failed();
      },
    ];
    await assert.rejects(creation().create({}, nobody), { code: 'err_session_failed' });
    assert.equal(orders.length, 1);
  });

  it('is not tried elsewhere if its node may have started it', async () => {
    answers = [() => new ServiceError('err_node_unreachable', 2)];
    await assert.rejects(creation().create({}, nobody), { code: 'err_node_unreachable' });
    assert.equal(orders.length, 1);
  });

  it('is not tried elsewhere if the request is invalid', async () => {
    answers = [() => new ServiceError('err_profile_not_found', 'p')];
    await assert.rejects(creation().create({}, nobody), { code: 'err_profile_not_found' });
    assert.equal(orders.length, 1);
  });
});

describe('a create whose client has gone', () => {
  it('starts no session in the place that it gets, and releases the place', async () => {
    const leaving = new AbortController();
    const released: string[] = [];
    let begun = 0;
    const placement = {
      // The client leaves while the create waits for a place.
      place: (): Promise<Placed> => {
        leaving.abort();
        return Promise.resolve({ kind: 'begin', id: 'a', node: null });
      },
      missing: () => Promise.resolve(),
      release: (id: string) => void released.push(id),
    };
    const start = () => Promise.reject((begun++, failed()));
    const created = creation({ placement, start }).create({}, { ...nobody, leaving: leaving.signal });
    await assert.rejects(created, { code: 'err_unavailable' });
    assert.deepEqual([begun, released], [0, ['a']]);
  });
});
