import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { formRequest, fittingSize, phoneRequest } from '../../../../demo/session/session-requests.js';
import { WELCOME_URL } from '../../../../demo/session/welcome-url.js';
import { demoSessions } from '../../../../server/src/startup/demo-sessions.js';
import { coldReason, launchKey } from '../../../../server/src/launch-key.js';
import { WELCOME_HOST } from '../../../../server/src/platform/network/welcome-host.js';
import { completeSettings } from '../../../../server/src/sessions/settings/complete-settings.js';
import type { CreateRequest } from '../../../../server/src/create-fields/create-request.js';
import { hostSessionOf } from '../../../../server/src/sessions/settings/host-session.js';
import { NO_SECRETS, settingsOf } from '../../../../server/src/sessions/settings/session-settings.js';

const sessionOf = (request: CreateRequest) =>
  hostSessionOf('x', settingsOf(completeSettings(request, ['NA'], []), 'x'), NO_SECRETS, 'token');
const CHOICES = { fps: '60', quality: 'smooth', kiosk: false, record: true };

describe("the demo's sessions", () => {
  const [tabs, phone] = demoSessions().map(launchKey);

  for (const room of [
    { width: 1108, height: 831 },
    { width: 1880, height: 960 },
    { width: 390, height: 600 },
  ])
    it(`match a warm browser for its first page in a room of ${room.width} pixels`, () => {
      const session = sessionOf(formRequest(WELCOME_URL, fittingSize(room, false), CHOICES));
      assert.equal(launchKey(session), tabs);
      assert.equal(coldReason(session, false), undefined);
    });

  it('match a warm browser for its page for phones', () => {
    for (const room of [
      { width: 390, height: 780 },
      { width: 844, height: 330 },
    ])
      assert.equal(launchKey(sessionOf(phoneRequest(WELCOME_URL, room, true))), phone);
  });

  it('let users of phones copy, upload and download, as on larger screens', () => {
    const room = { width: 390, height: 780 };
    assert.deepEqual(
      phoneRequest(WELCOME_URL, room, true).default_roles,
      formRequest(WELCOME_URL, room, CHOICES).default_roles,
    );
  });

  it('start with the page that the egress process serves', () => {
    assert.equal(WELCOME_URL, `http://${WELCOME_HOST}/`);
    const part = readFileSync(new URL('../../../../demo/parts/start-url.html', import.meta.url), 'utf8');
    assert.ok(part.includes(`value="${WELCOME_URL}"`));
  });
});
