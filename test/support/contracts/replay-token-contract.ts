import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReplayToken, ReplayTokenStore } from '../../../server/src/sessions/recordings/replay-tokens.js';

/** Opens a store of tokens for two recordings, and later another one on the same data. */
export interface TokenStoreUnderTest {
  store: ReplayTokenStore;
  reopen: () => Promise<ReplayTokenStore>;
  /** Ids of two recordings. */
  recordings: readonly [string, string];
}

const timeOf = (second: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, second));

/** The `nth` token. It was created in the `nth` second and expires in another one. */
function replayToken(nth: number, expires = 50): ReplayToken {
  return {
    ...{ id: `token-${nth}`, hash: `hash ${nth}` },
    ...{ createdAt: timeOf(nth).toISOString(), expires: timeOf(expires).toISOString() },
  };
}

/** Contract of every store of tokens that read a recording. */
export function replayTokenContract(name: string, open: () => Promise<TokenStoreUnderTest>): void {
  describe(`a store of tokens for recordings (${name})`, () => {
    it('keeps the tokens of each recording over a restart, oldest first', async () => {
      const { store, reopen, recordings } = await open();
      const [one, other] = recordings;
      for (const nth of [1, 2]) assert.ok(await store.add(one, replayToken(nth), timeOf(nth), 10));
      assert.ok(await store.add(other, replayToken(3), timeOf(3), 10));
      const next = await reopen();
      assert.deepEqual(await next.list(one), [replayToken(1), replayToken(2)]);
      assert.deepEqual(await next.list(other), [replayToken(3)]);
      assert.deepEqual(await next.list('nothing'), []);
    });

    it('removes one token or all of a recording', async () => {
      const { store, reopen, recordings } = await open();
      const [one, other] = recordings;
      for (const nth of [1, 2]) await store.add(one, replayToken(nth), timeOf(nth), 10);
      await store.add(other, replayToken(3), timeOf(3), 10);
      assert.equal(await store.remove(one, 'token-1'), true);
      assert.equal(await store.remove(one, 'token-1'), false);
      assert.equal(await store.remove(other, 'token-2'), false);
      assert.equal(await store.remove('nothing', 'token-2'), false);
      assert.deepEqual(await store.list(one), [replayToken(2)]);
      await store.removeAll(one);
      await store.removeAll('nothing');
      const next = await reopen();
      assert.deepEqual([await next.list(one), await next.list(other)], [[], [replayToken(3)]]);
    });

    it('has a limit for each recording, to which expired tokens do not count', async () => {
      const { store, recordings } = await open();
      const [one, other] = recordings;
      assert.ok(await store.add(one, replayToken(1, 10), timeOf(1), 2));
      assert.ok(await store.add(one, replayToken(2), timeOf(2), 2));
      assert.equal(await store.add(one, replayToken(3), timeOf(3), 2), false);
      assert.ok(await store.add(other, replayToken(3), timeOf(3), 2));
      assert.ok(await store.add(one, replayToken(4), timeOf(10), 2));
      assert.deepEqual(await store.list(one), [replayToken(2), replayToken(4)]);
    });

    it('keeps tokens that are added at the same time', async () => {
      const { store, reopen, recordings } = await open();
      const [one] = recordings;
      const all = [1, 2, 3, 4, 5].map((nth) => replayToken(nth));
      await Promise.all(all.map((token) => store.add(one, token, timeOf(5), 10)));
      const kept = new Set((await (await reopen()).list(one)).map(({ id }) => id));
      assert.deepEqual(kept, new Set(all.map(({ id }) => id)));
    });
  });
}
