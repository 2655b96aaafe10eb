/**
 * Divides the tests. `npm test` takes the short part, which proves each feature once in a few minutes.
 * `npm run test:all` takes everything, or with `--rest` only what `npm test` has left out.
 */

/** Groups that only `npm run test:all` runs: they need more browsers, or tools that nothing else needs. */
const LONG_GROUPS = ['crossbrowser', 'packages'];

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
  'test/compat/clients.test.ts',
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
  'test/e2e/accessibility/accessibility-mirror.test.ts',
  'test/e2e/accessibility/accessibility-pace.test.ts',
  'test/e2e/accessibility/accessibility.test.ts',
  'test/e2e/accessibility/focus-ring.test.ts',
  'test/e2e/agents/automation.test.ts',
  'test/e2e/agents/computer.test.ts',
  'test/e2e/agents/demo-agent.test.ts',
  'test/e2e/agents/handoffs.test.ts',
  'test/e2e/agents/hostile-frames.test.ts',
  'test/e2e/agents/hostile-programs.test.ts',
  'test/e2e/agents/mcp.test.ts',
  'test/e2e/agents/program-call-masks.test.ts',
  'test/e2e/agents/program-files.test.ts',
  'test/e2e/agents/program-masks.test.ts',
  'test/e2e/agents/program-privacy.test.ts',
  'test/e2e/agents/takeover.test.ts',
  'test/e2e/agents/token-ends.test.ts',
  'test/e2e/agents/token-matrix.test.ts',
  'test/e2e/clipboard/clipboard-bytes.test.ts',
  'test/e2e/clipboard/clipboard-menu.test.ts',
  'test/e2e/clipboard/clipboard.test.ts',
  'test/e2e/demo/admin-demo.test.ts',
  'test/e2e/demo/demo.test.ts',
  'test/e2e/demo/examples.test.ts',
  'test/e2e/demo/mobile-demo.test.ts',
  'test/e2e/demo/operator-sessions.test.ts',
  'test/e2e/demo/operator.test.ts',
  'test/e2e/demo/sdk-examples.test.ts',
  'test/e2e/demo/welcome.test.ts',
  'test/e2e/embed/embed-module-calls.test.ts',
  'test/e2e/embed/embed-module-life.test.ts',
  'test/e2e/embed/embed-module-pages.test.ts',
  'test/e2e/embed/embed-module-picture.test.ts',
  'test/e2e/embed/embed-module.test.ts',
  'test/e2e/embed/embed-page-look.test.ts',
  'test/e2e/embed/languages.test.ts',
  'test/e2e/embed/script-line.test.ts',
  'test/e2e/embed/words.test.ts',
  'test/e2e/files/files-list.test.ts',
  'test/e2e/files/files-places.test.ts',
  'test/e2e/files/files-rate.test.ts',
  'test/e2e/files/files-traces.test.ts',
  'test/e2e/files/files.test.ts',
  'test/e2e/files/kiosk-downloads.test.ts',
  'test/e2e/input/composition.test.ts',
  'test/e2e/input/double-click.test.ts',
  'test/e2e/input/field-masking.test.ts',
  'test/e2e/input/gestures.test.ts',
  'test/e2e/input/obstacles-of-keys.test.ts',
  'test/e2e/input/obstacles.test.ts',
  'test/e2e/input/phone-keyboard.test.ts',
  'test/e2e/input/pointer-lock.test.ts',
  'test/e2e/input/pointer.test.ts',
  'test/e2e/input/refused-press.test.ts',
  'test/e2e/input/touch.test.ts',
  'test/e2e/input/typing.test.ts',
  'test/e2e/picture/frame-rate.test.ts',
  'test/e2e/picture/full-colour.test.ts',
  'test/e2e/picture/lip-sync.test.ts',
  'test/e2e/picture/parameters-picture.test.ts',
  'test/e2e/picture/pixel-ratio.test.ts',
  'test/e2e/picture/processor-share.test.ts',
  'test/e2e/picture/resize.test.ts',
  'test/e2e/picture/second-connection.test.ts',
  'test/e2e/picture/sizes.test.ts',
  'test/e2e/picture/sound.test.ts',
  'test/e2e/picture/waiting-display.test.ts',
  'test/e2e/profiles/profile-content.test.ts',
  'test/e2e/profiles/profile-tabs.test.ts',
  'test/e2e/profiles/profiles.test.ts',
  'test/e2e/recordings/killed-recorder.test.ts',
  'test/e2e/recordings/recorded-events.test.ts',
  'test/e2e/recordings/recorded-frames.test.ts',
  'test/e2e/recordings/recorded-masks.test.ts',
  'test/e2e/recordings/recording.test.ts',
  'test/e2e/recordings/recordings-in-s3.test.ts',
  'test/e2e/recordings/recordings-pages.test.ts',
  'test/e2e/recordings/replay.test.ts',
  'test/e2e/recordings/ring.test.ts',
  'test/e2e/sandbox/egress-ways.test.ts',
  'test/e2e/sandbox/egress.test.ts',
  'test/e2e/sandbox/extension-limits.test.ts',
  'test/e2e/sandbox/hands-of-strangers.test.ts',
  'test/e2e/sandbox/limits.test.ts',
  'test/e2e/sandbox/sandbox-proof.test.ts',
  'test/e2e/sandbox/sandbox.test.ts',
  'test/e2e/sessions/closing.test.ts',
  'test/e2e/sessions/cluster.test.ts',
  'test/e2e/sessions/crashes.test.ts',
  'test/e2e/sessions/create.test.ts',
  'test/e2e/sessions/database-outage.test.ts',
  'test/e2e/sessions/hangs.test.ts',
  'test/e2e/sessions/lifecycle.test.ts',
  'test/e2e/sessions/parameters-browser.test.ts',
  'test/e2e/sessions/parameters.test.ts',
  'test/e2e/sessions/records.test.ts',
  'test/e2e/sessions/standby.test.ts',
  'test/e2e/sessions/tags.test.ts',
  'test/e2e/sessions/timeouts.test.ts',
  'test/e2e/sessions/warm-browsers.test.ts',
  'test/e2e/users/floods.test.ts',
  'test/e2e/users/viewer-authorization.test.ts',
  'test/e2e/users/viewers.test.ts',
  'test/e2e/windows/kiosk.test.ts',
  'test/e2e/windows/new-tab-page.test.ts',
  'test/e2e/windows/phone-windows.test.ts',
  'test/e2e/windows/popups.test.ts',
  'test/e2e/windows/questions.test.ts',
  'test/e2e/windows/restored-tabs.test.ts',
  'test/e2e/windows/tabs.test.ts',
  'test/e2e/windows/windows.test.ts',
  'test/processes/check-machine.test.ts',
  'test/processes/file-profile-store.test.ts',
  'test/processes/flaky-tests.test.ts',
  'test/processes/http-tools.test.ts',
  'test/processes/interrupted-scripts.test.ts',
  'test/processes/killed-recordings.test.ts',
  'test/processes/npx.test.ts',
  'test/processes/openapi-tools.test.ts',
  'test/processes/recordings-in-s3.test.ts',
  'test/processes/service-process.test.ts',
  'test/processes/soak.test.ts',
  'test/processes/warm-hosts.test.ts',
  'test/unit/cluster/history.test.ts',
  'test/unit/recording/indexed-video.test.ts',
  'test/unit/service/create/lenient-requests.test.ts',
  'test/unit/service/create/random-requests.test.ts',
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
