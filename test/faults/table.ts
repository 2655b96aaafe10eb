import { listed, type Expected, type Outcome, type Result } from './fault.js';

/** The times are seconds: until a line of the log, until a notice, and until the session works again. */
const HEAD = ['fault', 'expected', 'seen', 'noticed', 'told', 'healed', 'neighbour', 'left', ''];

/** The table of all rows, and below it each difference in words. */
export function tableOf(results: readonly Result[]): string {
  const rows = [HEAD, ...results.map(cellsOf)];
  const widths = HEAD.map((_name, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const [head = '', ...body] = rows.map(line);
  const failures = results
    .filter(({ differences }) => differences.length > 0)
    .map(({ fault, differences }) => [fault.name, ...differences.map((each) => `  ${each}`)].join('\n'));
  const failed = failures.length;
  const end = `${results.length - failed} as expected, ${failed} not`;
  return [head, '─'.repeat(head.length + 2), ...body, '', ...failures, ...(failed > 0 ? [''] : []), end].join(
    '\n',
  );
}

function cellsOf({ fault, seen, differences }: Result): string[] {
  return [
    fault.name,
    describe(fault.expected),
    describe(seen),
    ...[seen.noticedAfter, seen.toldAfter, seen.after].map(secondsOf),
    seen.neighbour,
    seen.left.length === 0 ? 'nothing' : `${seen.left.length} things`,
    differences.length === 0 ? 'ok' : 'NOT SO',
  ];
}

function secondsOf(seconds: number | undefined): string {
  return seconds === undefined ? '–' : seconds.toFixed(1);
}

function describe({ session, told, facts, ...rest }: Outcome & Partial<Pick<Expected, 'within'>>): string {
  const limit = rest.within === undefined ? '' : ` in ${rest.within} s`;
  const more = facts.length === 0 ? '' : `; ${facts.length} facts`;
  return `${session}${limit}${told.length === 0 ? '' : `, told ${listed(told)}`}${more}`;
}
