/**
 * Finds the tests that prove what the API promises. A comment directly above a test or a group of tests names
 * its rows: `// Proves: start_url; role control`. The rows are the rules below and the rows of
 * `docs/migration.md`, which lists every creation field.
 */

/** Rules of `docs/api.md` that are no row of the migration page. */
export const RULES = [
  'start_url unset with a profile: its tabs',
  'a kiosk shows its page, whatever key or click',
  'popups of every kind, and the way back from them',
  'no question of a page stands in the way',
  'the window fills the screen after every act',
  'hidden warnings',
  'limits on a clock that cannot be set',
  'field_masking: its form',
  'null, empty texts and empty objects',
  'numbers and booleans as texts',
  'warnings, unknown roles and regions, sides that no screen has',
  'profile and tabs, session after session',
  'profiles are saved however a session ends',
  'one session writes a profile',
  'profiles are sealed, damaged or foreign ones are refused',
  'profiles are replaced whole',
  'profiles of any size take little memory',
  'profiles that cannot be saved are reported, kept and tried again',
  'extension archives are at most 1 MB, and harmless',
  'POST {session}/pinSize',
  'search_engine, by name',
  'search_engine, as an object, and suggestions',
  'quality.mode: full colour',
  'the same picture, sound and input in every browser',
  'quality.mode: bit rates',
  'http_proxy: proxies and scripts',
  'auth.type token',
  'auth.type webhook: each kind of answer',
  'HB- headers, bearer, userdata',
  'permissions of the answer, before the first picture',
  'webhooks follow no redirect and reach public addresses only',
  'hosted pages reach public addresses only',
  'each refusal is justified and names its field',
  'every wrong value is explained',
  'bodies under any content type, or empty',
  'timeout: reset and null',
  "a profile's tabs: order, front, history, loaded once",
  'last tab or window closed',
  'crash of browser, display or page',
  'other parts that are killed, viewers that vanish',
  'memory, processes, disk and tabs of one session',
  'sessions that ended leave nothing in the service',
  'a process that hangs is ended, a starved one is not',
  'the end of a session',
  "usage, when the machine's clock is set",
  'timeout events: retries, order, restarts',
  'records survive restarts and kills',
  'the end of the service: warnings, DRAIN_SECONDS',
  'limits per key and in number',
  'no request makes the service fail',
  '/openapi.json',
  '/metrics',
  'every curl line of docs/api.md',
  'cloud-browser/api',
  'users, permissions, roles, kick, with either credential',
  'tabs.<method>: a page in the way, force',
  'POST {session}/dialogs.<method>, reported dialogs',
  'a page in the way, in a kiosk too',
  'no page or dialog holds up input elsewhere',
  'a session works after any acts of its user and its pages',
];

/** Prefixes of the rows below a heading of the migration page, where two headings have the same names. */
const PREFIXES = {
  Answers: 'answer ',
  Statuses: 'status ',
  Roles: 'role ',
  'Options of the client': 'option ',
  'Members of the client': 'client ',
  'In the page': 'page: ',
};

const COMPARISON = '## Comparison of the features';
const TAG = /^ *\/\/ Proves: (.+)$/;
const TEST = /(?<!\.)\b(?:it|test|(?:test\.)?describe)\(/;

/** Returns the names in the first cell of a table row: each code of a list of codes, or the whole cell. */
export function namesIn(cell) {
  const listed = /^`[^`]+`(, `[^`]+`)*$/.test(cell);
  return listed ? [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name) : [cell];
}

/** Returns the names of the rows of the migration page, with the prefix of their heading. */
export function migrationRows(page) {
  const comparison = page.split(COMPARISON)[1].split(/^## /m)[0];
  return comparison
    .split(/^### /m)
    .slice(1)
    .flatMap((part) => {
      const [heading, ...lines] = part.split('\n');
      const cells = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|')[1].trim());
      const names = cells.slice(2).flatMap(namesIn);
      return names.map((name) => `${PREFIXES[heading] ?? ''}${name.replaceAll('`', '')}`);
    });
}

/** Returns the title in the two lines of a test, or the first line if the title is built elsewhere. */
const titleIn = (line, next = '') =>
  /\(\s*(['"`])(.*?)(?<!\\)\1/s.exec(`${line}\n${next}`)?.[2] ?? line.trim();

/**
 * Returns the tests of each row, and the problems: rows without a test, and tags that name no row or have no
 * test below them. `files` has the text of each test file by path.
 */
export function proofsOf(rows, files) {
  const tests = new Map(rows.map((row) => [row, []]));
  const problems = [];
  for (const [path, text] of files) {
    const lines = text.split('\n');
    for (const [index, line] of lines.entries()) {
      const tag = TAG.exec(line)?.[1];
      if (tag === undefined) continue;
      const [below = '', next] = lines.slice(index + 1).filter((each) => !TAG.test(each));
      if (!TEST.test(below)) problems.push(`${path}:${index + 1}: no test directly below this tag`);
      for (const name of tag.split('; ')) {
        if (!tests.has(name)) problems.push(`${path}:${index + 1}: “${name}” is no rule and no row`);
        tests.get(name)?.push(`${titleIn(below, next)} (${path})`);
      }
    }
  }
  for (const [row, found] of tests) if (found.length === 0) problems.push(`No test proves “${row}”`);
  return { tests, problems };
}
