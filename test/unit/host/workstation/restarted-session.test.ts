import assert from 'node:assert/strict';
import { it } from 'node:test';
import { restartedSession, restartNotice } from '../../../../server/src/host/restarted-session.js';
import { DEFAULT_SETTINGS } from '../../../../server/src/sessions/settings/default-settings.js';
import { hostSessionOf } from '../../../../server/src/sessions/settings/host-session.js';
import { NO_SECRETS } from '../../../../server/src/sessions/settings/session-settings.js';

const settings = { ...DEFAULT_SETTINGS, startUrl: 'https://a.test/' };
const session = { ...hostSessionOf('s', settings, NO_SECRETS, 'admin-token'), restoreTabs: true };

it('a restarted browser opens the pages that its restart allows', () => {
  const pagesOf = (how: Parameters<typeof restartedSession>[1]) => {
    const { startUrl, restoreTabs } = restartedSession(session, how);
    return [startUrl, restoreTabs];
  };
  assert.deepEqual(pagesOf('as-at-first'), ['https://a.test/', true]);
  assert.deepEqual(pagesOf('with-tabs'), ['https://a.test/', true]);
  assert.deepEqual(pagesOf('with-start-page'), ['https://a.test/', false]);
  assert.deepEqual(pagesOf('with-blank-page'), ['about:blank', false]);
});

it('viewers learn that a browser that hung twice has an empty page', () => {
  assert.equal(restartNotice('as-at-first', 'hung').kind, 'browser-hung');
  assert.equal(restartNotice('with-blank-page', 'hung').kind, 'browser-hung-again');
  assert.equal(restartNotice('with-tabs', 'closed').kind, 'browser-closed');
  assert.equal(restartNotice('as-at-first', 'crashed').kind, 'browser-crashed');
});
