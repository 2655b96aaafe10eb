import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { InputDevices } from '../../../../server/src/host/input/input-devices.js';
import { FocusKeeper } from '../../../../server/src/host/room/agents/focus-keeper.js';

type Pages = InputDevices['pages'];

/** Objects that the page keeps for the host, with their groups. */
let objects: Map<string, string>;
let pages: Pages;
/** Number of times that a focus was restored. */
let restored: number;

beforeEach(() => {
  objects = new Map();
  restored = 0;
  const page = {
    send: (method: string, params: Record<string, string>) => {
      if (method === 'Page.createIsolatedWorld') return Promise.resolve({ executionContextId: 1 });
      const { objectGroup = '', objectId = `object-${objects.size}` } = params;
      if (method === 'Runtime.evaluate') {
        objects.set(objectId, objectGroup);
        return Promise.resolve({ result: { objectId } });
      }
      if (!objects.has(objectId)) return Promise.reject(new Error('Could not find object'));
      restored += 1;
      return Promise.resolve({ result: {} });
    },
    post: (_method: string, { objectGroup }: { objectGroup: string }) => {
      for (const [id, group] of objects) if (group === objectGroup) objects.delete(id);
    },
  };
  pages = { front: () => Promise.resolve(page), mainFrame: () => 'frame' } as unknown as Pages;
});

describe('the focus of an agent in a page', () => {
  it('is restored once, and the page keeps no object', async () => {
    const keeper = new FocusKeeper(() => pages);
    await keeper.keep();
    await keeper.restore();
    await keeper.restore();
    assert.deepEqual([restored, objects.size], [1, 0]);
  });

  it('is restored after that of another agent in the same page', async () => {
    const keepers = [new FocusKeeper(() => pages), new FocusKeeper(() => pages)];
    for (const keeper of keepers) await keeper.keep();
    for (const keeper of keepers) await keeper.restore();
    assert.deepEqual([restored, objects.size], [2, 0]);
  });

  it('is kept while another agent in the same page remembers the focus again', async () => {
    const [first, second] = [new FocusKeeper(() => pages), new FocusKeeper(() => pages)];
    await first.keep();
    await second.keep();
    await first.keep();
    await second.restore();
    assert.deepEqual([restored, objects.size], [1, 1]);
  });

  it('is forgotten when the agent leaves, also while the page is asked', async () => {
    const [first, second] = [new FocusKeeper(() => pages), new FocusKeeper(() => pages)];
    await first.keep();
    const keeping = second.keep();
    first.close();
    second.close();
    await keeping;
    await first.keep();
    assert.equal(objects.size, 0);
  });
});
