import assert from 'node:assert/strict';
import { it } from 'node:test';
import { lostAfter } from '../../../server/src/cluster/nodes/lateness.js';
import { LostNodes, MANY_LATE_MS, STEADY_MS } from '../../../server/src/cluster/nodes/lost-nodes.js';
import type { NodeRow } from '../../../server/src/cluster/nodes/node-store.js';
import { DatabaseError } from '../../../server/src/database/database-error.js';
import { createLog } from '../../../server/src/platform/log.js';
import type { SessionRecord } from '../../../server/src/sessions/records/session-record.js';
import { DEFAULT_SETTINGS } from '../../../server/src/sessions/settings/default-settings.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryNodes } from '../../fakes/memory-nodes.js';
import { quiet } from '../../fakes/service-parts.js';
import { joining, offer } from '../../support/cluster-contract.js';
import { settle } from '../../support/passing.js';

const INTERVAL_MS = 2_000;

/** Returns the row of a node whose lease has expired. */
function deadNode(code: string): NodeRow {
  return {
    ...{ ...offer(), code, epoch: 1, name: code, state: 'alive', interval: INTERVAL_MS },
    ...{ age: lostAfter(INTERVAL_MS) + 1, usedSessions: 0, usedCost: 0, unsettled: null },
  };
}

it('nodes that die at once are lost even if the records of the first cannot be written', async () => {
  const clock = new ManualClock();
  const steps: string[] = [];
  const seen = { date: clock.date() };
  const lostNodes = new LostNodes({
    store: {
      declareLost: async ({ code }) => {
        steps.push(`lost ${code}`);
        return seen;
      },
      settled: async ({ code }) => void steps.push(`settled ${code}`),
    },
    lease: { incarnation: { code: 'aaaaaa', epoch: 1 }, connectedFor: STEADY_MS },
    records: {
      unfinishedOf: (code) =>
        code === 'bbbbbb' ? Promise.reject(new Error('The node has returned.')) : Promise.resolve([]),
      saveFor: () => Promise.resolve(true),
    },
    clock,
    log: quiet,
  });
  const rows = ['bbbbbb', 'cccccc', 'dddddd'].map(deadNode);
  lostNodes.onNodesRead(rows);
  await settle();
  assert.deepEqual(steps, [], 'many nodes are late');
  clock.advance(MANY_LATE_MS);
  lostNodes.onNodesRead(rows);
  await settle();
  await lostNodes.close();
  assert.deepEqual(steps, ['lost bbbbbb', 'lost cccccc', 'lost dddddd', 'settled cccccc', 'settled dddddd']);
});

it('the sessions of a killed process end if the next process of the node joins and leaves at once', async () => {
  const clock = new ManualClock();
  const nodes = new MemoryNodes(clock);
  const asked: string[] = [];
  const lostNodes = new LostNodes({
    store: nodes,
    lease: { incarnation: { code: 'aaaaaa', epoch: 1 }, connectedFor: STEADY_MS },
    records: {
      unfinishedOf: async (code) => {
        asked.push(code);
        return [];
      },
      saveFor: () => Promise.resolve(true),
    },
    clock,
    log: quiet,
  });
  await nodes.join(joining('b', 'bbbbbb'), offer(), INTERVAL_MS);
  const next = await nodes.join(joining('b', 'bbbbbb'), offer(), INTERVAL_MS);
  assert.ok(next?.unsettled);
  await nodes.leave(next);
  lostNodes.onNodesRead(await nodes.list());
  await settle();
  assert.deepEqual(asked, [], 'another process of the node may start soon');
  clock.advance(STEADY_MS);
  lostNodes.onNodesRead(await nodes.list());
  await settle();
  await lostNodes.close();
  assert.deepEqual(asked, ['bbbbbb']);
  assert.equal((await nodes.find('bbbbbb'))?.unsettled, null);
});

it('the log says if the node of the ended sessions was lost or has left', async () => {
  const clock = new ManualClock();
  const seen = { date: clock.date() };
  const messages: string[] = [];
  const log = createLog('warn', (line) => messages.push((JSON.parse(line) as { message: string }).message));
  const createdAt = seen.date.toISOString();
  const record: SessionRecord = { id: 'x', generation: 1, settings: DEFAULT_SETTINGS, createdAt };
  const lostNodes = new LostNodes({
    store: { declareLost: () => Promise.resolve(undefined), settled: () => Promise.resolve() },
    lease: { incarnation: { code: 'aaaaaa', epoch: 1 }, connectedFor: STEADY_MS },
    records: {
      unfinishedOf: (code) =>
        code === 'dddddd' ? Promise.reject(new Error('refused')) : Promise.resolve([record]),
      saveFor: () => Promise.resolve(true),
    },
    clock,
    log,
  });
  const states = { bbbbbb: 'lost', cccccc: 'left', dddddd: 'left' } as const;
  const rows = Object.entries(states).map(([code, state]) => ({ ...deadNode(code), state, unsettled: seen }));
  lostNodes.onNodesRead(rows);
  await settle();
  clock.advance(STEADY_MS);
  lostNodes.onNodesRead(rows);
  await settle();
  await lostNodes.close();
  assert.deepEqual(messages, [
    'ended the sessions of a lost node',
    'ended the sessions of a node that left',
    'could not end the sessions of a node that left',
  ]);
});

