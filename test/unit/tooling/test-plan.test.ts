import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { filesOf, groupsOf, leftOutOf, LONG_FILES } from '../../../scripts/lib/test-plan.mjs';

const GROUPS = ['unit', 'crossbrowser'];
const FILES = ['test/database/backup.test.ts', 'test/database/events.test.ts'];

test('each file of the long run exists', () => {
  for (const file of LONG_FILES) assert.ok(existsSync(file), file);
});

test('the short part and the rest together are complete', () => {
  const [short, rest] = [filesOf('short', 'database', FILES), filesOf('rest', 'database', FILES)];
  assert.deepEqual([...rest, ...short], FILES);
  assert.deepEqual(short, ['test/database/events.test.ts']);
  assert.deepEqual(filesOf('all', 'database', FILES), FILES);
});

test('a long group is not in the short part, and complete in the rest', () => {
  const files = ['test/crossbrowser/viewers.test.ts'];
  assert.deepEqual(groupsOf('short', GROUPS), ['unit']);
  assert.deepEqual(groupsOf('rest', GROUPS), GROUPS);
  assert.deepEqual(filesOf('rest', 'crossbrowser', files), files);
});

test('an end-to-end test belongs to the short part by its file or its tag', () => {
  const [short, rest] = [leftOutOf('short'), leftOutOf('rest')];
  assert.ok(short && rest);
  const quick = 'parallel test/e2e/sandbox/isolation.test.ts the display has no network';
  const slow = 'parallel test/e2e/sessions/warm-browsers.test.ts a browser that waits ends with the service';
  const main = `${slow} @main`;
  assert.deepEqual(
    [quick, slow, main].map((title) => [short.test(title), rest.test(title)]),
    [
      [false, true],
      [true, false],
      [false, false],
    ],
  );
  assert.equal(leftOutOf('all'), undefined);
});
