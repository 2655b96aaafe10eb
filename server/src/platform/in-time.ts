/**
 * What comes of some work, or `late()` when that takes longer. The work goes on then.
 *
 * @param limit milliseconds
 */
export function inTime<Result, Late>(
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
