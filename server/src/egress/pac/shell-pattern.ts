/**
 * Returns true if a text matches a shell pattern of `*` and `?`, as in `shExpMatch` of proxy scripts. Needs
 * at most as many steps as the product of the two lengths. A regular expression could need far more.
 */
export function matchesShell(text: string, pattern: string): boolean {
  let at = 0;
  let next = 0;
  /**
   * Position in the pattern after the last star, or -1. `taken` is the end of the text that this star matches
   * so far.
   */
  let star = -1;
  let taken = 0;
  while (at < text.length) {
    if (pattern[next] === '*') {
      star = ++next;
      taken = at;
    } else if (next < pattern.length && (pattern[next] === '?' || pattern[next] === text[at])) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      next = star;
      at = ++taken;
    } else return false;
  }
  while (pattern[next] === '*') next += 1;
  return next === pattern.length;
}
