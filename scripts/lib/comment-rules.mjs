/** Rules for the form of comments: the widest line, and words that must not begin a doc comment. */

/** Columns of a comment's line. A line with a link or a table's row may be wider. */
export const WIDEST_COMMENT = 110;
/** First words of a doc comment that describes a thing by a clause. A verb or a noun is easier to read. */
const CLAUSE = /^(What|Who|Whose|Whom|How|Whether)\b/;
const MAY_BE_WIDE = /https?:\/\/|^\s*\*?\s*\|/;

/**
 * Returns the violations of one file's comments.
 * @returns `{ line, rule }` with the line's number from 1
 */
export function commentViolations(text) {
  const found = [];
  let block = false;
  let opened = false;
  for (const [index, line] of text.split('\n').entries()) {
    const report = (rule) => found.push({ line: index + 1, rule });
    const trimmed = line.trim();
    const starts = !block && trimmed.startsWith('/*');
    const isComment = block || starts || trimmed.startsWith('//');
    if (isComment && line.length > WIDEST_COMMENT && !MAY_BE_WIDE.test(line)) {
      report(`The comment has more than ${WIDEST_COMMENT} columns.`);
    }
    const words = /^(?:\/\*\*|\*)?\s*(.*)$/.exec(trimmed)?.[1] ?? '';
    if (starts) opened = trimmed.startsWith('/**');
    if (opened && words !== '') {
      if (CLAUSE.test(words)) report(`The doc comment begins with "${words.split(/\W/)[0]}".`);
      opened = false;
    }
    if (starts || block) block = !trimmed.endsWith('*/');
    if (!block) opened = false;
  }
  return found;
}
