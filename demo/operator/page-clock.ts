/** Clock of the page. */
export const PAGE_CLOCK = {
  now: () => performance.now(),
  setTimeout(run: () => void, milliseconds: number): { cancel(): void } {
    const timer = setTimeout(run, milliseconds);
    return { cancel: () => clearTimeout(timer) };
  },
};
