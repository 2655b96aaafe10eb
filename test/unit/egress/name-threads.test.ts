import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NameResolver, type Address } from '../../../server/src/egress/name-resolver.js';
import { NameThreads } from '../../../server/src/egress/name-threads.js';

const THREADS = 8;
const FOUND: Address[] = [{ address: '192.0.2.1', family: 4 }];

/**
 * A name server with this many threads, first come, first served. A name that begins with "never" occupies
 * its thread.
 */
function system() {
  let free = THREADS;
  const waiting: (() => void)[] = [];
  return async (name: string): Promise<Address[]> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    if (name.startsWith('never')) return new Promise(() => undefined);
    await new Promise(setImmediate);
    const next = waiting.shift();
    if (next) next();
    else free += 1;
    return FOUND;
  };
}

describe('DNS lookups of sessions', () => {
  it('succeed while another session has any number of lookups without an answer', async () => {
    const [resolve, threads] = [system(), new NameThreads(THREADS)];
    const hostile = [1, 2].map(() => new NameResolver({ resolve, threads, timeLimit: 200 }));
    const asked = Promise.allSettled(
      hostile.flatMap((resolver) =>
        Array.from({ length: 100 }, (_, number) => resolver.resolve(`never${number}.example`)),
      ),
    );
    const neighbour = new NameResolver({ resolve, threads });
    const names = Array.from({ length: 50 }, (_, number) => neighbour.resolve(`${number}.example`));
    for (const name of names) assert.deepEqual(await name, FOUND);
    for (const result of await asked) assert.equal(result.status, 'rejected');
    assert.deepEqual(await neighbour.resolve('then.example'), FOUND);
  });

  it('all succeed when one session starts more than it may have at once', async () => {
    const resolver = new NameResolver({ resolve: system(), threads: new NameThreads(THREADS) });
    const names = Array.from({ length: 200 }, (_, number) => resolver.resolve(`${number}.example`));
    assert.equal((await Promise.all(names)).length, 200);
  });

  it('are shared while they run, and for five seconds after the answer', async () => {
    let now = 0;
    const answers: (() => void)[] = [];
    const resolve = () => new Promise<Address[]>((found) => answers.push(() => found(FOUND)));
    const resolver = new NameResolver({ resolve, now: () => now });
    const first = resolver.resolve('slow.example');
    now = 6_000;
    const second = resolver.resolve('slow.example');
    await new Promise(setImmediate);
    assert.equal(answers.length, 1);
    answers[0]?.();
    assert.deepEqual([await first, await second], [FOUND, FOUND]);
    now = 10_999;
    assert.deepEqual(await resolver.resolve('slow.example'), FOUND);
    now = 11_000;
    const third = resolver.resolve('slow.example');
    await new Promise(setImmediate);
    assert.equal(answers.length, 2);
    answers[1]?.();
    assert.deepEqual(await third, FOUND);
  });
});
