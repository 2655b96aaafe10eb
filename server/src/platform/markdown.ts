/**
 * Returns a document with a new text between the lines `<!-- name -->` and `<!-- /name -->`. Throws if the
 * document lacks one of them.
 */
export function withPart(document: string, name: string, text: string): string {
  const [before, rest] = splitAt(document, `<!-- ${name} -->`);
  const [, after] = splitAt(rest, `<!-- /${name} -->`);
  return [`${before}<!-- ${name} -->`, text, `<!-- /${name} -->${after}`].join('\n\n');
}

function splitAt(text: string, marker: string): [string, string] {
  const index = text.indexOf(marker);
  if (index < 0) throw new Error(`The document lacks the line ${marker}.`);
  return [text.slice(0, index), text.slice(index + marker.length)];
}

/**
 * Returns a Markdown table. Like the formatter, it pads all cells of a column to the same width. The first
 * row has the headings.
 */
export function markdownTable([headings = [], ...rows]: readonly (readonly string[])[]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const padded = all.map((row) => line(widths.map((width, column) => (row[column] ?? '').padEnd(width))));
  const [first = '', ...others] = padded;
  return [first, line(widths.map((width) => '-'.repeat(width))), ...others].join('\n');
}

/** Removes the Markdown of a text. Code with spaces gets quotation marks. */
export function plainText(markdown: string): string {
  return markdown.replace(/`([^`]+)`/g, (_, code: string) => (code.includes(' ') ? `"${code}"` : code));
}
