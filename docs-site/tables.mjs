/**
 * The rows of all Markdown tables of a text whose first cell is one piece of code: that code, and the cells
 * behind it.
 */
export function codeRows(text) {
  const rows = text.matchAll(/^\| *`([^`|]+)` *\|(.+)\|$/gm);
  return [...rows].map(([, code, rest]) => ({
    code,
    cells: rest.split(/(?<!\\)\|/).map((cell) => cell.trim()),
  }));
}

/** A Markdown table; nothing without rows. */
export function table(headings, rows) {
  if (rows.length === 0) return '';
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Text of a description for Markdown, in which `{name}` and `<name>` mean themselves. */
export const plain = (text = '') =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('{', '&#123;').replaceAll('|', '\\|');
