import { inspect } from 'node:util';

const PAUSE = 25;
/** Generous: a busy machine is slow, and a condition that holds is noticed at once. Milliseconds. */
const LIMIT = 30_000;

type Truthy<T> = Exclude<T, undefined | null | false | 0 | ''>;

/** Looks again and again until the answer is true, and returns it. Rejects with what was seen last. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  limit: number = LIMIT,
): Promise<Truthy<T>> {
  const end = performance.now() + limit;
  for (;;) {
    const seen = await look();
    if (seen) return seen as Truthy<T>;
    if (performance.now() > end) {
      throw new Error(
        `Within ${limit / 1000} s it did not happen that ${what}; last seen: ${inspect(seen)}.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
