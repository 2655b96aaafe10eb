/**
 * Returns the result of some work, or `late()` if it takes longer. Then the work continues.
 *
 * @param limit milliseconds
 */
export function withTimeout<Result, Late>(
  work: Promise<Result>,
  limit: number,
  late: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late()), limit);
  });
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}
