import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chromiumArguments } from '../../../../server/src/host/browser/launch/arguments.js';
import { DEFAULT_SETTINGS } from '../../../../server/src/sessions/settings/default-settings.js';
import { hostSessionOf } from '../../../../server/src/sessions/settings/host-session.js';
import { NO_SECRETS } from '../../../../server/src/sessions/settings/session-settings.js';

test('a browser whose profile is saved writes local storage to the disk soon after a change', () => {
  const session = hostSessionOf('s', DEFAULT_SETTINGS, NO_SECRETS, 'token');
  for (const keepProfile of [true, false]) {
    const given = chromiumArguments({ ...session, keepProfile }, '/profile');
    assert.equal(given.includes('--enable-aggressive-domstorage-flushing'), keepProfile);
  }
});

test('pages cannot open a window of document picture-in-picture', () => {
  const session = hostSessionOf('s', DEFAULT_SETTINGS, NO_SECRETS, 'token');
  const disabled = chromiumArguments(session, '/profile').find((flag) =>
    flag.startsWith('--disable-features='),
  );
  assert.ok(disabled?.split(/[=,]/).includes('DocumentPictureInPictureAPI'), disabled);
});

test('pages have no functions that open dialogs with the files of the server', () => {
  const session = hostSessionOf('s', DEFAULT_SETTINGS, NO_SECRETS, 'token');
  const given = chromiumArguments(session, '/profile');
  assert.ok(given.includes('--disable-blink-features=FileSystemAccessLocal'));
});
