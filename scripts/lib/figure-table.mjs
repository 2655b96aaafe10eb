/**
 * Returns the worst measured value of each measurement, with its limit. `limits` is the table of
 * test/support/limits.ts. `measured` is the output of `hold`.
 */
export function worstFigures(limits, measured) {
  return Object.entries(limits).map(([figure, { unit, ...limit }]) => {
    const values = measured.filter((each) => each.figure === figure).map(({ seen }) => seen);
    const worst = 'most' in limit ? Math.max(...values) : Math.min(...values);
    const [seen, kept] =
      values.length === 0
        ? [undefined, undefined]
        : [worst, 'most' in limit ? worst <= limit.most : worst >= limit.least];
    return { figure, unit, limit: limit.most ?? limit.least, upper: 'most' in limit, seen, kept };
  });
}

/** Returns the lines of a table with the columns figure, seen and limit. */
export function figureTable(figures) {
  const rows = figures.map(({ figure, unit, limit, upper, seen, kept }) => [
    kept === false ? `✗ ${figure}` : `  ${figure}`,
    seen === undefined ? 'not measured' : `${Number(seen.toFixed(1))} ${unit}`,
    `${upper ? 'at most' : 'at least'} ${limit}`,
  ]);
  const all = [['  figure', 'seen', 'limit'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column].length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}
