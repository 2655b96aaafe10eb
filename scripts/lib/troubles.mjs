/**
 * Summary of the failed and flaky tests of a run, for the end of the log, which is the part that is kept. A
 * trouble is `{ kind: 'failed' | 'flaky', test, error }`. `test` begins with its file.
 */
import { stripVTControlCharacters } from 'node:util';

/** Longest text of an error in the list, in characters. */
const MOST_CHARACTERS = 300;
/** Largest number of lines below the first line of an error, and their longest text in characters. */
const MOST_DIFFERENCES = 8;
const MOST_OF_DIFFERENCE = 160;
/** A line of a comparison that differs, or a value of an expectation. */
const DIFFERENCE = /^([+-]\s|\s*(got|wanted)\s|\s*([Ee]xpected|[Rr]eceived|actual)[\w ]*: )/;
/** The line that explains the signs of a comparison. */
const LEGEND = /^[+-] (actual|Expected)\b.*[+-] (expected|Received)|^[+-] (Expected|Received)\s+[+-] \d+$/;

const cut = (line, most) => (line.length > most ? `${line.slice(0, most)}…` : line);

/** Returns an error's first line. If that line ends with a colon, also returns the next line. */
export function firstLine(text) {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const end = lines.findIndex((line) => !line.endsWith(':'));
  return cut(lines.slice(0, end < 0 ? 1 : end + 1).join(' '), MOST_CHARACTERS);
}

/** Returns an error's first line, and below it the first lines that show a difference. */
export function errorSummary(text) {
  const first = firstLine(text);
  const differences = stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => DIFFERENCE.test(line) && !LEGEND.test(line) && !first.endsWith(line.trim()))
    .map((line) => cut(line.trim(), MOST_OF_DIFFERENCE));
  const more = differences.length - MOST_DIFFERENCES;
  return [
    ...[first, ...differences.slice(0, MOST_DIFFERENCES)],
    ...(more > 0 ? [`… ${more} more lines differ`] : []),
  ].join('\n');
}

/** Returns the list of failed and flaky tests, with the group of each. Returns nothing if there are none. */
export function troubleLines(troubles) {
  if (troubles.length === 0) return [];
  const lines = troubles.flatMap(({ kind, group, test, error }) => [
    `  ${kind === 'failed' ? '✗' : '~'} ${kind}, ${group}: ${test}`,
    ...(error === '' ? [] : error.split('\n').map((line) => `      ${line}`)),
  ]);
  return ['', 'What went wrong', ...lines];
}
