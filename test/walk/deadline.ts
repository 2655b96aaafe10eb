/** The pause between two checks. */
const POLL_INTERVAL_MS = 25;

/** Means that an awaited event or condition did not come in time. */
export class DeadlineError extends Error {
  constructor(what: string, limitMs: number) {
    super(`Within ${limitMs} ms it did not happen that ${what}.`);
    this.name = 'DeadlineError';
  }
}

/**
 * Checks again and again until the answer is truthy, and returns it. Rejects with {@link DeadlineError} after
 * the limit.
 */
export async function until<T>(
  what: string,
  limitMs: number,
  look: () => T | Promise<T>,
): Promise<NonNullable<T>> {
  const end = performance.now() + limitMs;
  for (;;) {
    const seen = await within(what, Math.max(end - performance.now(), POLL_INTERVAL_MS), look());
    if (seen) return seen;
    if (performance.now() > end) throw new DeadlineError(what, limitMs);
    await pause(POLL_INTERVAL_MS);
  }
}

/** Settles as the promise does, or rejects with {@link DeadlineError} when that takes longer. */
export async function within<T>(what: string, limitMs: number, promise: T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(what, limitMs)), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Lets time pass, as a person does between two acts. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
