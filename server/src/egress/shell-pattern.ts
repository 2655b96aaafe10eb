/**
 * Whether a text matches a shell pattern of `*` and `?`, as `shExpMatch` of proxy scripts means it. Takes at most the product of
 * both lengths, which no regular expression made of the pattern would promise.
 */
export function matchesShell(text: string, pattern: string): boolean {
  let at = 0;
  let next = 0;
  /** Behind the last star, and where its text ends so far. */
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
