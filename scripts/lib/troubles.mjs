/**
 * What went wrong in a run, in few lines: the end of a log has to say what failed and what was flaky, since the end is what is kept.
 * A trouble is `{ kind: 'failed' | 'flaky', test, error }`; `test` begins with its file.
 */
import { stripVTControlCharacters } from 'node:util';

/** Characters of an error that a line of the list holds. */
const MOST_CHARACTERS = 300;

/** An error's first line. One that ends in a colon has what it announces behind it. */
export function firstLine(text) {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const end = lines.findIndex((line) => !line.endsWith(':'));
  const line = lines.slice(0, end < 0 ? 1 : end + 1).join(' ');
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line;
}

/** The list of what went wrong, with the group of each; nothing when all went well. */
export function troubleLines(troubles) {
  if (troubles.length === 0) return [];
  const lines = troubles.flatMap(({ kind, group, test, error }) => [
    `  ${kind === 'failed' ? '✗' : '~'} ${kind}, ${group}: ${test}`,
    ...(error === '' ? [] : [`      ${error}`]),
  ]);
  return ['', 'What went wrong', ...lines];
}