it('the sessions of a lost node end even if the database refuses the record of one of them', async () => {
  const clock = new ManualClock();
  const seen = { date: clock.date() };
  const createdAt = seen.date.toISOString();
  const refused = new Set(['one']);
  const saved: string[] = [];
  const reported: (string | undefined)[] = [];
  let settled = 0;
  const lostNodes = new LostNodes({
    store: {
      declareLost: () => Promise.resolve(undefined),
      settled: async () => void (settled += 1),
    },
    lease: { incarnation: { code: 'aaaaaa', epoch: 1 }, connectedFor: STEADY_MS },
    records: {
      unfinishedOf: () =>
        Promise.resolve(
          ['one', 'two', 'three']
            .filter((id) => !saved.includes(id))
            .map((id) => ({ id, generation: 1, settings: DEFAULT_SETTINGS, createdAt })),
        ),
      saveFor: async (_incarnation, { id }) => {
        if (refused.has(id)) throw new DatabaseError('refused', 'The database refused a statement.');
        saved.push(id);
        return true;
      },
    },
    onEnded: ({ id, ended }) => void reported.push(id, ended?.reason),
    clock,
    log: quiet,
  });
  const rows: NodeRow[] = [{ ...deadNode('bbbbbb'), state: 'lost', unsettled: seen }];
  const look = async () => {
    lostNodes.onNodesRead(rows);
    await settle();
  };
  await look();
  clock.advance(STEADY_MS);
  await look();
  assert.deepEqual([saved, settled], [['two', 'three'], 0]);
  refused.clear();
  await look();
  await lostNodes.close();
  assert.deepEqual([saved, settled], [['two', 'three', 'one'], 1]);
  // The audit log and the metrics get each end once, after it was saved.
  assert.deepEqual(reported, ['two', 'crashed', 'three', 'crashed', 'one', 'crashed']);
});

it('the end of a session is not reported again if another node has saved it first', async () => {
  const clock = new ManualClock();
  const seen = { date: clock.date() };
  const createdAt = seen.date.toISOString();
  const reported: string[] = [];
  const lostNodes = new LostNodes({
    store: { declareLost: () => Promise.resolve(seen), settled: () => Promise.resolve() },
    lease: { incarnation: { code: 'aaaaaa', epoch: 1 }, connectedFor: STEADY_MS },
    records: {
      unfinishedOf: () =>
        Promise.resolve(
          ['one', 'two'].map((id) => ({ id, generation: 1, settings: DEFAULT_SETTINGS, createdAt })),
        ),
      saveFor: (_incarnation, { id }) => Promise.resolve(id !== 'one'),
    },
    onEnded: ({ id }) => void reported.push(id),
    clock,
    log: quiet,
  });
  lostNodes.onNodesRead([deadNode('bbbbbb')]);
  await settle();
  await lostNodes.close();
  assert.deepEqual(reported, ['two']);
});

for (const settler of ['this node', 'another node'])
  it(`an end whose write timed out, but was stored, is reported when ${settler} finishes the work`, async () => {
    const clock = new ManualClock();
    const seen = { date: clock.date() };
    const createdAt = seen.date.toISOString();
    const running = new Set(['one', 'two']);
    const reported: string[] = [];
    let answers = false;
    const lostNodes = new LostNodes({
      store: { declareLost: () => Promise.resolve(undefined), settled: () => Promise.resolve() },
      lease: { incarnation: { code: 'aaaaaa', epoch: 1 }, connectedFor: STEADY_MS },
      records: {
        unfinishedOf: () =>
          Promise.resolve(
            [...running].map((id) => ({ id, generation: 1, settings: DEFAULT_SETTINGS, createdAt })),
          ),
        saveFor: (_life, { id }) => {
          running.delete(id);
          return answers ? Promise.resolve(true) : Promise.reject(new DatabaseError('unreachable', 'Late.'));
        },
      },
      onEnded: ({ id }) => reported.push(id),
      clock,
      log: quiet,
    });
    const row: NodeRow = { ...deadNode('bbbbbb'), state: 'lost', unsettled: seen };
    lostNodes.onNodesRead([row]);
    await settle();
    clock.advance(STEADY_MS);
    lostNodes.onNodesRead([row]);
    await settle();
    assert.deepEqual(reported, [], 'it is not known if the end is stored');
    answers = true;
    if (settler === 'another node') running.clear();
    lostNodes.onNodesRead([settler === 'another node' ? { ...row, unsettled: null } : row]);
    await settle();
    await lostNodes.close();
    assert.deepEqual(reported, settler === 'another node' ? ['one'] : ['one', 'two']);
  });
