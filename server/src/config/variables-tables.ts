import { defaultTextOf, meaningOf } from './variable-texts.js';
import { VARIABLE_GROUPS } from './variables/index.js';
import type { Variables } from './variables/variable.js';

const START = '<!-- variables -->';
const END = '<!-- /variables -->';

/** Returns a document with new tables of the variables between its two markers. */
export function withVariablesTables(document: string): string {
  const [before, rest] = splitAt(document, START);
  const [, after] = splitAt(rest, END);
  const tables = VARIABLE_GROUPS.map(({ title, variables }) => `**${title}**\n\n${table(variables)}`);
  return [`${before}${START}`, ...tables, `${END}${after}`].join('\n\n');
}

function splitAt(text: string, marker: string): [string, string] {
  const index = text.indexOf(marker);
  if (index < 0) throw new Error(`The document lacks the line ${marker}.`);
  return [text.slice(0, index), text.slice(index + marker.length)];
}

function table(variables: Variables): string {
  const rows = Object.entries(variables).map(([name, variable]) => [
    `\`${name}\``,
    defaultTextOf(variable),
    [meaningOf(variable), variable.docs].filter(Boolean).join('. '),
  ]);
  return aligned([['Variable', 'Default', 'Meaning'], [], ...rows]);
}

/**
 * Writes rows as a Markdown table with columns of one width, as the formatter does. An empty row becomes the
 * line below the headings.
 */
function aligned(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    widths.map((width, column) => row[column]?.padEnd(width) ?? '-'.repeat(width)),
  );
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
