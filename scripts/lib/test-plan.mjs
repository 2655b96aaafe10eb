/**
 * Divides the tests. `npm test` takes the short part, which proves each feature once in a few minutes.
 * `npm run test:all` takes everything, or with `--rest` only what `npm test` has left out.
 */

/** Groups that only `npm run test:all` runs: they need more browsers, or tools that nothing else needs. */
const LONG_GROUPS = ['crossbrowser'];

/**
 * Files that only `npm run test:all` runs as a whole. `.build/test-times.json` tells how long a file takes.
 * In an end-to-end file of this list, a test with the tag `@main` belongs to the short part as well.
 */
export const LONG_FILES = [
  'test/cluster/faults.test.ts',
  'test/cluster/recordings.test.ts',
  'test/cluster/rest-through-another-node.test.ts',
  'test/cluster/reverse-proxies.test.ts',
  'test/cluster/three-nodes.test.ts',
  'test/cluster/unsound-node.test.ts',
  'test/compat/audio.test.ts',
  'test/compat/co-browsing.test.ts',
  'test/compat/extension-page.test.ts',
  'test/compat/kiosk.test.ts',
  'test/compat/recording.test.ts',
  'test/compat/watch-party.test.ts',
  'test/compat/webgl.test.ts',
  'test/database/backup.test.ts',
  'test/database/killed-saves.test.ts',
  'test/database/outage.test.ts',
  'test/database/profile-claims.test.ts',
  'test/e2e/accessibility-mirror.test.ts',
  'test/e2e/accessibility-pace.test.ts',
  'test/e2e/accessibility.test.ts',
  'test/e2e/admin-demo.test.ts',
  'test/e2e/automation.test.ts',
  'test/e2e/clipboard-bytes.test.ts',
  'test/e2e/clipboard-menu.test.ts',
  'test/e2e/clipboard.test.ts',
  'test/e2e/closing.test.ts',
  'test/e2e/cluster.test.ts',
  'test/e2e/computer.test.ts',
  'test/e2e/crashes.test.ts',
  'test/e2e/database-outage.test.ts',
  'test/e2e/demo-agent.test.ts',
  'test/e2e/demo.test.ts',
  'test/e2e/egress-ways.test.ts',
  'test/e2e/embed-module-calls.test.ts',
  'test/e2e/embed-module-life.test.ts',
  'test/e2e/embed-module-pages.test.ts',
  'test/e2e/embed-module-picture.test.ts',
  'test/e2e/embed-module.test.ts',
  'test/e2e/embed-page-look.test.ts',
  'test/e2e/examples.test.ts',
  'test/e2e/extension-limits.test.ts',
  'test/e2e/field-masking.test.ts',
  'test/e2e/files-list.test.ts',
  'test/e2e/files-places.test.ts',
  'test/e2e/files-rate.test.ts',
  'test/e2e/files-traces.test.ts',
  'test/e2e/files.test.ts',
  'test/e2e/floods.test.ts',
  'test/e2e/focus-ring.test.ts',
  'test/e2e/frame-rate.test.ts',
  'test/e2e/full-colour.test.ts',
  'test/e2e/gestures.test.ts',
  'test/e2e/handoffs.test.ts',
  'test/e2e/hands-of-strangers.test.ts',
  'test/e2e/hangs.test.ts',
  'test/e2e/hostile-frames.test.ts',
  'test/e2e/hostile-programs.test.ts',
  'test/e2e/kiosk-downloads.test.ts',
  'test/e2e/kiosk.test.ts',
  'test/e2e/languages.test.ts',
  'test/e2e/lifecycle.test.ts',
  'test/e2e/limits.test.ts',
  'test/e2e/lip-sync.test.ts',
  'test/e2e/mcp.test.ts',
  'test/e2e/new-tab-page.test.ts',
  'test/e2e/obstacles-of-keys.test.ts',
  'test/e2e/obstacles.test.ts',
  'test/e2e/operator.test.ts',
  'test/e2e/parameters-browser.test.ts',
  'test/e2e/parameters-picture.test.ts',
  'test/e2e/parameters.test.ts',
  'test/e2e/phone-keyboard.test.ts',
  'test/e2e/phone-windows.test.ts',
  'test/e2e/pixel-ratio.test.ts',
  'test/e2e/playwright-mcp.test.ts',
  'test/e2e/pointer.test.ts',
  'test/e2e/popups.test.ts',
  'test/e2e/processor-share.test.ts',
  'test/e2e/profile-content.test.ts',
  'test/e2e/profile-tabs.test.ts',
  'test/e2e/profiles.test.ts',
  'test/e2e/program-call-masks.test.ts',
  'test/e2e/program-masks.test.ts',
  'test/e2e/program-privacy.test.ts',
  'test/e2e/puppeteer.test.ts',
  'test/e2e/recorded-masks.test.ts',
  'test/e2e/recording.test.ts',
  'test/e2e/recordings-in-s3.test.ts',
  'test/e2e/recordings-pages.test.ts',
  'test/e2e/records.test.ts',
  'test/e2e/refused-press.test.ts',
  'test/e2e/replay.test.ts',
  'test/e2e/resize.test.ts',
  'test/e2e/restored-tabs.test.ts',
  'test/e2e/sandbox-proof.test.ts',
  'test/e2e/script-line.test.ts',
  'test/e2e/sdk-examples.test.ts',
  'test/e2e/sizes.test.ts',
  'test/e2e/standby.test.ts',
  'test/e2e/tabs.test.ts',
  'test/e2e/tags.test.ts',
  'test/e2e/takeover.test.ts',
  'test/e2e/timeouts.test.ts',
  'test/e2e/token-ends.test.ts',
  'test/e2e/token-matrix.test.ts',
  'test/e2e/touch.test.ts',
  'test/e2e/typing.test.ts',
  'test/e2e/viewer-authorization.test.ts',
  'test/e2e/viewers.test.ts',
  'test/e2e/waiting-display.test.ts',
  'test/e2e/warm-browsers.test.ts',
  'test/e2e/welcome.test.ts',
  'test/e2e/windows.test.ts',
  'test/e2e/words.test.ts',
  'test/packages/docs-site.test.ts',
  'test/packages/fresh.test.ts',
  'test/packages/surface.test.ts',
  'test/packages/tarballs.test.ts',
  'test/processes/file-profile-store.test.ts',
  'test/processes/flaky-tests.test.ts',
  'test/processes/interrupted-scripts.test.ts',
  'test/processes/killed-recordings.test.ts',
  'test/processes/npx.test.ts',
  'test/processes/openapi-tools.test.ts',
  'test/processes/recordings-in-s3.test.ts',
  'test/processes/service-process.test.ts',
  'test/processes/soak.test.ts',
];

/** Returns the part that a child process of `scripts/test.mjs` belongs to. Alone, a tool takes everything. */
export const partOf = (environment) => environment.TEST_PART ?? 'all';

/** Returns those of the groups that a part contains. */
export function groupsOf(part, groups) {
  return part === 'short' ? groups.filter((name) => !LONG_GROUPS.includes(name)) : groups;
}

/** Returns those of a group's files that a part contains. */
export function filesOf(part, group, files) {
  if (part === 'all') return files;
  const isShort = (file) => !LONG_GROUPS.includes(group) && !LONG_FILES.includes(file);
  return files.filter((file) => isShort(file) === (part === 'short'));
}

/**
 * Returns the pattern of the end-to-end tests that a part leaves out, or undefined. Playwright matches it
 * with the file, the titles and the tags of a test.
 */
export function leftOutOf(part) {
  if (part === 'all') return undefined;
  const long = LONG_FILES.filter((file) => /^test\/(e2e|compat)\//.test(file)).map((file) => file.slice(5));
  const names = `(?: |/)(?:${long.join('|').replaceAll('.', '\\.')})`;
  return part === 'short' ? new RegExp(`^(?!.*@main).*${names}`, 's') : new RegExp(`^(?!.*${names})`, 's');
}
