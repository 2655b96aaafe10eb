/**
 * Calls the function with a signal that is aborted as soon as one of these signals is aborted. When the
 * function has settled, nothing stays in the signals. `AbortSignal.any` leaves an entry in each of them.
 */
export async function withFirstAbort<T>(
  signals: readonly AbortSignal[],
  call: (first: AbortSignal) => Promise<T>,
): Promise<T> {
  const [first, over] = [new AbortController(), new AbortController()];
  for (const signal of signals) {
    if (signal.aborted) first.abort(signal.reason);
    signal.addEventListener('abort', () => first.abort(signal.reason), { signal: over.signal });
  }
  try {
    return await call(first.signal);
  } finally {
    over.abort();
  }
}
