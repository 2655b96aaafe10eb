/**
 * Summary of the failed and flaky tests of a run, for the end of the log, which is the part that is kept. A
 * trouble is `{ kind: 'failed' | 'flaky', test, error }`. `test` begins with its file.
 */
import { stripVTControlCharacters } from 'node:util';

/** Longest text of an error in the list, in characters. */
const MOST_CHARACTERS = 300;

/** Returns an error's first line. If that line ends with a colon, also returns the next line. */
export function firstLine(text) {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const end = lines.findIndex((line) => !line.endsWith(':'));
  const line = lines.slice(0, end < 0 ? 1 : end + 1).join(' ');
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line;
}

/** Returns the list of failed and flaky tests, with the group of each. Returns nothing if there are none. */
export function troubleLines(troubles) {
  if (troubles.length === 0) return [];
  const lines = troubles.flatMap(({ kind, group, test, error }) => [
    `  ${kind === 'failed' ? '✗' : '~'} ${kind}, ${group}: ${test}`,
    ...(error === '' ? [] : [`      ${error}`]),
  ]);
  return ['', 'What went wrong', ...lines];
}
