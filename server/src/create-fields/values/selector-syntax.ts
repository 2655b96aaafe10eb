const { raw } = String;

// Selectors Level 4, section "Grammar". CSS comments are not supported. The browser checks the names of
// pseudo-classes.
const ESCAPE = raw`\\[^\n\r\f]`;
const LETTER = raw`[_a-zA-Z]|[^\x00-\x7f]|${ESCAPE}`;
const NAME = raw`(?:[-0-9]|${LETTER})+`;
const IDENT = raw`(?:--|-?(?:${LETTER}))(?:[-0-9]|${LETTER})*`;
const STRING = raw`(?:"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')`;
const PREFIX = raw`(?:(?:${IDENT}|\*)?\|(?!=))?`;
// A flag follows a name only after white space. Otherwise, the last letter of a name could also be a flag.
// Each attribute of a selector would then double the time of the check.
const VALUE = raw`(?:${IDENT}(?:\s+[iIsS])?|${STRING}(?:\s*[iIsS])?)`;
const ATTRIBUTE = raw`\[\s*${PREFIX}${IDENT}\s*(?:[~|^$*]?=\s*${VALUE}\s*)?\]`;
/** Content of parentheses, which may be nested. */
const nested = (depth: number): string =>
  raw`\((?:[^()"'\\]|${ESCAPE}|${STRING}${depth > 0 ? `|${nested(depth - 1)}` : ''})+\)`;
const PSEUDO = raw`::?${IDENT}(?:${nested(4)})?`;
const COMPOUND = raw`(?=[^\s,>+~])(?:${PREFIX}(?:${IDENT}|\*))?(?:#${NAME}|\.${IDENT}|${ATTRIBUTE}|${PSEUDO})*`;
const COMPLEX = raw`${COMPOUND}(?:(?:\s*[>+~]\s*|\s+)${COMPOUND})*`;
const LIST = new RegExp(raw`^\s*${COMPLEX}(?:\s*,\s*${COMPLEX})*\s*$`);

/** True if a text has the form of a list of CSS selectors, as `Element.matches` takes it. */
export function isSelectorList(text: string): boolean {
  return LIST.test(text);
}
