/**
 * Returns the rows of all Markdown tables of a text whose first cell is a single piece of code: this code,
 * and the other cells.
 */
export function codeRows(text) {
  const rows = text.matchAll(/^\| *`([^`|]+)` *\|(.+)\|$/gm);
  return [...rows].map(([, code, rest]) => ({
    code,
    cells: rest.split(/(?<!\\)\|/).map((cell) => cell.trim()),
  }));
}

/** Returns a Markdown table. Returns an empty text if there are no rows. */
export function table(headings, rows) {
  if (rows.length === 0) return '';
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Escapes a description for Markdown, so that `{name}` and `<name>` appear as text. */
export const plain = (text = '') =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('{', '&#123;').replaceAll('|', '\\|');
