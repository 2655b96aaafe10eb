/** The display answers within milliseconds; every user's input waits meanwhile. */
export const DISPLAY_TIMEOUT_MS = 250;

/** What comes in time; undefined when it does not, after `onLate` was called. */
export async function within<T>(
  timeoutMs: number,
  work: Promise<T>,
  onLate: () => void,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      onLate();
      resolve(undefined);
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
