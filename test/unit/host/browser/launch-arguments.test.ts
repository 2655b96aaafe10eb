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

test('pages cannot open windows of picture-in-picture, of a digital wallet or of a payment', () => {
  const session = hostSessionOf('s', DEFAULT_SETTINGS, NO_SECRETS, 'token');
  const disabled = chromiumArguments(session, '/profile').find((flag) =>
    flag.startsWith('--disable-features='),
  );
  for (const feature of ['DocumentPictureInPictureAPI', 'WebIdentityDigitalCredentials', 'WebPayments'])
    assert.ok(disabled?.split(/[=,]/).includes(feature), disabled);
});

test('pages have no functions that open dialogs with the files of the server', () => {
  const session = hostSessionOf('s', DEFAULT_SETTINGS, NO_SECRETS, 'token');
  const given = chromiumArguments(session, '/profile');
  assert.ok(disabledBlinkFeatures(given).includes('FileSystemAccessLocal'), given.join(' '));
});

test('pages see that there are no passkeys and security keys, so they ask for a password', () => {
  const session = hostSessionOf('s', DEFAULT_SETTINGS, NO_SECRETS, 'token');
  const given = chromiumArguments(session, '/profile');
  assert.ok(disabledBlinkFeatures(given).includes('WebAuth'), given.join(' '));
});

test('pages cannot download in the background, without the limits of downloads', () => {
  const session = hostSessionOf('s', DEFAULT_SETTINGS, NO_SECRETS, 'token');
  const given = chromiumArguments(session, '/profile');
  assert.ok(disabledBlinkFeatures(given).includes('BackgroundFetch'), given.join(' '));
});

test('pages do not see a program instead of a person', () => {
  const session = hostSessionOf('s', DEFAULT_SETTINGS, NO_SECRETS, 'token');
  const given = chromiumArguments(session, '/profile');
  assert.ok(disabledBlinkFeatures(given).includes('AutomationControlled'), given.join(' '));
});

/** Returns the features that the command line disables in Blink. Chromium reads only the last such flag. */
function disabledBlinkFeatures(given: readonly string[]): string[] {
  return given.findLast((flag) => flag.startsWith('--disable-blink-features='))?.split(/[=,]/) ?? [];
}
